/* Light, dark, or as the system: read before the first paint (this file is loaded
   without defer), kept in localStorage under the admin's own key and in a cookie,
   so that a page without local storage is still served right. */
"use strict";
(() => {
  const MODES = ["auto", "light", "dark"];
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  }

  function apply(mode) {
    root.dataset.theme = MODES.includes(mode) ? mode : "auto";
  }

  function keep(mode) {
    apply(mode);
    try {
      localStorage.setItem("theme", mode);
    } catch {
      /* private mode: the cookie alone remembers */
    }
    document.cookie = `theme=${mode}; path=/; max-age=31536000; samesite=lax`;
  }

  function next() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const order = dark ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    return order[(order.indexOf(root.dataset.theme) + 1) % order.length];
  }

  apply(stored() || root.dataset.theme);
  document.addEventListener("click", (event) => {
    if (event.target.closest(".theme-switch, .theme-toggle")) keep(next());
  });
  addEventListener("storage", (event) => {
    if (event.key === "theme") apply(event.newValue);
  });
})();
