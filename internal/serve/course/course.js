// The course of a run as charts that can be read point by point and zoomed.
"use strict";

// precedentCourse draws courses into a box. The options are lang(), the language
// of the reader, and when(), the word for time in it.
const precedentCourse = (box, { lang, when }) => {
  // Colours are computed by the browser, since a page may give them by functions
  // of which a canvas knows nothing.
  const probe = document.createElement("span");
  probe.hidden = true;
  const colour = (name) => {
    if (!probe.isConnected) document.body.append(probe);
    probe.style.color = "var(" + name + ")";
    return getComputedStyle(probe).color;
  };
  const read = (text) => text[lang()] || text.en || text.ko || "";

  // How values and times are written.
  const digits = (x) => new Intl.NumberFormat(lang(), { maximumSignificantDigits: 3 }).format(x);
  const unit = {
    share: (x) => digits(100 * x) + " %",
    rate: (x) => digits(x) + "/s",
    time: (x) => x >= 1 || x === 0 ? digits(x) + " s" : digits(1000 * x) + " ms",
    count: (x) => digits(x),
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

  let plots = [], shown;
  const names = ["--ink", "--fail", "--heal", "--recover"];
  const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3]];
  const under = (u) => {
    const { ctx, bbox } = u, right = bbox.left + bbox.width;
    ctx.save();
    ctx.fillStyle = colour("--hit");
    for (const m of shown.marks) {
      const from = Math.max(u.valToPos(m.at, "x", true), bbox.left);
      const to = m.until ? Math.min(u.valToPos(m.until, "x", true), right) : from + 2;
      if (to > bbox.left && from < right) ctx.fillRect(from, bbox.top, Math.max(to - from, 2), bbox.height);
    }
    ctx.strokeStyle = colour("--line");
    ctx.setLineDash([2, 4]);
    for (const p of shown.phases) {
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
  // The axis goes to the end of the run, to which the lines of one under way have
  // not come.
  const valuesOf = (course, panel) => {
    const there = Math.max(...panel.lines.map((l) => l.values.length));
    const n = Math.max(there, Math.round((course.end + course.zero) / course.window));
    const fill = (i) => (values) => i < values.length ? values[i] : null;
    const x = Array.from({ length: n }, (_, i) => (i + .5) * course.window - course.zero);
    return [x, ...panel.lines.map((l) => x.map((_, i) => fill(i)(l.values)))];
  };
  const chart = (course, panel, last) => {
    const figure = document.createElement("figure");
    figure.className = "replay-panel";
    const caption = document.createElement("figcaption");
    caption.textContent = read(panel.title);
    figure.append(caption);
    box.append(figure);
    const write = unit[panel.unit] || unit.count;
    const font = "12px " + getComputedStyle(document.body).fontFamily;
    const axis = { stroke: colour("--soft"), font, ticks: { show: false }, grid: { stroke: colour("--line"), width: 1 } };
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
        { label: when(), value: (_, v) => v === null ? "–" : stamp(course, v) },
        ...panel.lines.map((l, i) => ({
          label: read(l.name), stroke: colour(names[i % 4]), dash: dashes[i % 4], width: i ? 1.4 : 1.9, points: { show: false },
          value: (_, v) => v === null || v === undefined ? "–" : write(v),
        })),
      ],
      hooks: { drawClear: [under] },
    };
    return new uPlot(options, valuesOf(course, panel), figure);
  };
  const drawn = (course) => course.panels.filter((p) => p.lines.length);
  const alike = (a, b) => a.length === b.length && a.every((p, i) => p.lines.length === b[i].lines.length);
  return {
    // draw shows a course; where it has the lines of the one before, in its place.
    draw(course) {
      const panels = drawn(course), again = shown && plots.length && alike(panels, drawn(shown));
      shown = course;
      if (again) {
        plots.forEach((p, i) => p.setData(valuesOf(course, panels[i])));
        return;
      }
      for (const p of plots) p.destroy();
      box.textContent = "";
      plots = panels.map((p, i) => chart(course, p, i === panels.length - 1));
    },
    // redraw takes the colours and words of now.
    redraw() {
      const now = shown;
      shown = undefined;
      if (now) this.draw(now);
    },
    resize() {
      for (const p of plots) p.setSize({ width: width(), height: p.height });
    },
    // reached is how far the lines have come, in seconds from T+0.
    reached: (course) => {
      const lengths = drawn(course).flatMap((p) => p.lines.map((l) => l.values.length));
      return Math.min(Math.max(0, ...lengths) * course.window - course.zero, course.end);
    },
    span,
  };
};
