// The course of a replay as charts that can be read point by point and zoomed,
// and runs of it with the reader's settings: in the browser where the simulator
// can be loaded, by the server where not. Without this script the page shows the
// same charts as drawn by the server, and its form does the same.
"use strict";

(() => {
  const form = document.querySelector("form[data-replay]");
  const box = document.querySelector("[data-replay-charts]");
  const source = document.getElementById("replay-data");
  if (!form || !box || typeof precedentCourse === "undefined" || typeof uPlot === "undefined") return;
  const data = form.dataset, lang = document.documentElement.lang;
  const status = document.querySelector("[data-replay-status]");
  const results = document.querySelector("[data-replay-results]");
  const charts = precedentCourse(box, { lang: () => lang, when: () => data.when });
  const draw = (course) => {
    charts.draw(course);
    Object.assign(box.dataset, { by: "script", zero: course.zero, end: course.end });
  };

  // What is chosen. A variant sets some of the settings; what the reader has moved
  // stays as it is, and the others go to where the variant has them.
  const unlike = JSON.parse(data.unlike || "{}");
  const own = (variant, name) => ((unlike[variant] || {}).own || {})[name];
  const fields = form.elements;
  const variantOf = () => fields.variant ? fields.variant.value : "";
  const follow = () => {
    const before = fields.of.value, now = variantOf();
    if (before === now) return;
    for (const el of form.querySelectorAll("[data-set]")) {
      if (el.value === own(before, el.dataset.set)) el.value = own(now, el.dataset.set);
      el.dataset.own = own(now, el.dataset.set);
    }
    fields.of.value = now;
  };
  const question = () => {
    const set = [];
    for (const el of form.querySelectorAll("[data-set]")) if (el.value !== el.dataset.own) set.push(el.dataset.set + "=" + el.value);
    return { set, variant: variantOf() };
  };

  // Runs with other settings. The lines are drawn as far as they have come.
  let worker, state = "none", running = 0, asked, code;
  const say = (text) => { status.textContent = text || ""; };
  const told = document.querySelector("[data-replay-told]");
  const busy = (now) => {
    for (const el of [box, results]) el.setAttribute("aria-busy", now);
  };
  const showAnswer = (m) => {
    if (m.told !== undefined) told.textContent = m.told;
    if (m.course) draw(m.course);
    if (m.results !== undefined) results.innerHTML = m.results;
    if (m.answer !== undefined) results.innerHTML = m.answer;
    busy(false);
    box.dataset.runs = ++running;
  };
  const soFar = (course) => {
    draw(course);
    const words = [charts.span(charts.reached(course)), charts.span(course.end)];
    say(data.soFar.replace(/\{(\d)\}/g, (_, i) => words[i]));
    box.dataset.reached = charts.reached(course);
  };
  const start = () => {
    if (!data.wasm || !window.Worker || !window.WebAssembly) return;
    worker = new Worker(data.worker);
    state = "loading";
    worker.onmessage = ({ data: m }) => {
      if (m.ready) {
        state = "ready";
        code = m.code; // which another worker need not compile again
        form.dataset.ready = "wasm";
        if (asked) ask();
      } else if (m.broken) {
        state = "none";
        if (asked) form.submit();
      } else if (m.progress) {
        soFar(JSON.parse(m.progress));
      } else {
        asked = undefined;
        showAnswer(m.course ? { course: JSON.parse(m.course), results: m.results } : m);
        say(data.ran);
      }
    };
    worker.onerror = () => { state = "none"; };
    worker.postMessage({ exec: new URL(data.exec, location).href, wasm: new URL(data.wasm, location).href, code });
  };
  const ask = () => {
    say(data.running);
    worker.postMessage(asked);
  };
  // A run that is of no use any more ends with its worker.
  const abandon = () => {
    if (asked && state === "ready") {
      worker.terminate();
      start();
    }
    asked = undefined;
    busy(false);
  };
  let timer;
  const run = () => {
    follow();
    const q = question();
    history.replaceState(null, "", "?" + new URLSearchParams(new FormData(form)));
    wanted++; // what is being fetched is of no use any more either
    abandon();
    if (!q.set.length && (q.variant in recorded)) {
      load(q.variant);
      return;
    }
    if (state === "none") {
      form.submit();
      return;
    }
    delete box.dataset.reached;
    busy(true);
    told.textContent = (unlike[q.variant] || {}).told || "";
    asked = { system: document.getElementById("replay-file").textContent, kind: "replay", lang, ...q };
    if (state === "ready") ask();
    else say(data.loading);
  };
  form.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(run, 150);
  });
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    run();
  });

  // What has been run already.
  const recorded = {};
  for (const v of (data.recorded || "").split(" ")) recorded[v] = true;
  let wanted = 0;
  const load = async (variant) => {
    const mine = ++wanted;
    try {
      const answer = await fetch(form.action + "?part=course&variant=" + encodeURIComponent(variant));
      if (!answer.ok) throw new Error(answer.status);
      const m = await answer.json();
      if (mine !== wanted) return; // another was chosen meanwhile
      showAnswer(m);
      say("");
    } catch {
      form.submit();
    }
  };

  if (source) draw(JSON.parse(source.textContent));
  start();
  let resized;
  addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => charts.resize(), 100);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.redraw());
})();
