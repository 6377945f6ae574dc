// Runs the simulator in a thread of its own, so that the page stays usable.
// The page says where the two parts of the simulator are, or gives the one that was
// compiled before, then asks.
"use strict";

let ready;

const load = async ({ exec, wasm, code }) => {
  importScripts(exec);
  const go = new Go();
  const module = code || await WebAssembly.compileStreaming(fetch(wasm));
  go.run(await WebAssembly.instantiate(module, go.importObject)); // ends with the worker
  return module;
};

onmessage = async (e) => {
  const m = e.data;
  if (m.exec) {
    ready = load(m);
    ready.then((code) => postMessage({ ready: true, code }), (err) => postMessage({ broken: String(err) }));
    return;
  }
  try {
    await ready;
    if (m.variants !== undefined) {
      postMessage({ variants: precedentVariants(m.variants, m.chosen, m.lang) });
      return;
    }
    if (m.kind === "replay") {
      postMessage(precedentReplay(m.system, m.lang, (course) => postMessage({ progress: course }), m.variant, m.set));
      return;
    }
    postMessage(await precedentAsk(JSON.stringify(m.question), m.lang, (html) => postMessage({ progress: html })));
  } catch (err) {
    postMessage({ broken: String(err) });
  }
};
