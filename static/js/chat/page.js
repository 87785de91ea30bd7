/* The page around the transcript: title, list of conversations, first look. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const texts = document.getElementById("chat-texts").dataset;
  const talk = document.getElementById("talk");
  const list = document.getElementById("side-list");
  const root = document.getElementById("content");
  const toggle = document.querySelector(".side-toggle");
  const LIST_MS = 30_000;
  const words = document.title.split(" · ");

  /* A click that asks for another tab or window. */
  chat.elsewhere = (event) =>
    event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

  function showTitle(waits) {
    document.title = [...(waits ? [`● ${texts.waiting}`] : []), ...words].join(" · ");
  }

  function rename(title) {
    if (!title) return;
    words[0] = title;
    document.getElementById("talk-title").textContent = title;
  }

  let shown = "";
  chat.standing = (frame) => {
    rename(frame.title);
    showTitle(frame.waits);
    chat.moved?.(frame.run);
    const told = `${frame.state} ${frame.title}`;
    if (told !== shown) refreshList();
    shown = told;
  };

  /* Fetched again when something changed here, and now and then while one looks. */
  let due = 0;
  function refreshList() {
    if (due || document.getElementById("items")?.contains(document.activeElement)) return;
    due = setTimeout(async () => {
      due = 0;
      const items = document.getElementById("items");
      if (!items?.matches("ul") || items.children.length > 45) return;
      const { items: address, current } = list.dataset;
      const response = await fetch(`${address}?current=${current}`).catch(() => null);
      // Who has logged out meanwhile is led to another page: that is no list.
      if (!response?.ok || response.redirected) return;
      if (items.contains(document.activeElement)) return;
      items.innerHTML = await response.text();
      window.htmx?.process(items);
      const waiting = document.getElementById("waiting-now");
      document.getElementById("inbox-count")?.replaceChildren(waiting.content);
    }, 400);
  }
  setInterval(() => {
    if (document.visibilityState === "visible") refreshList();
  }, LIST_MS);

  /* The list at the start side: shown on wide screens unless it was put away. */
  function sideShown() {
    const chosen = root.dataset.side;
    if (chosen) return chosen === "shown";
    return matchMedia("(min-width: 700px)").matches;
  }
  /* In a cookie: the next page is laid out with it from the start. */
  chat.keep = (name, value) => {
    document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
  };
  if (toggle) {
    const wide = matchMedia("(min-width: 700px)");
    toggle.setAttribute("aria-expanded", String(sideShown()));
    toggle.addEventListener("click", () => {
      root.dataset.side = sideShown() ? "hidden" : "shown";
      toggle.setAttribute("aria-expanded", String(sideShown()));
      if (wide.matches) chat.keep("side", root.dataset.side);
    });
  }

  function firstLook() {
    const asked = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const card = asked || document.querySelector(".card");
    chat.toEnd();
    if (!card) return;
    // Of a card that is taller than the view one reads what it asks first.
    const tall = card.offsetHeight > document.getElementById("scroll").clientHeight;
    card.scrollIntoView({ block: tall ? "start" : "nearest" });
  }

  chat.dress(document);
  if (talk) {
    showTitle(talk.dataset.waits);
    if (!("past" in talk.dataset)) firstLook();
  }
})();
