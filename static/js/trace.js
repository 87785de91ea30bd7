/* The run page: arrows walk the steps, the chosen step is marked, open folds and the
   focus survive a refresh. Everything also works as plain links. */
"use strict";
(() => {
  let settle = 0;
  let chosen = "";
  let open = new Set();
  let scrolled = 0;

  // Those of hidden steps are passed by.
  const links = () =>
    [...document.querySelectorAll(".line-link")].filter((link) => link.offsetParent);

  function mark(link) {
    for (const other of document.querySelectorAll(".line-link[aria-current]")) {
      other.removeAttribute("aria-current");
    }
    link.setAttribute("aria-current", "true");
    chosen = link.id;
  }

  function walk(from, step) {
    const all = links();
    const next = all[all.indexOf(from) + step];
    if (!next) return;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    clearTimeout(settle);
    settle = setTimeout(() => next.click(), 250);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".line-link");
    if (link) mark(link);
  });
  document.addEventListener("keydown", (event) => {
    const link = event.target.closest?.(".line-link");
    if (!link || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      walk(link, event.key === "ArrowDown" ? 1 : -1);
    }
  });
  document.addEventListener("htmx:beforeSwap", () => {
    open = new Set([...document.querySelectorAll("details[open][id]")].map((d) => d.id));
    scrolled = document.getElementById("trace-steps")?.scrollTop ?? 0;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const steps = document.getElementById("trace-steps");
    const detail = document.getElementById("trace-detail");
    if (!steps || !detail) return;
    steps.scrollTop = scrolled;
    // Beside a conversation the address does not say which step is shown.
    const current = document.getElementById(chosen);
    if (current) mark(current);
    // The tree beside a conversation gives the details some of its room.
    if (current && event.detail.target?.id === detail.id) {
      current.scrollIntoView({ block: "nearest" });
    }
    const trigger = event.detail.requestConfig?.triggeringEvent;
    if (trigger?.type === "run-ended") {
      for (const id of open) {
        const fold = document.getElementById(id);
        if (fold) fold.open = true;
      }
    } else if (trigger?.type === "click" && event.detail.target?.id === detail.id) {
      // Only where none of it is on the screen, as on a telephone.
      if (detail.getBoundingClientRect().top > innerHeight - 120) detail.scrollIntoView();
    }
  });
})();
