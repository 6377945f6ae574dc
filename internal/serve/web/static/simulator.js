// Answers on the page: by the simulator in the browser where it can be loaded,
// by the server where not. Without this script the form does the same.
"use strict";

(() => {
  const form = document.querySelector("form[data-sim]");
  const out = document.querySelector("[data-sim-result]");
  if (!form || !out) return;
  const text = form.elements.system;
  const choice = form.elements.variant;
  const choices = form.querySelector("[data-sim-variants]");
  const status = document.querySelector("[data-sim-where]");
  const cancel = form.querySelector("[data-sim-cancel]");
  const lang = document.documentElement.lang;
  const data = form.dataset;
  let worker, usable = false, running;

  const show = (html) => { out.innerHTML = html; };
  const busy = (on) => {
    out.setAttribute("aria-busy", on);
    cancel.hidden = !on;
    for (const b of form.querySelectorAll("button[name=kind]")) b.disabled = on;
  };
  const ended = () => {
    running = undefined;
    busy(false);
  };

  // The simulator in the browser.
  const start = () => {
    if (!data.wasm || data.api || !window.Worker || !window.WebAssembly) return;
    worker = new Worker(data.worker);
    worker.onmessage = ({ data: m }) => {
      if (m.ready) {
        usable = true;
        status.textContent = status.dataset.here;
        form.dataset.ready = "wasm";
      } else if (m.broken) {
        usable = false;
        worker = undefined;
        if (running) running.instead();
      } else if (m.variants !== undefined) {
        offer(m.variants);
      } else if (m.progress) {
        show(m.progress);
      } else if (m.answer !== undefined) {
        show(m.answer);
        out.dataset.by = "wasm";
        ended();
      }
    };
    worker.onerror = () => { usable = false; };
    worker.postMessage({ exec: new URL(data.exec, location).href, wasm: new URL(data.wasm, location).href });
  };

  // The variants of the text, which are offered while it is written.
  const offer = (html) => {
    choice.innerHTML = html;
    choices.hidden = html === "";
  };
  const variants = async () => {
    const system = text.value, chosen = choice.value;
    if (!/^["']?variants["']?\s*:/m.test(system)) {
      offer("");
    } else if (usable && !running) {
      worker.postMessage({ variants: system, chosen, lang });
    } else {
      try {
        const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams({ system, variant: chosen, part: "variants" }) });
        if (answer.ok && text.value === system) offer(await answer.text());
      } catch { /* the choice stays as it is */ }
    }
  };
  let written;
  text.addEventListener("input", () => {
    clearTimeout(written);
    written = setTimeout(variants, 400);
  });

  // The server.
  const ask = async (question) => {
    const stop = new AbortController();
    running = { stop: () => stop.abort() };
    const body = new URLSearchParams({ ...question, part: "result" });
    try {
      let answer = await fetch(form.action, { method: "POST", body, signal: stop.signal });
      for (;;) {
        show(await answer.text());
        const id = answer.headers.get("X-Run");
        if (!id || answer.status !== 202) break;
        running.stop = () => {
          stop.abort();
          fetch(data.runs + id, { method: "DELETE", keepalive: true });
        };
        await new Promise((done) => setTimeout(done, 400));
        answer = await fetch(form.action + "/runs/" + id + "?part=result", { signal: stop.signal });
      }
      out.dataset.by = "server";
      ended();
    } catch (err) {
      if (err.name !== "AbortError") {
        show("");
        ended();
        status.textContent = status.dataset.failed;
      }
    }
  };

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const kind = e.submitter && e.submitter.value || "run";
    const question = { system: text.value, kind };
    if (choice.value) question.variant = choice.value;
    const typed = (name) => form.elements[name].value.trim();
    const set = typed("set").split(";").map((s) => s.trim()).filter(Boolean);
    if (set.length) question.set = set;
    if (kind !== "run" && kind !== "explain") {
      if (typed("seeds")) question.seeds = Number(typed("seeds"));
      const limit = parseFloat(typed("limit"));
      if (!Number.isNaN(limit)) question.limit = typed("limit").endsWith("%") ? limit / 100 : limit;
    }
    if (kind === "map") Object.assign(question, { x: form.elements.x.value, y: form.elements.y.value });
    delete out.dataset.by;
    busy(true);
    if (!usable) {
      ask(question);
      return;
    }
    running = {
      stop: () => {
        worker.terminate();
        usable = false;
        start();
      },
      instead: () => ask(question),
    };
    worker.postMessage({ question, lang });
  });

  cancel.addEventListener("click", () => {
    if (running) running.stop();
    show("");
    ended();
  });

  // A problem leads to its line.
  out.addEventListener("click", (e) => {
    const item = e.target.closest("[data-line]");
    if (!item) return;
    const lines = text.value.split("\n");
    const n = Math.min(Number(item.dataset.line), lines.length);
    const from = lines.slice(0, n - 1).join("\n").length + (n > 1 ? 1 : 0);
    text.focus();
    text.setSelectionRange(from, from + lines[n - 1].length);
    const height = text.scrollHeight / lines.length;
    text.scrollTop = Math.max(0, (n - 4) * height);
  });

  // Tab indents where it is pressed in the text, and Escape lets it leave.
  let leave = false;
  text.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      leave = true;
    } else if (e.key === "Tab" && !e.shiftKey && !leave) {
      e.preventDefault();
      text.setRangeText("  ", text.selectionStart, text.selectionEnd, "end");
    } else if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      form.requestSubmit(form.querySelector("button[name=kind]"));
    } else {
      leave = false;
    }
  });

  start();
})();
