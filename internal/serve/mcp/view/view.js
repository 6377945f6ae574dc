// The page of a replay inside an MCP client. It speaks the protocol of MCP Apps
// with the window that holds it, and draws the answers of replay_incident.
"use strict";

(() => {
  const words = {
    en: {
      when: "time", base: "what happened", waiting: "Waiting for the replay.",
      held: (n, all) => n + " of " + all + " observations come out.",
      running: "The simulation is still computing.", cancelled: "The call was cancelled.",
      gone: "The simulation takes longer than this page waits for. Ask for it again.",
      words: "There is no chart of this answer. In words:", hint: "Drag across a chart to see a part of it; a double click shows all of it.",
    },
    ko: {
      when: "시각", base: "실제 경과", waiting: "재현을 기다리는 중.",
      held: (n, all) => "관측 " + all + "개 가운데 " + n + "개가 그대로 나온다.",
      running: "시뮬레이션이 아직 계산하고 있다.", cancelled: "호출이 취소됐다.",
      gone: "시뮬레이션이 이 페이지가 기다리는 시간보다 오래 걸린다. 다시 요청한다.",
      words: "이 답에는 차트가 없다. 글로 적으면 다음과 같다.", hint: "차트 위를 가로로 끌면 그 부분만 보이고, 두 번 누르면 전체가 보인다.",
    },
  };
  const at = (id) => document.getElementById(id);
  const put = (id, text) => { at(id).textContent = text || ""; };

  // What the client says of itself and of the call.
  let context = {}, abilities = {}, input = {}, answer, state = "waiting";
  const lang = () => {
    const wanted = context.locale || input.lang || navigator.language || "en";
    return wanted.toLowerCase().startsWith("ko") ? "ko" : "en";
  };
  const word = (name, ...args) => {
    const w = words[lang()][name];
    return typeof w === "function" ? w(...args) : w;
  };
  const charts = precedentCourse(at("charts"), { lang, when: () => word("when") });

  // Messages, as JSON-RPC.
  let last = 0;
  const open = new Map();
  const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params = {}) => post({ method, params });
  const ask = (method, params) => new Promise((resolve, reject) => {
    const id = ++last;
    open.set(id, { resolve, reject });
    post({ id, method, params });
  });

  // What is shown.
  const side = (text) => text && (text[lang()] || text.en || text.ko);
  const textOf = (result) => (result.content || []).filter((c) => c.type === "text").map((c) => c.text).join("\n");
  const show = () => {
    document.documentElement.lang = lang();
    const found = (answer && answer.structuredContent) || {};
    const course = found.course || ((answer && answer._meta) || {})["precedent/course"];
    put("over", [found.id || input.id, found.variant || input.variant || (course ? word("base") : ""), (input.set || []).join(", ")].filter(Boolean).join(" · "));
    put("title", side((course && course.title) || found.title));
    put("held", found.observed && found.observed.length ? word("held", found.holds, found.observed.length) : "");
    put("hint", course ? word("hint") : "");
    at("hint").hidden = !course;
    const plain = answer && !course && state !== "running";
    put("words", plain ? textOf(answer) : "");
    at("words").hidden = !plain;
    put("status", plain ? word("words") : state && word(state));
    if (course) charts.draw(course);
  };
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  // A simulation that was not done in time is asked for, where the client lets
  // pages call tools.
  let polled = 0;
  const take = async (result) => {
    const mine = ++polled;
    const underWay = (r) => ["waiting", "running"].includes(r.structuredContent && r.structuredContent.state);
    answer = result;
    state = "";
    for (let tries = 0; underWay(answer); tries++) {
      if (!abilities.serverTools) break; // its text says what to do
      state = tries < 20 ? "running" : "gone";
      show();
      if (state === "gone") return;
      await pause(1000);
      try {
        const next = await ask("tools/call", { name: "get_run", arguments: { run: answer.structuredContent.run, lang: lang() } });
        if (mine !== polled) return;
        answer = next;
      } catch {
        break;
      }
    }
    state = "";
    show();
  };
  const adapt = (changed) => {
    context = { ...context, ...changed };
    const root = document.documentElement;
    if (context.theme) {
      root.dataset.theme = context.theme;
      root.style.colorScheme = context.theme;
    }
    const given = (context.styles && context.styles.variables) || {};
    for (const [name, value] of Object.entries(given)) {
      if (value && name.startsWith("--")) root.style.setProperty(name, value);
    }
    const inset = context.safeAreaInsets;
    if (inset) document.body.style.padding = [inset.top, inset.right, inset.bottom, inset.left].map((n) => n + "px").join(" ");
    show();
    charts.redraw();
  };

  const told = {
    "ui/notifications/tool-input": (p) => {
      input = p.arguments || {};
      show();
    },
    "ui/notifications/tool-result": take,
    "ui/notifications/tool-cancelled": (p) => {
      state = "cancelled";
      show();
      if (p && p.reason) put("status", word("cancelled") + " " + p.reason);
    },
    "ui/notifications/host-context-changed": adapt,
  };
  addEventListener("message", (e) => {
    const m = e.data;
    if (e.source !== window.parent || !m || m.jsonrpc !== "2.0") return;
    if (m.method === undefined) {
      const waits = open.get(m.id);
      open.delete(m.id);
      if (waits && m.error) waits.reject(new Error(m.error.message));
      else if (waits) waits.resolve(m.result);
      return;
    }
    if (m.id !== undefined) { // asked by the client
      if (m.method === "ping" || m.method === "ui/resource-teardown") post({ id: m.id, result: {} });
      else post({ id: m.id, error: { code: -32601, message: "method not found" } });
      return;
    }
    if (told[m.method]) told[m.method](m.params || {});
  });

  // The size that the page needs.
  let size = "", timer;
  const measure = () => {
    const width = document.documentElement.clientWidth, height = Math.ceil(document.body.getBoundingClientRect().height);
    if (size === width + "x" + height) return;
    size = width + "x" + height;
    notify("ui/notifications/size-changed", { width, height });
  };
  const start = async () => {
    show();
    const host = await ask("ui/initialize", {
      protocolVersion: "2026-01-26", appInfo: { name: "precedent-replay", version: document.documentElement.dataset.version },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    abilities = host.hostCapabilities || {};
    adapt(host.hostContext || {});
    notify("ui/notifications/initialized");
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        charts.resize();
        measure();
      }, 60);
    }).observe(document.body);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.redraw());
  start();
})();
