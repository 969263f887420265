// What every page may do with a script, and does well enough without: luck for the seal, problems at
// their fields, a select that submits itself.

/** Return 32 random bytes as hex: the seat's own part of the turn's dice. */
export function makeNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fill in the nonce of a seal and take its field off the page. */
export function fillNonces(root) {
  for (const holder of root.querySelectorAll("[data-nonce]")) {
    const input = holder.querySelector("input");
    if (input && !input.value) {
      input.value = makeNonce();
    }
    holder.hidden = true;
  }
}

/** Mark the controls that the newest check refuses, and no others. */
export function markRefused(form) {
  const refused = new Set(Array.from(form.querySelectorAll("[data-place]"), (mark) => mark.dataset.place));
  for (const control of form.elements) {
    if (!control.name || !control.name.startsWith("/")) continue;
    const isRefused = Array.from(refused).some((place) => place === control.name || place.startsWith(control.name + "/"));
    if (isRefused) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
}

function watchChecks() {
  document.body.addEventListener("htmx:afterSettle", () => {
    const sheet = document.getElementById("sheet");
    if (sheet) markRefused(sheet);
  });
}

function letSelectsSubmit() {
  for (const form of document.querySelectorAll("form[data-slider]")) {
    const select = form.querySelector("select");
    const button = form.querySelector("button");
    if (!select || !button) continue;
    button.hidden = true;
    select.addEventListener("change", () => form.requestSubmit());
  }
}

/** Take the cross-site token of the page along with htmx's own requests. */
function sendToken() {
  document.body.addEventListener("htmx:configRequest", (event) => {
    const token = document.querySelector("input[name=csrfmiddlewaretoken]");
    if (token) event.detail.headers["X-CSRFToken"] = token.value;
  });
}

fillNonces(document);
watchChecks();
letSelectsSubmit();
sendToken();
