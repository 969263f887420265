// The system map: pan, zoom, drag, and a press that becomes a hex. The drawing is the server's; this only
// moves the window over it, keeps marks and words at their size, and fills in the fields of a hex.

import { hexAt, toPlane } from "./hexes.js";
import { startRosettes } from "./rosette.js";

const ZOOM = 1.6;
const STEP = 0.25;
const FINEST_HEX = 5; // pixels; smaller hexes are only noise
const STILL = 5; // pixels a press may wander and still be a press
const WORDY = 0.62; // pixels a unit, below which notes are left out
const PHONE_HEIGHT = 420;
const STRIP = 132;
const BARS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

class SystemMap {
  constructor(box) {
    this.box = box;
    this.top = box.querySelector("#top-view");
    this.side = box.querySelector("#side-view");
    this.readout = box.querySelector("#readout");
    this.picked = box.querySelector("#picked");
    this.ground = box.querySelector("#hex-ground");
    this.scale = Number(this.top.dataset.scale);
    this.middle = [Number(this.top.dataset.x), Number(this.top.dataset.y)];
    this.size = [Number(this.top.dataset.width), Number(this.top.dataset.height)];
    this.pointers = new Map();
    box.classList.add("map-live");
    this.fit();
    this.listen();
  }

  /** Show everything the server drew. */
  fit() {
    const narrow = this.box.clientWidth < 640;
    this.top.style.height = narrow ? `${PHONE_HEIGHT}px` : "";
    this.side.style.height = `${STRIP}px`;
    this.side.setAttribute("preserveAspectRatio", "none");
    const width = this.top.clientWidth || this.size[0];
    const height = narrow ? PHONE_HEIGHT : (width * this.size[1]) / this.size[0];
    this.pixels = [width, height];
    const unit = Math.max(this.size[0] / width, this.size[1] / height);
    this.view = {
      x: this.size[0] / 2 - (width * unit) / 2,
      y: this.size[1] / 2 - (height * unit) / 2,
      unit,
    };
    this.draw();
  }

  /** Put the window in place, and every mark and word back to its own size. */
  draw() {
    const { x, y, unit } = this.view;
    const [width, height] = [this.pixels[0] * unit, this.pixels[1] * unit];
    this.top.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    for (const mark of this.top.querySelectorAll(".at")) {
      const { x: left, y: down, a } = mark.dataset;
      mark.setAttribute("transform", `translate(${left} ${down}) scale(${unit})${a ? ` rotate(${a})` : ""}`);
    }
    for (const corner of this.top.querySelectorAll("[data-corner]")) {
      const down = corner.dataset.corner === "bottom" ? y + height : y;
      corner.setAttribute("transform", `translate(${x + width} ${down}) scale(${unit})`);
    }
    for (const [name, value] of [["x", x], ["y", y], ["width", width], ["height", height]]) {
      this.ground.setAttribute(name, value);
    }
    this.ground.setAttribute("fill", this.scale / unit >= FINEST_HEX ? "url(#hexes)" : "none");
    this.box.classList.toggle("wordless", 1 / unit < WORDY);
    this.drawBar(unit);
    this.drawSide(x, width, unit);
  }

  drawBar(unit) {
    const hexes = BARS.find((each) => (each * this.scale) / unit >= 60) || BARS[BARS.length - 1];
    const length = (hexes * this.scale) / unit;
    this.top.querySelector("#scale-bar").setAttribute("d", `M-24-18h-${length}m0-4v8m${length}-8v8`);
    this.top.querySelector("#scale-words").textContent = `${hexes} hex${hexes === 1 ? "" : "es"}`;
  }

  drawSide(x, width, unit) {
    this.side.setAttribute("viewBox", `${x} 0 ${width} ${STRIP}`);
    for (const mark of this.side.querySelectorAll(".at")) {
      mark.setAttribute("transform", `translate(${mark.dataset.x} ${mark.dataset.y}) scale(${unit} 1)`);
    }
    this.side.querySelector(".fixed").setAttribute("transform", `translate(${x} 0) scale(${unit} 1)`);
  }

  /** Zoom by a factor about a point of the screen, the middle by default. */
  zoom(factor, at = [this.pixels[0] / 2, this.pixels[1] / 2]) {
    const { x, y, unit } = this.view;
    const next = Math.min(Math.max(unit / factor, this.scale / 400), this.scale / 0.2);
    this.view = { x: x + at[0] * (unit - next), y: y + at[1] * (unit - next), unit: next };
    this.draw();
  }

  move(right, down) {
    this.view.x += right * this.view.unit;
    this.view.y += down * this.view.unit;
    this.draw();
  }

  /** Return the hex under a place on the screen. */
  hex(event) {
    const frame = this.top.getBoundingClientRect();
    const x = this.view.x + (event.clientX - frame.left) * this.view.unit;
    const y = this.view.y + (event.clientY - frame.top) * this.view.unit;
    return hexAt((x - this.size[0] / 2) / this.scale + this.middle[0], (this.size[1] / 2 - y) / this.scale + this.middle[1]);
  }

  pick(q, r) {
    const [x, y] = toPlane(q, r);
    const at = [(x - this.middle[0]) * this.scale + this.size[0] / 2, this.size[1] / 2 - (y - this.middle[1]) * this.scale];
    const side = this.scale / Math.sqrt(3);
    const corners = [0, 60, 120, 180, 240, 300].map((turn) => {
      const angle = (turn * Math.PI) / 180;
      return `${at[0] + side * Math.cos(angle)} ${at[1] + side * Math.sin(angle)}`;
    });
    this.picked.setAttribute("d", `M${corners.join("L")}Z`);
    this.picked.removeAttribute("hidden");
    this.readout.hidden = false;
    this.readout.textContent = `q ${sign(q)}, r ${sign(r)}`;
    fillHex(q, r);
  }

  listen() {
    this.top.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, event);
      this.press = { x: event.clientX, y: event.clientY, moved: false };
    });
    this.top.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.top.addEventListener(end, (event) => {
        this.pointers.delete(event.pointerId);
        this.top.classList.remove("dragging");
      });
    }
    this.top.addEventListener("click", (event) => {
      if (this.press && this.press.moved) event.preventDefault();
      else if (!event.target.closest("a")) this.pick(...this.hex(event));
    });
    this.top.addEventListener("dragstart", (event) => event.preventDefault());
    this.top.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const frame = this.top.getBoundingClientRect();
        this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, [event.clientX - frame.left, event.clientY - frame.top]);
      },
      { passive: false },
    );
    for (const tool of this.box.querySelectorAll("[data-tool]")) {
      tool.addEventListener("click", (event) => {
        event.preventDefault();
        this.use(tool.dataset.tool);
      });
    }
    window.addEventListener("resize", () => this.fit());
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (this.pointers.size === 2) this.pinch(event);
    else {
      if (Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > STILL) this.press.moved = true;
      if (this.press.moved) {
        this.top.classList.add("dragging");
        this.move(before.clientX - event.clientX, before.clientY - event.clientY);
      }
    }
    this.pointers.set(event.pointerId, event);
  }

  pinch(event) {
    this.press.moved = true;
    const [other] = Array.from(this.pointers.values()).filter((each) => each.pointerId !== event.pointerId);
    const before = this.pointers.get(event.pointerId);
    const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
    const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    const frame = this.top.getBoundingClientRect();
    const middle = [(event.clientX + other.clientX) / 2 - frame.left, (event.clientY + other.clientY) / 2 - frame.top];
    if (was > 0) this.zoom(is / was, middle);
  }

  use(tool) {
    const [width, height] = this.pixels;
    const moves = { Left: [-width, 0], Right: [width, 0], Up: [0, -height], Down: [0, height] };
    if (tool === "Closer") this.zoom(ZOOM);
    else if (tool === "Farther") this.zoom(1 / ZOOM);
    else if (tool === "Everything") this.fit();
    else this.move(...moves[tool].map((each) => each * STEP));
  }
}

function sign(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

let wanted = null; // the hex fields that were used last

/** Put a hex into the fields of a hex: those used last, else the first that are open. */
function fillHex(q, r) {
  const open = Array.from(document.querySelectorAll('[data-widget="hex"]')).filter((each) => each.offsetParent);
  const target = open.includes(wanted) ? wanted : open[0];
  if (!target) return;
  for (const [key, value] of [["q", q], ["r", r]]) {
    const input = target.querySelector(`input[name="${key}"], input[name$="/${key}"]`);
    if (input) input.value = String(value);
  }
  target.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("focusin", (event) => {
  wanted = event.target.closest('[data-widget="hex"]') || wanted;
});

for (const box of document.querySelectorAll("[data-map]")) new SystemMap(box);
startRosettes(document);
