// What the site does beyond plain pages: results while typing, the key that
// leads to the search field, and buttons that copy. Pages are whole without it.
"use strict";

(() => {
  const ko = document.documentElement.lang === "ko";
  const field = document.querySelector("[data-find]");

  // "/" leads to the search field from anywhere that is not a field itself.
  addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || !field) return;
    if (e.target.closest("input, textarea, select, [contenteditable]")) return;
    e.preventDefault();
    field.focus();
    field.select();
  });

  // An address has its bounds: of a very long paste the beginning is asked.
  const fit = (text) => {
    while (String(new URLSearchParams({ q: text })).length > 15000) text = text.slice(0, Math.floor(text.length * 0.9));
    return text;
  };
  for (const f of document.querySelectorAll("form")) {
    const q = f.querySelector("input[name=q], textarea[name=q]");
    if (q) f.addEventListener("submit", () => { q.value = fit(q.value); });
  }

  // Results while typing, from the same page that the form leads to.
  const form = document.querySelector("form[data-instant]");
  const results = document.querySelector("[data-results]");
  const rest = document.querySelector("[data-rest]");
  if (form && results) {
    const input = form.querySelector("[name=q]");
    let timer, running, last = input.value;
    const show = async () => {
      const query = new URLSearchParams(new FormData(form));
      const asked = query.get("q").trim();
      if (running) running.abort();
      if (rest && !asked) {
        results.hidden = true;
        rest.hidden = false;
        return;
      }
      running = new AbortController();
      query.set("q", fit(query.get("q")));
      query.set("part", "results");
      try {
        const answer = await fetch(form.action + "?" + query, { signal: running.signal });
        if (!answer.ok) return;
        const html = await answer.text();
        if (input.value.trim() !== asked) return;
        results.innerHTML = html;
        results.hidden = false;
        if (rest) rest.hidden = true;
        query.delete("part");
        if (!rest) history.replaceState(null, "", "?" + query);
      } catch (e) {
        if (e.name !== "AbortError") results.setAttribute("data-failed", "");
      }
    };
    input.addEventListener("input", () => {
      if (input.value === last) return;
      last = input.value;
      clearTimeout(timer);
      timer = setTimeout(show, 140);
    });
  }

  // Buttons that copy what stands beside them.
  const copyText = ko ? "복사" : "Copy";
  const copiedText = ko ? "복사했다" : "Copied";
  for (const from of document.querySelectorAll(".doc pre, [data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = copyText;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(from.textContent.trim());
      button.textContent = copiedText;
      setTimeout(() => { button.textContent = copyText; }, 1500);
    });
    if (from.matches("pre")) {
      const box = document.createElement("div");
      box.className = "copied";
      from.replaceWith(box);
      box.append(from, button);
    } else {
      from.after(button);
    }
  }

  // A printed report shows what is folded on the screen.
  addEventListener("beforeprint", () => {
    for (const d of document.querySelectorAll("article details")) d.open = true;
  });
})();
