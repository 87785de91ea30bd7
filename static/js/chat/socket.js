/* The connection: frames in, nothing but pings out. Lost ones are taken up again
   after the last number seen, quietly; meanwhile the page asks over HTTP. */
"use strict";
(() => {
  const chat = (window.chat ??= {});
  const talk = document.getElementById("talk");
  if (!talk || "past" in talk.dataset) return;

  const texts = document.getElementById("chat-texts").dataset;
  const banner = document.getElementById("connection");
  const QUIET_MS = 5000;
  const SILENT_MS = 40_000;
  const PONG_MS = 3000;
  const ASK_MS = 3000;

  let number = Number(talk.dataset.number);
  let socket = null;
  let tries = 0;
  let timer = 0;
  let heardAt = Date.now();
  let lostAt = Date.now();
  let over = false;
  let asking = false;

  const isOpen = () => socket?.readyState === WebSocket.OPEN;

  function say(text) {
    banner.textContent = text;
    banner.hidden = !text;
  }

  function end() {
    over = true;
    clearTimeout(timer);
    socket?.close();
    say(texts.refused);
  }

  function receive(frame) {
    if (frame.delta) chat.change(() => chat.piece(frame.delta));
    if (frame.leaves) {
      chat.change(() => frame.leaves.map(chat.put).some(Boolean));
    }
    if (frame.bar) {
      for (const [id, html] of Object.entries(frame.bar)) chat.bar(id, html);
      chat.standing(frame);
    }
    if ("number" in frame) number = Math.max(number, frame.number);
  }

  function receiveAll(frames) {
    // An answer over HTTP may be older than what the socket has brought since.
    const last = frames.at(-1);
    if (last && last.number >= number) frames.forEach(receive);
    return Boolean(last?.more);
  }

  /* Ask over HTTP what there is after our number. */
  chat.ask = async () => {
    if (asking || over) return;
    asking = true;
    try {
      const response = await fetch(`${talk.dataset.changes}?after=${number}`, {
        headers: { Accept: "application/json" },
      });
      if (response.status === 401 || response.status === 404) end();
      else if (response.ok) {
        const again = receiveAll((await response.json()).frames);
        if (again) setTimeout(chat.ask, 0);
      }
    } catch {
      /* offline: the next try tells */
    } finally {
      asking = false;
    }
  };

  chat.changed = () => {
    if (!isOpen()) chat.ask();
  };

  function connect() {
    clearTimeout(timer);
    if (over || (socket && socket.readyState < WebSocket.CLOSING)) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const query = `after=${number}&language=${document.documentElement.lang}`;
    const mine = new WebSocket(
      `${scheme}//${location.host}${talk.dataset.socket}?${query}`,
    );
    socket = mine;
    let opened = false;
    mine.onopen = () => {
      opened = true;
      tries = 0;
      heardAt = Date.now();
      say("");
    };
    mine.onmessage = (event) => {
      heardAt = Date.now();
      if (mine === socket) receive(JSON.parse(event.data));
    };
    mine.onclose = (event) => {
      if (mine !== socket) return;
      if (opened) lostAt = Date.now();
      if (event.code === 4404) end();
      else later();
      if (!opened) chat.ask();
    };
  }

  function later() {
    if (over) return;
    const wait = Math.min(30, 2 ** tries) * 1000;
    tries += 1;
    clearTimeout(timer);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  }

  function now() {
    if (over || document.visibilityState === "hidden") return;
    tries = 0;
    if (!isOpen()) {
      connect();
      return;
    }
    const asked = Date.now();
    socket.send(JSON.stringify({ ping: asked % 1_000_000_000 }));
    setTimeout(() => {
      if (heardAt < asked) drop();
    }, PONG_MS);
  }

  /* After sleep a socket may say open and be dead. */
  function drop() {
    const dead = socket;
    socket = null;
    lostAt = Date.now();
    dead?.close();
    connect();
  }

  setInterval(() => {
    if (over) return;
    if (isOpen()) {
      if (Date.now() - heardAt > SILENT_MS) drop();
      return;
    }
    if (Date.now() - lostAt > QUIET_MS) say(texts.lost);
  }, 1000);
  setInterval(() => {
    const lost = !isOpen() && Date.now() - lostAt > QUIET_MS;
    if (lost && document.visibilityState === "visible") chat.ask();
  }, ASK_MS);

  addEventListener("online", now);
  addEventListener("focus", now);
  document.addEventListener("visibilitychange", now);
  addEventListener("pagehide", () => {
    const left = socket;
    socket = null;
    left?.close();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) connect();
  });
  connect();
})();
