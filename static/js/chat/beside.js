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
  const LOOK_MS = 3000;

  let latest = document.getElementById("talk").dataset.run;
  let chosen = latest;
  let loaded = "";
  let due = 0;

  const isShown = () => wide.matches && root.dataset.trace !== "hidden";
  const live = () => document.getElementById("trace-live");

  /* Empty where the server is away, or asks for a log-in. */
  async function fetched(run, part) {
    const response = await fetch(`${side.dataset.runs}${run}/${part}`).catch(() => null);
    return response?.status === 200 && !response.redirected ? response.text() : "";
  }

  async function load(run) {
    chosen = run;
    if (!run || !isShown() || loaded === run) return;
    loaded = run;
    const html = await fetched(run, "beside/");
    if (loaded !== run) return;
    if (html) window.htmx.swap(body, html, { swapStyle: "innerHTML" });
    else loaded = "";
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
    if (followed) load(latest);
    if (loaded === latest) due ||= setTimeout(refresh, PAUSE_MS);
  };

  async function refresh() {
    due = 0;
    const run = loaded;
    const html = run && live() ? await fetched(run, "live/?beside=1") : "";
    if (!html || loaded !== run || !live()) return;
    const worked = live().dataset.open;
    window.htmx.swap(live(), html, { swapStyle: "outerHTML" });
    // What a chosen step came to is read once more.
    if (worked && !live().dataset.open) window.htmx.trigger(document.body, "run-ended");
  }

  setInterval(() => {
    if (live()?.dataset.open && document.visibilityState === "visible") refresh();
  }, LOOK_MS);
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
