"use strict";
// The worker that compiles: Go's own cmd/compile and cmd/link, as wasm. It is told
//
//   {manifest, id}       first: what to load, for which exercise
//   {source, main, own}  then: an answer, the program that judges it, and the exercise's
//                        own package, name → path
//
// and answers with {type: "bytes", n} while it loads, {type: "ready"}, and for each
// answer {type: "program", bytes}, {type: "errors", text} or {type: "broken", message}.
importScripts("memfs.js", "imports.js", "parts.js", "xz-decompress-0.2.3.min.js");

let text = "";
const decoder = new TextDecoder(), encoder = new TextEncoder();
const { fs, process } = makeFS((fd, bytes) => { text += decoder.decode(bytes); });
globalThis.fs = fs;
globalThis.process = process;
importScripts("wasm_exec.js");

let ready, manifest, importcfg = "";

// unpack puts the archives of a pack where the compiler looks for them: the pack is a
// line of JSON, [[import path, length], …], and the archives.
function unpack(bytes) {
  const end = bytes.indexOf(10);
  let at = end + 1;
  for (const [path, n] of JSON.parse(decoder.decode(bytes.subarray(0, end)))) {
    fs.put("/pkg/" + path + ".a", bytes.subarray(at, at + n));
    importcfg += `packagefile ${path}=/pkg/${path}.a\n`;
    at += n;
  }
}

async function load(id) {
  const onBytes = (n) => postMessage({ type: "bytes", n });
  const module = async (p) => WebAssembly.compileStreaming(await part(p, "application/wasm", onBytes));
  const pack = async (p) => new Uint8Array(await (await part(p, "application/octet-stream", onBytes)).arrayBuffer());
  const [compile, link, base, own] = await Promise.all([module(manifest.compile), module(manifest.link), pack(manifest.base), pack(manifest.packs[id])]);
  unpack(base);
  unpack(own);
  fs.put("importcfg", encoder.encode(importcfg));
  fs.put("link.cfg", encoder.encode(importcfg + "packagefile main=/w/main.a\n"));
  return { compile, link };
}

const env = { GOOS: "js", GOARCH: "wasm", GOGC: "100" };

// compileAnswer compiles an answer with the imports that it needs filled in; which these
// are the compiler knows better than a look at the text.
async function compileAnswer(compile, source, main, own) {
  const known = { ...manifest.imports, ...own };
  let names = usedPackages(source, known);
  fs.put("main.go", encoder.encode(main));
  for (let round = 0; ; round++) {
    fs.put("answer.go", encoder.encode(withImports(source, names, known)));
    text = "";
    const code = await runGo(compile, ["compile", "-o", "main.a", "-p", "main", "-complete", "-importcfg", "importcfg", "-pack", "answer.go", "main.go"], env);
    const better = code && round < 3 && corrected(text, names, known);
    if (!better) return code;
    names = better;
  }
}

async function build({ source, main, own }) {
  const { compile, link } = await ready, began = performance.now();
  if (await compileAnswer(compile, source, main, own)) return { type: "errors", text: readable(text, source) };
  const compiled = performance.now();
  text = "";
  if (await runGo(link, ["link", "-o", "out.wasm", "-importcfg", "link.cfg", "-buildmode=exe", "-s", "-w", "main.a"], env)) return { type: "errors", text };
  return { type: "program", bytes: fs.get("out.wasm").slice(), compile: compiled - began, link: performance.now() - compiled };
}

// What fails after the compiler has waited for a timer is nobody's promise.
self.onerror = (message) => {
  postMessage({ type: "broken", message: message + (text ? "\n" + text : "") });
  return true;
};

onmessage = async ({ data }) => {
  try {
    if (data.manifest) {
      manifest = data.manifest;
      ready = load(data.id);
      await ready;
      postMessage({ type: "ready" });
      sweep(manifest);
      return;
    }
    const answer = await build(data);
    postMessage(answer, answer.bytes ? [answer.bytes.buffer] : []);
  } catch (e) {
    postMessage({ type: "broken", message: String(e) + (text ? "\n" + text : "") });
  }
};
