// The course of a replay as charts that can be read point by point and zoomed,
// and runs of it with the reader's settings: in the browser where the simulator
// can be loaded, by the server where not. Without this script the page shows the
// same charts as drawn by the server, and its form does the same.
"use strict";

(() => {
  const form = document.querySelector("form[data-replay]");
  const box = document.querySelector("[data-replay-charts]");
  const source = document.getElementById("replay-data");
  if (!form || !box || typeof uPlot === "undefined") return;
  const data = form.dataset, lang = document.documentElement.lang;
  const status = document.querySelector("[data-replay-status]");
  const results = document.querySelector("[data-replay-results]");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // How values and times are written.
  const digits = new Intl.NumberFormat(lang, { maximumSignificantDigits: 3 });
  const unit = {
    share: (x) => digits.format(100 * x) + " %",
    rate: (x) => digits.format(x) + "/s",
    time: (x) => x >= 1 || x === 0 ? digits.format(x) + " s" : digits.format(1000 * x) + " ms",
    count: (x) => digits.format(x),
  };
  const span = (seconds) => {
    const sign = seconds < 0 ? "−" : "+", s = Math.abs(Math.round(seconds));
    const h = Math.floor(s / 3600), m = Math.floor(s % 3600 / 60), r = s % 60;
    return "T" + sign + (h ? h + "h" : "") + (m || !h && !r ? m + "m" : "") + (r && !h ? r + "s" : "");
  };
  const stamp = (course, seconds) => {
    if (!course.clock) return span(seconds);
    const at = new Date(Date.parse(course.clock) + 1000 * seconds + offset(course.clock));
    return at.toISOString().slice(11, 16) + " (" + span(seconds) + ")";
  };
  // The published clock is shown, whatever the reader's own is.
  const offset = (clock) => {
    const m = /([+-])(\d\d):(\d\d)$/.exec(clock);
    return m ? (m[1] === "-" ? -1 : 1) * 60000 * (60 * m[2] + +m[3]) : 0;
  };

  // Charts.
  let plots = [], shown;
  const names = ["--ink", "--fail", "--heal", "--recover"];
  const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3]];
  const under = (course) => (u) => {
    const { ctx, bbox } = u, right = bbox.left + bbox.width;
    ctx.save();
    ctx.fillStyle = style("--hit");
    for (const m of course.marks) {
      const from = Math.max(u.valToPos(m.at, "x", true), bbox.left);
      const to = m.until ? Math.min(u.valToPos(m.until, "x", true), right) : from + 2;
      if (to > bbox.left && from < right) ctx.fillRect(from, bbox.top, Math.max(to - from, 2), bbox.height);
    }
    ctx.strokeStyle = style("--line");
    ctx.setLineDash([2, 4]);
    for (const p of course.phases) {
      const x = Math.round(u.valToPos(p.at, "x", true)) + .5;
      if (x <= bbox.left || x >= right) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
  // Seconds between two marks of the axis of time, as clocks are divided.
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  const ceiling = (x) => {
    const e = Math.pow(10, Math.floor(Math.log10(x)));
    return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((f) => f * e).find((y) => y >= x);
  };
  const width = () => Math.max(box.clientWidth, 280);
  const chart = (course, panel, last) => {
    const figure = document.createElement("figure");
    figure.className = "replay-panel";
    const caption = document.createElement("figcaption");
    caption.textContent = panel.title;
    figure.append(caption);
    box.append(figure);
    const write = unit[panel.unit] || unit.count;
    const font = "12px " + getComputedStyle(document.body).fontFamily;
    const axis = { stroke: style("--soft"), font, ticks: { show: false }, grid: { stroke: style("--line"), width: 1 } };
    const x = panel.lines.length ? panel.lines[0].values.map((_, i) => (i + .5) * course.window - course.zero) : [];
    const options = {
      width: width(), height: last ? 176 : 150, padding: [8, 8, 0, 0],
      cursor: { sync: { key: "replay" }, points: { size: 6 }, drag: { x: true, y: false } },
      legend: { live: true },
      scales: { x: { time: false }, y: { range: (_, __, max) => [0, max > 0 ? ceiling(max) : 1] } },
      axes: [
        { ...axis, grid: { show: false }, values: (_, all) => all.map(span), incrs: steps, space: 70, size: 26 },
        { ...axis, values: (_, all) => all.map(write), size: 62, space: 34 },
      ],
      series: [
        { label: data.when, value: (_, v) => v === null ? "–" : stamp(course, v) },
        ...panel.lines.map((l, i) => ({
          label: l.name, stroke: style(names[i % 4]), dash: dashes[i % 4], width: i ? 1.4 : 1.9, points: { show: false },
          value: (_, v) => v === null || v === undefined ? "–" : write(v),
        })),
      ],
      hooks: { drawClear: [under(course)] },
    };
    return new uPlot(options, [x, ...panel.lines.map((l) => l.values)], figure);
  };
  const draw = (course) => {
    const again = shown && shown.panels.length === course.panels.length &&
      shown.panels.every((p, i) => p.lines.length === course.panels[i].lines.length);
    shown = course;
    if (again && plots.length) {
      plots.forEach((p, i) => {
        const lines = course.panels[i].lines;
        p.setData([lines[0].values.map((_, k) => (k + .5) * course.window - course.zero), ...lines.map((l) => l.values)]);
      });
      return;
    }
    for (const p of plots) p.destroy();
    box.textContent = "";
    const panels = course.panels.filter((p) => p.lines.length);
    plots = panels.map((p, i) => chart(course, p, i === panels.length - 1));
    box.dataset.by = "script";
  };

  // Runs with other settings.
  let worker, usable = false, running = 0;
  const say = (text) => { status.textContent = text || ""; };
  const question = () => {
    const set = [];
    for (const el of form.elements) if (el.dataset.set && el.value !== el.dataset.own) set.push(el.dataset.set + "=" + el.value);
    return { set, variant: form.elements.variant ? form.elements.variant.value : "" };
  };
  const told = document.querySelector("[data-replay-told]");
  const showAnswer = (m) => {
    if (m.told !== undefined) told.textContent = m.told;
    if (m.course) draw(m.course);
    if (m.results !== undefined) results.innerHTML = m.results;
    if (m.answer !== undefined) results.innerHTML = m.answer;
  };
  const start = () => {
    if (!data.wasm || !window.Worker || !window.WebAssembly) return;
    worker = new Worker(data.worker);
    worker.onmessage = ({ data: m }) => {
      if (m.ready) {
        usable = true;
        form.dataset.ready = "wasm";
      } else if (m.broken) {
        usable = false;
        form.submit();
      } else if (m.progress) {
        draw(JSON.parse(m.progress));
        say(data.running);
      } else {
        showAnswer(m.course ? { course: JSON.parse(m.course), results: m.results } : m);
        box.setAttribute("aria-busy", "false");
        box.dataset.runs = ++running;
        say(data.ran);
      }
    };
    worker.onerror = () => { usable = false; };
    worker.postMessage({ exec: new URL(data.exec, location).href, wasm: new URL(data.wasm, location).href });
  };
  let timer;
  const run = () => {
    const q = question();
    const as = new URLSearchParams(new FormData(form));
    history.replaceState(null, "", "?" + as);
    if (!q.set.length && (q.variant in recorded)) {
      load(q.variant);
      return;
    }
    if (!usable) {
      form.submit();
      return;
    }
    if (box.getAttribute("aria-busy") === "true") { // the run before is of no use any more
      worker.terminate();
      usable = false;
      start();
    }
    box.setAttribute("aria-busy", "true");
    say(data.running);
    worker.postMessage({ system: document.getElementById("replay-file").textContent, kind: "replay", lang, ...q });
  };
  form.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(run, 150);
  });
  for (const el of form.querySelectorAll("[data-set]")) {
    const out = form.querySelector("output[for='" + el.id + "']");
    if (out) el.addEventListener("input", () => { out.textContent = el.value; });
  }
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    run();
  });

  // What has been run already.
  const recorded = {};
  for (const v of (data.recorded || "").split(" ")) recorded[v] = true;
  const load = async (variant) => {
    try {
      const answer = await fetch(form.action + "?part=course&variant=" + encodeURIComponent(variant));
      if (!answer.ok) throw new Error(answer.status);
      const m = await answer.json();
      showAnswer(m);
      box.dataset.runs = ++running;
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
    resized = setTimeout(() => plots.forEach((p) => p.setSize({ width: width(), height: p.height })), 100);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    const now = shown;
    shown = undefined;
    if (now) draw(now);
  });
})();
