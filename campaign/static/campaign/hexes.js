// Hexes and vectors, as campaign/engine/hexes.py and vectors.py have them: axial q and r, A = +r, clockwise,
// y = r + q/2 up the page, x = q times the root of 3 over 2.

export const LETTERS = ["A", "B", "C", "D", "E", "F", "+", "-"];
const STEP = { A: [0, 1, 0], B: [1, 0, 0], C: [1, -1, 0], D: [0, -1, 0], E: [-1, 0, 0], F: [-1, 1, 0], "+": [0, 0, 1], "-": [0, 0, -1] };
const HALF_ROOT_3 = Math.sqrt(3) / 2;

/** Return the centre of a hex in the plane, in hexes. */
export function toPlane(q, r) {
  return [q * HALF_ROOT_3, r + q / 2];
}

/** Return the hex under a point of the plane. */
export function hexAt(x, y) {
  const q = x / HALF_ROOT_3;
  return roundHex(q, y - q / 2);
}

/** Return the hex whose centre is nearest to a point given in fractions of hexes. */
export function roundHex(q, r) {
  const s = -q - r;
  let [wholeQ, wholeR] = [Math.floor(q + 0.5), Math.floor(r + 0.5)];
  const wholeS = Math.floor(s + 0.5);
  const [offQ, offR, offS] = [Math.abs(wholeQ - q), Math.abs(wholeR - r), Math.abs(wholeS - s)];
  if (offQ > offR && offQ > offS) wholeQ = -wholeR - wholeS;
  else if (offR > offS) wholeR = -wholeQ - wholeS;
  return [wholeQ || 0, wholeR || 0];
}

/** Return the number of hexes of a step on the map. */
export function distance(q, r) {
  return Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
}

/** Return the step that vectors make in a turn. */
export function toAxial(vectors) {
  const step = [0, 0, 0];
  for (const [letter, number] of Object.entries(vectors)) {
    STEP[letter].forEach((part, index) => {
      step[index] += part * number;
    });
  }
  return step;
}

/** Return the consolidated vectors of a step. */
export function fromAxial(q, r, z) {
  const found = {};
  if (q >= 0 && r >= 0) [found.A, found.B] = [r, q];
  else if (q <= 0 && r <= 0) [found.D, found.E] = [-r, -q];
  else if (q > 0) {
    const common = Math.min(q, -r);
    [found.C, found.B, found.D] = [common, q - common, -r - common];
  } else {
    const common = Math.min(-q, r);
    [found.F, found.E, found.A] = [common, -q - common, r - common];
  }
  found[z > 0 ? "+" : "-"] = Math.abs(z);
  return found;
}

/** Return vectors as players write them: "3A 1-", and "0" for none. */
export function format(vectors) {
  return LETTERS.filter((letter) => vectors[letter]).map((letter) => `${vectors[letter]}${letter}`).join(" ") || "0";
}

/** Return the vectors that a player wrote, or null where they cannot be read. */
export function parse(text) {
  const rest = text.replaceAll("−", "-").replaceAll(",", " ").trim();
  if (rest === "" || rest === "0") return {};
  if (!/^(\d{1,9}\s*[A-Fa-f+-]\s*)+$/.test(rest)) return null;
  const found = {};
  for (const [, number, letter] of rest.matchAll(/(\d{1,9})\s*([A-Fa-f+-])/g)) {
    const key = letter.toUpperCase();
    found[key] = (found[key] || 0) + Number(number);
  }
  return found;
}
