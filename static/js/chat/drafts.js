/* Replies while they are written: plain text, put together from numbered pieces.

   Offsets count characters as the server does, which are code points. A piece that
   begins beyond the text waits for what is missing; a higher attempt, or a piece at
   the very beginning, starts the text again. What comes from the row of the message
   is known to be right, and replaces what it contradicts. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const drafts = new Map();
  const gone = new Set();

  const textOf = (element) => element.querySelector(".message-text");

  /* Added to what stands there, so that a selection in it survives. */
  function write(element, text) {
    const node = textOf(element).firstChild;
    if (node && text.startsWith(node.data)) node.appendData(text.slice(node.length));
    else textOf(element).textContent = text;
  }

  function begin(id) {
    const element = document.getElementById(`message-${id}`);
    if (element && element.dataset.state !== "partial") return null;
    const text = element ? textOf(element).textContent : "";
    const draft = {
      element,
      text,
      length: [...text].length,
      attempt: Number(element?.dataset.attempt ?? 0),
      waiting: [],
    };
    // Of a very long text the page has the head only: nothing can be added to that.
    draft.cut = draft.length < Number(element?.dataset.length ?? 0);
    drafts.set(id, draft);
    return draft;
  }

  function show(id, draft, piece) {
    if (!draft.element?.isConnected) {
      draft.element = document.getElementById(`message-${id}`) ?? made(id, piece);
      if (!draft.element) return false;
    }
    if (draft.element.dataset.state !== "partial") return false;
    write(draft.element, draft.text);
    return true;
  }

  function made(id, piece) {
    const parent = document.getElementById(piece.parent);
    if (!parent) return null;
    const copy = document.getElementById("draft-template").content.cloneNode(true);
    const element = copy.firstElementChild;
    element.id = `message-${id}`;
    element.setAttribute("aria-label", piece.agent);
    element.classList.toggle("message-lead", piece.leads);
    element.querySelector(".message-author").textContent = piece.agent;
    const mark = element.querySelector(".agent-mark");
    mark.textContent = piece.mark;
    mark.classList.add(piece.tint);
    parent.append(element);
    return element;
  }

  function reset(draft, attempt) {
    Object.assign(draft, { attempt, text: "", length: 0 });
    draft.waiting = draft.waiting.filter((piece) => piece.attempt >= attempt);
  }

  function add(draft, piece) {
    const characters = [...piece.text];
    if (piece.offset > draft.length) {
      draft.waiting.push(piece);
      return;
    }
    const fresh = characters.slice(draft.length - piece.offset);
    draft.text += fresh.join("");
    draft.length += fresh.length;
  }

  function takeWaiting(draft) {
    const waiting = draft.waiting.sort((a, b) => a.offset - b.offset);
    draft.waiting = [];
    for (const piece of waiting) add(draft, piece);
  }

  function startsAgain(draft, piece) {
    if (piece.attempt > draft.attempt) return true;
    if (piece.offset !== 0) return false;
    return piece.row ? !draft.text.startsWith(piece.text) : true;
  }

  chat.piece = (piece) => {
    const id = piece.message;
    if (gone.has(id)) return false;
    const draft = drafts.get(id) ?? begin(id);
    if (!draft || draft.cut) return false;
    const known = Boolean(draft.element);
    if (startsAgain(draft, piece)) reset(draft, piece.attempt);
    else if (piece.attempt < draft.attempt) return false;
    add(draft, piece);
    takeWaiting(draft);
    return draft.text !== "" && show(id, draft, piece) && !known;
  };

  /* The row of a reply that is still written: keep the text, which is ahead of it. */
  chat.keepDraft = (old, fresh) => {
    if (old.dataset.state !== "partial" || fresh.dataset.state !== "partial") {
      if (fresh.dataset.state !== "partial") drafts.delete(old.id.slice(8));
      return false;
    }
    const id = old.id.slice(8);
    const draft = drafts.get(id) ?? begin(id);
    const text = textOf(fresh).textContent;
    old.dataset.order = fresh.dataset.order;
    old.setAttribute("class", fresh.getAttribute("class"));
    old.setAttribute("aria-label", fresh.getAttribute("aria-label"));
    old.querySelector(".message-head").replaceWith(fresh.querySelector(".message-head"));
    if (Number(fresh.dataset.attempt) >= draft.attempt && !draft.text.startsWith(text)) {
      reset(draft, Number(fresh.dataset.attempt));
      add(draft, { offset: 0, text });
      takeWaiting(draft);
      write(old, draft.text);
    }
    return true;
  };

  chat.dropDraft = (elementId) => {
    if (!elementId.startsWith("message-")) return;
    drafts.delete(elementId.slice(8));
    gone.add(elementId.slice(8));
  };
})();
