"use strict";
// The worker that runs one program and is then ended by the page. It is told
// {bytes, files, argv, env}, or instead of the bytes the part of the site that they are,
// and answers with {type: "show", id, html, text} for each thing
// that a cell would show, {type: "file", path, text} for each file that is written,
// {type: "print", text}, and at the end {type: "end", code, why, trace}.
importScripts("memfs.js");

const memory = 1 << 30;
let trace = "";
const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
const { fs, process } = makeFS((fd, bytes) => {
  const text = decoders[fd === 1 ? 1 : 2].decode(bytes, { stream: true });
  if (fd === 1) postMessage({ type: "print", text });
  else trace += text;
}, (path) => postMessage({ type: "file", path, text: new TextDecoder().decode(fs.get(path)) }));
globalThis.fs = fs;
globalThis.process = process;
globalThis.hyperplaneShow = (id, html, text) => postMessage({ type: "show", id, html, text });
importScripts("wasm_exec.js");

// reason says in a word what ended a program, "" for its own end.
function reason(error) {
  if (error.name === "OutOfMemory" || /out of memory|allocation failed/i.test(error.message + trace)) return "memory";
  if (error instanceof RangeError || /call stack|too much recursion|stack overflow/i.test(error.message)) return "recursion";
  return "fault";
}

function ended(error) {
  postMessage({ type: "end", code: 2, why: reason(error), trace: trace + String(error) });
}

// What fails after the program has waited for a timer is nobody's promise.
self.onerror = (message, file, line, column, error) => {
  ended(error || new Error(message));
  return true;
};

onmessage = async ({ data: { bytes, program, files, argv, env } }) => {
  try {
    if (program) {
      importScripts("parts.js", "xz-decompress-0.2.3.min.js");
      bytes = await (await part(program, "application/wasm", () => {})).arrayBuffer();
    }
    for (const [path, text] of Object.entries(files)) fs.put(path, new TextEncoder().encode(text));
    const code = await runGo(await WebAssembly.compile(bytes), argv, env, memory);
    const why = /out of memory/.test(trace) ? "memory" : /stack (overflow|exceeds)/.test(trace) ? "recursion" : "";
    postMessage({ type: "end", code, why, trace });
  } catch (e) {
    ended(e);
  }
};
