/* Puts pushed leaves into the transcript by their ids, in the order of their numbers.

   A container is put in once and keeps its own: what stands in it comes as leaves.
   Nothing is taken from under the reader: an open fold stays open, a form that is
   being filled in stays, and the focus is handed on when its place is gone. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const NEAR = 100;
  const scroll = document.getElementById("scroll");
  const newer = document.getElementById("newer");
  const LAST = Number.MAX_SAFE_INTEGER;

  const order = (element) => Number(element.dataset.order ?? LAST);

  function parsed(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.firstElementChild;
  }

  function nearEnd() {
    return scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
  }

  chat.toEnd = () => {
    scroll.scrollTop = scroll.scrollHeight;
    newer.hidden = true;
  };

  /* Follow what is written only where the reader is at the end already. */
  chat.change = (work) => {
    const following = nearEnd();
    const added = work();
    if (following) chat.toEnd();
    else if (added) newer.hidden = false;
  };

  function insert(parent, element) {
    let after = parent.lastElementChild;
    while (after && order(after) > order(element)) after = after.previousElementSibling;
    if (after) after.after(element);
    else parent.prepend(element);
  }

  function inOrder(element) {
    const before = element.previousElementSibling;
    const after = element.nextElementSibling;
    return (
      (!before || order(before) <= order(element)) &&
      (!after || order(after) >= order(element))
    );
  }

  function copyAttributes(from, to) {
    for (const { name } of [...to.attributes]) {
      if (name !== "open" && !from.hasAttribute(name)) to.removeAttribute(name);
    }
    for (const { name, value } of from.attributes) {
      if (name !== "open") to.setAttribute(name, value);
    }
  }

  /* Only the parts of a fold are exchanged, so that it stays as open as it was. */
  function patch(old, fresh) {
    copyAttributes(fresh, old);
    for (const part of fresh.querySelectorAll("[data-part]")) {
      old.querySelector(`[data-part="${part.dataset.part}"]`).replaceChildren(
        ...part.childNodes,
      );
    }
  }

  chat.fold = (task, folded) => {
    task.toggleAttribute("data-folded", folded);
    task
      .querySelector(":scope > .task-toggle")
      .setAttribute("aria-expanded", String(!folded));
  };

  function foldAsSaid(head) {
    const task = head.closest(".task");
    const folded = head.dataset.unfolded !== "1";
    if (!task || "touched" in task.dataset) return;
    const body = task.querySelector(":scope > .task-body");
    const selection = document.getSelection();
    const active = document.activeElement;
    // A decision stays in sight when its part is folded.
    const reading =
      (body.contains(active) && !active.closest(".card, .settled")) ||
      (!selection.isCollapsed && selection.containsNode(body, true));
    if (!(folded && reading)) chat.fold(task, folded);
  }

  function handOnFocus(fresh) {
    if (fresh.tabIndex >= 0 || fresh.hasAttribute("tabindex")) {
      fresh.focus({ preventScroll: true });
    } else {
      document.getElementById("scroll").focus({ preventScroll: true });
    }
  }

  function replace(old, fresh) {
    if (old.matches(".card") && fresh.matches(".card")) return old;
    if (old.matches(".message") && chat.keepDraft(old, fresh)) return old;
    if (old.matches("details")) {
      patch(old, fresh);
      return old;
    }
    if (old.matches(".task-head")) {
      copyAttributes(fresh, old);
      old.replaceChildren(...fresh.childNodes);
      foldAsSaid(old);
      return old;
    }
    const focused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (focused) handOnFocus(fresh);
    return fresh;
  }

  function place(leaf, html) {
    const old = document.getElementById(leaf.id);
    if (!html) {
      old?.remove();
      chat.dropDraft(leaf.id);
      return false;
    }
    if (old && leaf.frame) return false;
    const fresh = parsed(html);
    const parent = document.getElementById(leaf.parent);
    let element = fresh;
    if (old) element = replace(old, fresh);
    else if (parent) insert(parent, fresh);
    else return false;
    if (element.dataset.order && !inOrder(element)) insert(element.parentElement, element);
    chat.dress(element);
    window.htmx?.process(element);
    return !old;
  }

  /* A leaf too large for a push is fetched; the last one asked for wins. */
  const asked = new Map();

  async function fetched(leaf) {
    const token = Symbol(leaf.id);
    asked.set(leaf.id, token);
    const response = await fetch(leaf.href).catch(() => null);
    if (!response?.ok || asked.get(leaf.id) !== token) return;
    const html = await response.text();
    if (asked.get(leaf.id) === token) chat.change(() => place(leaf, html));
  }

  chat.put = (leaf) => {
    asked.delete(leaf.id);
    if (leaf.href) {
      fetched(leaf);
      return false;
    }
    return place(leaf, leaf.html);
  };

  /* What stands beside the transcript; told again only when it has changed. */
  chat.bar = (id, html) => {
    const element = document.getElementById(id);
    const text = html.trim();
    if (!element || (element.pushed ?? element.innerHTML.trim()) === text) return;
    const focused = element.contains(document.activeElement);
    element.innerHTML = text;
    element.pushed = text;
    window.htmx?.process(element);
    // Not where that would bring up a keyboard on the screen.
    if (focused && matchMedia("(pointer: fine)").matches) {
      document.getElementById("message")?.focus({ preventScroll: true });
    }
  };

  document.addEventListener("click", (event) => {
    const toggle = event.target.closest?.(".task-toggle");
    if (!toggle) return;
    const task = toggle.parentElement;
    task.dataset.touched = "";
    chat.fold(task, !task.hasAttribute("data-folded"));
  });

  newer?.addEventListener("click", chat.toEnd);
  scroll?.addEventListener("scroll", () => {
    if (nearEnd()) newer.hidden = true;
  });
})();
