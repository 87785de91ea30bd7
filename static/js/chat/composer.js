/* The composer: Enter sends, drafts are kept, refusals stand beside it. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const texts = document.getElementById("chat-texts").dataset;
  const composer = document.getElementById("composer");
  const field = document.getElementById("message");

  function stored(key, value) {
    try {
      if (value === undefined) return localStorage.getItem(key) ?? "";
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch {
      /* private mode: drafts live as long as the page */
    }
    return "";
  }

  const key = field ? `draft:${field.dataset.draft}` : "";

  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }

  function clear() {
    field.value = "";
    stored(key, "");
    composer.elements.client_id.value = crypto.randomUUID?.() ?? `${Date.now()}`;
    grow();
  }

  function stopWorking() {
    const stop = document.getElementById("stop");
    if (stop && !stop.disabled) stop.click();
  }

  if (field) {
    if (!field.value) field.value = stored(key);
    grow();
    field.addEventListener("input", () => {
      stored(key, field.value);
      grow();
    });
    field.addEventListener("keydown", (event) => {
      // 229: the key belongs to an input method that is composing.
      if (event.isComposing || event.keyCode === 229) return;
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        composer.requestSubmit();
      } else if (event.key === "Escape" && !field.value.trim()) {
        stopWorking();
      }
    });
  }

  /* An earlier request to be written anew; what stands in the composer is kept. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-edit]");
    const said = link?.closest(".turn").querySelector(".message-person");
    // Of a very long text the page has the head only: the link brings all of it.
    if (!field || !said || said.querySelector(".show-all") || chat.elsewhere(event)) return;
    event.preventDefault();
    const text = said.querySelector(".message-text").textContent;
    if (!field.value.includes(text)) {
      field.value = [field.value.trim(), text].filter(Boolean).join("\n\n");
    }
    field.dispatchEvent(new Event("input"));
    field.focus();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (xhr.status < 400) return;
    // A refusal is an answer: it stands beside the form that asked.
    event.detail.shouldSwap = target.matches("[role=alert]");
    event.detail.isError = false;
    if (xhr.status >= 500) event.detail.serverResponse = texts.failed;
  });

  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      const { target } = event.detail;
      if (target?.matches("[role=alert]")) target.textContent = texts.failed;
    });
  }

  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, elt } = event.detail;
    if (elt === composer && xhr && xhr.status >= 200 && xhr.status < 400) {
      clear();
      if (chat.toEnd && document.getElementById("scroll")) chat.toEnd();
    }
    // Decided elsewhere, or no longer possible: show how things stand.
    if (xhr?.status === 409) chat.changed?.();
  });
  document.addEventListener("chat-changed", () => chat.changed?.());
})();
