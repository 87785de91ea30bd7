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

  /* As figures.left has it on the server. */
  function left(until) {
    const unit = (n, unit) =>
      new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(n);
    const minutes = Math.max(0, Math.round((Date.parse(until) - Date.now()) / 60_000));
    if (minutes < 60) return unit(minutes, "minute");
    const hours = Math.round(minutes / 60);
    return hours < 48 ? unit(hours, "hour") : unit(Math.round(hours / 24), "day");
  }

  function show(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function tick(root) {
    for (const span of root.querySelectorAll("[data-since]")) {
      show(span, since(span.dataset.since));
    }
    for (const time of root.querySelectorAll("time[data-until]")) {
      show(time, left(time.dateTime));
    }
  }

  /* Everything that is put into the page passes here once. */
  chat.dress = (root) => {
    for (const time of root.querySelectorAll("time[data-clock], time[data-until]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      if ("clock" in time.dataset) time.textContent = moment.toLocaleString(lang, CLOCK);
      time.title = moment.toLocaleString(lang, MOMENT);
    }
    tick(root);
    chat.dressCode(root);
  };

  setInterval(() => tick(document), 1000);
})();
