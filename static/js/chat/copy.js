/* Copying a message, or a piece of code in one. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const SAID_MS = 2000;

  /* Every piece of code gets a button of its own. */
  chat.dressCode = (root) => {
    const template = document.getElementById("copy-template");
    for (const code of template ? root.querySelectorAll(".message-text pre.code") : []) {
      if (code.parentElement.matches(".code-block")) continue;
      const block = document.createElement("div");
      block.className = "code-block";
      code.replaceWith(block);
      block.append(code, template.content.cloneNode(true));
    }
  };

  function source(button) {
    const block = button.closest(".code-block");
    return block
      ? block.querySelector("pre")
      : button.closest(".message").querySelector(".message-text");
  }

  function say(button) {
    const name = button.querySelector(".visually-hidden");
    const before = name.textContent;
    name.textContent = document.getElementById("chat-texts").dataset.copied;
    button.classList.add("is-copied");
    setTimeout(() => {
      name.textContent = before;
      button.classList.remove("is-copied");
    }, SAID_MS);
  }

  // Only where the browser lets a page copy: over HTTPS, and on this machine.
  if (!navigator.clipboard) return;
  document.documentElement.dataset.copies = "";
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.(".copy:not(.is-copied)");
    if (!button) return;
    await navigator.clipboard.writeText(source(button).innerText.trim());
    say(button);
  });
})();
