/* The trace beside the conversation, on wide screens: fetched when it is shown, and
   again as the run goes on. On others a link leads to the page of the run. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const root = document.getElementById("content");
  const side = document.getElementById("trace-side");
  const body = document.getElementById("trace-body");
  const toggle = document.getElementById("trace-toggle");
  const wide = matchMedia("(min-width: 1100px)");
  const PAUSE_MS = 700;

  let latest = document.getElementById("talk").dataset.run;
  let chosen = latest;
  let loaded = "";
  let due = 0;

  const isShown = () => wide.matches && root.dataset.trace !== "hidden";
  const address = (run, part) => `${side.dataset.runs}${run}/${part}`;

  function ask(path, target, swap) {
    // The panel's own request: what else is asked for on the page goes on.
    window.htmx?.ajax("GET", path, { source: side, target, swap });
  }

  function load(run) {
    chosen = run;
    if (!run || !isShown() || loaded === run) return;
    loaded = run;
    ask(address(run, "beside/"), body, "innerHTML");
  }

  function empty() {
    loaded = "";
    body.replaceChildren();
  }

  function settle() {
    toggle.setAttribute("aria-expanded", String(isShown()));
    if (isShown()) load(chosen);
    else empty();
  }

  function show(shown) {
    root.dataset.trace = shown ? "shown" : "hidden";
    chat.keep("trace", root.dataset.trace);
    settle();
  }

  /* Something has happened in the conversation; ``run`` is its last one. */
  chat.moved = (run) => {
    const followed = chosen === latest;
    latest = run;
    if (followed && chosen !== latest) load(latest);
    else if (loaded === latest && !due) due = setTimeout(refresh, PAUSE_MS);
  };

  function refresh() {
    due = 0;
    if (loaded !== latest) return;
    const live = document.getElementById("trace-live");
    if (live) ask(`${address(latest, "live/")}?beside=1`, live, "outerHTML");
    // The server was away when it was to be shown.
    else {
      loaded = "";
      load(latest);
    }
  }

  toggle.addEventListener("click", () => show(!isShown()));
  wide.addEventListener("change", settle);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".run-trace");
    if (!link || !wide.matches || chat.elsewhere(event)) return;
    event.preventDefault();
    chosen = link.closest("[id^=run-]").id.slice(4);
    show(true);
    side.focus({ preventScroll: true });
  });
  settle();
})();
