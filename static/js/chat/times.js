/* Times as the reader's clock has them, and how long something has been going on. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const lang = document.documentElement.lang || "en";
  const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const MOMENT = { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" };

  function since(start) {
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(start)) / 1000));
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }

  function tick(root) {
    for (const span of root.querySelectorAll("[data-since]")) {
      const text = since(span.dataset.since);
      if (span.textContent !== text) span.textContent = text;
    }
  }

  /* Everything that is put into the page passes here once. */
  chat.dress = (root) => {
    for (const time of root.querySelectorAll("time[data-clock], time[data-moment]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      const shape = "clock" in time.dataset ? CLOCK : MOMENT;
      time.textContent = moment.toLocaleString(lang, shape);
      time.title = moment.toLocaleString(lang);
    }
    tick(root);
  };

  setInterval(() => tick(document), 1000);
})();
