// The burn rosette: the change of velocity as hexes to press, altitude as a strip. It writes into the field
// beside it, which does the same without it; the server's check decides what is legal.

import { distance, format, fromAxial, parse, toAxial } from "./hexes.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDEST = 9; // above this thrust the hexes would be too small to press

function make(name, attributes, text = "") {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

/** Return the thrust that a step needs: its length in space, the fraction dropped. */
function needs(q, r, z) {
  return Math.floor(Math.hypot(distance(q, r), z));
}

class Rosette {
  constructor(input, limit, velocity, out) {
    [this.input, this.limit, this.velocity, this.out] = [input, limit, velocity, out];
    this.unit = Math.min(20, 130 / (limit + 1));
    const half = this.unit * (limit + 1.6);
    this.svg = make("svg", { class: "rosette", viewBox: `${-half} ${-half} ${2 * half + 56} ${2 * half}`, width: 2 * half + 56, "aria-hidden": "true" });
    input.closest(".field").append(this.svg);
    input.addEventListener("input", () => this.draw());
    this.draw();
  }

  get step() {
    const vectors = parse(this.input.value);
    return vectors === null ? null : toAxial(vectors);
  }

  set(q, r, z) {
    if (needs(q, r, z) > this.limit) return;
    this.input.value = format(fromAxial(q, r, z));
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  draw() {
    this.svg.replaceChildren();
    const step = this.step || [0, 0, 0];
    for (let q = -this.limit; q <= this.limit; q += 1) {
      for (let r = -this.limit; r <= this.limit; r += 1) {
        if (distance(q, r) <= this.limit) this.cell(q, r, step);
      }
    }
    this.letters();
    this.strip(step);
    this.tell(step);
  }

  place(q, r) {
    return [q * this.unit * Math.sqrt(3) / 2, -(r + q / 2) * this.unit];
  }

  cell(q, r, step) {
    const [x, y] = this.place(q, r);
    const side = this.unit / Math.sqrt(3) - 0.6;
    const points = [0, 60, 120, 180, 240, 300].map((turn) => {
      const angle = (turn * Math.PI) / 180;
      return `${(x + side * Math.cos(angle)).toFixed(1)},${(y + side * Math.sin(angle)).toFixed(1)}`;
    });
    const isOn = this.step !== null && q === step[0] && r === step[1];
    const isOff = needs(q, r, step[2]) > this.limit;
    const name = `cell${isOff ? " off" : ""}${q === 0 && r === 0 ? " zero" : ""}${isOn ? " on" : ""}`;
    const cell = make("polygon", { class: name, points: points.join(" ") });
    cell.append(make("title", {}, `${format(fromAxial(q, r, step[2]))}, thrust ${needs(q, r, step[2])}`));
    cell.addEventListener("click", () => this.set(q, r, step[2]));
    this.svg.append(cell);
    if (isOn && (q || r)) {
      this.svg.append(make("text", { class: "inv lab-b", x, y: y + 4, "text-anchor": "middle" }, String(needs(q, r, step[2]))));
    }
  }

  letters() {
    const far = this.limit + 1;
    for (const [letter, q, r] of [["A", 0, far], ["B", far, 0], ["C", far, -far], ["D", 0, -far], ["E", -far, 0], ["F", -far, far]]) {
      const [x, y] = this.place(q, r);
      this.svg.append(make("text", { class: "lab-b", x, y: y + 4, "text-anchor": "middle" }, letter));
    }
  }

  strip(step) {
    const left = this.unit * (this.limit + 1.6) + 8;
    const high = Math.min(22, (2 * this.unit * (this.limit + 1)) / (2 * this.limit + 1));
    for (let z = this.limit; z >= -this.limit; z -= 1) {
      const y = (-z - 0.5) * high;
      const isOn = z === step[2] && this.step !== null;
      const name = `cell${needs(step[0], step[1], z) > this.limit ? " off" : ""}${z === 0 ? " zero" : ""}${isOn && z ? " on" : ""}`;
      const cell = make("rect", { class: name, x: left, y, width: 36, height: high - 1 });
      cell.addEventListener("click", () => this.set(step[0], step[1], z));
      this.svg.append(cell);
      const words = z === 0 ? "0" : z > 0 ? `${z}+` : `${-z}−`;
      this.svg.append(make("text", { class: isOn && z ? "lab inv" : "lab", x: left + 18, y: y + high / 2 + 4, "text-anchor": "middle" }, words));
    }
  }

  /** Say what the velocity will be. */
  tell(step) {
    if (!this.out) return;
    const sum = this.velocity.map((part, index) => part + step[index]);
    this.out.textContent = this.step === null ? "cannot be read" : format(fromAxial(...sum)).replace("-", "−").replace(/^0$/, "at rest");
  }
}

/** Put a rosette beside every thrust of known rating in a burn form. */
export function startRosettes(root) {
  for (const form of root.querySelectorAll("form[data-velocity]")) {
    const input = form.querySelector('input[data-widget="vector"][data-limit]');
    const velocity = parse(form.dataset.velocity);
    if (!input || velocity === null) continue;
    const limit = Number(input.dataset.limit);
    const out = form.querySelector("[data-then]");
    if (out) out.closest("[hidden]")?.removeAttribute("hidden");
    if (limit > 0 && limit <= WIDEST) new Rosette(input, limit, toAxial(velocity), out);
  }
}
