// The live feed: no row twice, words for the state of the line, and polling where the stream will not open.

const POLL = 20_000; // milliseconds

function newest(list) {
  let last = 0;
  for (const row of list.children) last = Math.max(last, Number(row.dataset.number || 0));
  return last;
}

/** Put rows that are not there yet at the top of the list, the newest first. */
export function addRows(list, html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const row of Array.from(holder.content.querySelectorAll("li")).reverse()) {
    if (!document.getElementById(row.id)) list.prepend(row);
  }
  const empty = document.getElementById("feed-empty");
  if (empty && list.children.length) empty.hidden = true;
}

function start() {
  const list = document.getElementById("feed");
  const state = document.getElementById("live-state");
  const holder = list && list.closest("[data-feed]");
  if (!holder) return;
  let timer = 0;

  const poll = async () => {
    const answer = await fetch(`${holder.dataset.feed}?after=${newest(list)}`, { credentials: "same-origin" });
    if (answer.ok && !answer.redirected) addRows(list, await answer.text());
  };
  holder.addEventListener("htmx:sseOpen", () => {
    state.textContent = "newest first, live";
    window.clearInterval(timer);
    timer = 0;
  });
  holder.addEventListener("htmx:sseError", () => {
    state.textContent = "newest first, asked for now and then";
    if (timer) return;
    timer = window.setInterval(() => poll().catch(() => {}), POLL);
    poll().catch(() => {});
  });
  // The extension opens the stream anew after an error, and the address it knows is the old one.
  holder.addEventListener("htmx:sseBeforeMessage", (event) => {
    if (event.detail.type !== "feed") return;
    event.preventDefault();
    addRows(list, event.detail.data);
  });
}

start();
