"use strict";
// This worker runs one program. After that, the page ends the worker. The worker receives the message
// {bytes, files, argv, env}, where bytes is the program. In place of bytes, the message can contain
// program, a file of the site (see part in parts.js). The worker sends these messages:
//
//   {type: "show", id, html, text}   an output that a cell would display
//   {type: "file", path, text}       a file that the program has renamed to its final name
//   {type: "print", text}            printed text
//   {type: "cut", left}              the number of printed characters that were not sent
//   {type: "end", code, why, trace}  the end of the program
importScripts("memfs.js");

const memory = 1 << 30;
let trace = "";
const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
const { fs, process } = makeFS((fd, bytes) => {
  const text = decoders[fd === 1 ? 1 : 2].decode(bytes, { stream: true });
  if (fd === 1) print(text);
  else trace += text;
}, (path) => send({ type: "file", path, text: new TextDecoder().decode(fs.get(path)) }));
globalThis.fs = fs;
globalThis.process = process;
globalThis.hyperplaneShow = (id, html, text) => send({ type: "show", id, html, text });
importScripts("wasm_exec.js");

// The first writes of a program are sent immediately, so that the page gets them even if the program
// then runs forever. Later writes are sent in batches, because one message per line would block the
// page. Characters that exceed output.shown are counted, but not sent.
const output = { shown: 100000, single: 200, batch: 8192, pause: 100 }; // characters, writes, characters, milliseconds
let held = "", room = output.shown, writes = 0, left = 0, last = 0, waiting = false;

function flush() {
  if (held) postMessage({ type: "print", text: held });
  held = "";
  last = performance.now();
}

function send(message) {
  flush();
  postMessage(message);
}

function print(text) {
  const idle = performance.now() - last > output.pause;
  if (text.length > room) {
    if (!left) held += text.slice(0, room) + "\n… The page shows the first " + output.shown + " characters. The rest is left out.\n";
    left += text.length - room;
    room = 0;
    if (held || idle) send({ type: "cut", left });
    return;
  }
  held += text;
  room -= text.length;
  if (++writes <= output.single || held.length >= output.batch || idle) return flush();
  if (!waiting) setTimeout(() => { waiting = false; flush(); });
  waiting = true;
}

function finish(message) {
  if (left) held += "… " + left + " characters were left out.\n";
  send(message);
}

// reason returns a word that says which kind of error ended a program.
function reason(error) {
  if (error.name === "OutOfMemory" || /out of memory|allocation failed/i.test(error.message + trace)) return "memory";
  if (error instanceof RangeError || /call stack|too much recursion|stack overflow/i.test(error.message)) return "recursion";
  return "fault";
}

function ended(error) {
  finish({ type: "end", code: 2, why: reason(error), trace: trace + String(error) });
}

// If the program fails in a timer's callback, no promise is rejected. This handler reports such errors.
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
    finish({ type: "end", code, why, trace });
  } catch (e) {
    ended(e);
  }
};
