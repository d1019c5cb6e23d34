"use strict";
// This worker compiles programs with Go's own cmd/compile and cmd/link, built as wasm. It receives
// these messages:
//
//   {manifest, id}            the first message: the Manifest and the id of the exercise, which
//                             determine the files to load
//   {files, main, own, cells} for each program: the learner's files as [{name, source}, …], the
//                             source of main.go, the exercise's package as {name: path}, and
//                             whether the program may use the packages for cells
//
// It sends {type: "bytes", n} while it loads files, and then {type: "ready"}. For each program it
// sends {type: "program", bytes}, {type: "errors", text} or {type: "broken", message}.
importScripts("memfs.js", "imports.js", "parts.js", "xz-decompress-0.2.3.min.js");

let text = "";
const decoder = new TextDecoder(), encoder = new TextEncoder();
const { fs, process } = makeFS((fd, bytes) => { text += decoder.decode(bytes); });
globalThis.fs = fs;
globalThis.process = process;
importScripts("wasm_exec.js");

let ready, cells, manifest, importcfg = "", linkcfg = "packagefile main=/w/main.a\n";

// unpack writes the archives of a pack to the paths at which the compiler looks for them. A pack
// begins with a line of JSON, [[import path, length, whether code can import the package], …]. The
// archives follow.
function unpack(bytes) {
  const end = bytes.indexOf(10);
  let at = end + 1;
  for (const [path, n, imported] of JSON.parse(decoder.decode(bytes.subarray(0, end)))) {
    fs.put("/pkg/" + path + ".a", bytes.subarray(at, at + n));
    const line = `packagefile ${path}=/pkg/${path}.a\n`;
    linkcfg += line;
    if (imported) importcfg += line;
    at += n;
  }
  fs.put("importcfg", encoder.encode(importcfg));
  fs.put("link.cfg", encoder.encode(linkcfg));
}

const onBytes = (n) => postMessage({ type: "bytes", n });
const pack = async (p) => new Uint8Array(await (await part(p, "application/octet-stream", onBytes)).arrayBuffer());

async function load(id) {
  const module = async (p) => WebAssembly.compileStreaming(await part(p, "application/wasm", onBytes));
  const [compile, link, base, own] = await Promise.all([module(manifest.compile), module(manifest.link), pack(manifest.base), pack(manifest.packs[id])]);
  unpack(base);
  unpack(own);
  return { compile, link };
}

const env = { GOOS: "js", GOARCH: "wasm", GOGC: "40" };

// compileFiles compiles files and adds the imports that each file needs. It first finds the imports
// by searching the text. Then it corrects them with the help of the compiler's errors.
async function compileFiles(compile, files, main, known) {
  const names = files.map((f) => usedPackages(f.source, known));
  fs.put("main.go", encoder.encode(main));
  for (let round = 0; ; round++) {
    files.forEach((f, i) => fs.put(f.name, encoder.encode(withImports(f.name, f.source, names[i], known))));
    text = "";
    const code = await runGo(compile, ["compile", "-o", "main.a", "-p", "main", "-complete", "-importcfg", "importcfg", "-pack", ...files.map((f) => f.name), "main.go"], env);
    if (!code || round === 3) return code;
    const better = files.map((f, i) => corrected(text, f.name, names[i], known));
    if (better.every((b) => !b)) return code;
    better.forEach((b, i) => { names[i] = b || names[i]; });
  }
}

async function build({ files, main, own, cells: more }) {
  const { compile, link } = await ready;
  // The packages for cells are large. Load them only for a program that uses one of them.
  const wants = (f) => usedPackages(f.source, manifest.cellImports).length || importedPaths(f.source).some((p) => !importcfg.includes("packagefile " + p + "="));
  if (more && files.some(wants)) await (cells ??= pack(manifest.cells).then(unpack, (e) => { cells = null; throw e; }));
  const began = performance.now(), known = { ...manifest.imports, ...(more && manifest.cellImports), ...own };
  if (await compileFiles(compile, files, main, known)) return { type: "errors", text: readable(text, files) };
  const compiled = performance.now();
  text = "";
  if (await runGo(link, ["link", "-o", "out.wasm", "-importcfg", "link.cfg", "-buildmode=exe", "-s", "-w", "main.a"], env)) return { type: "errors", text };
  return { type: "program", bytes: fs.get("out.wasm").slice(), compile: compiled - began, link: performance.now() - compiled };
}

// If the compiler fails in a timer's callback, no promise is rejected. This handler reports such errors.
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
