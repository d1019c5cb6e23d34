"use strict";
// A judge compiles an answer and runs the exercise's check on the answer. It uses two workers. The
// worker compiler.js stays alive for later checks. The worker runner.js is ended after each check, or
// earlier if it sends no visible output for a time.
class HyperplaneJudge {
  // These are the times, in milliseconds, without visible output after which run ends a program.
  static patience = 10000; // for checks; the slowest check takes one second on a desktop computer
  static ownPatience = 60000; // for the site's own programs, which must first be loaded
  static cellPatience = 30000; // for cells of lessons, which can take longer than checks

  constructor(folder, exercise, seed) {
    Object.assign(this, { folder, exercise, seed, compiler: null, waiting: null });
  }

  // load starts the compiler. It calls onBytes(done, all) with the number of bytes that have arrived
  // and the number of all bytes.
  load(onBytes) {
    this.loaded ??= this.start(onBytes).catch((e) => { this.loaded = null; throw e; });
    return this.loaded;
  }

  // unload ends the compiler, which frees the compiler's memory.
  unload() {
    this.compiler?.terminate();
    this.compiler = this.loaded = null;
  }

  async manifest() {
    this.known ??= this.prepared();
    return this.known.catch((e) => { this.known = null; throw e; });
  }

  // prepared waits until the server has built the files in the manifest, and returns the manifest.
  // While it waits, it calls onPreparing(seconds) with the remaining time.
  async prepared() {
    for (;;) {
      const made = await fetch(this.folder + "play.json");
      if (made.ok) return made.json();
      if (made.status !== 404) throw new Error("play.json: " + made.status);
      const there = await fetch(this.folder + "preparing.json");
      if (!there.ok) throw new Error("this site has no compiler; `make site` builds a site with one");
      const { left, failed } = await there.json();
      if (failed) throw new Error("it could not be built (restart the server of this site to try again): " + failed);
      this.onPreparing?.(left);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  async start(onBytes) {
    const m = await this.manifest(), id = this.exercise.id, all = HyperplaneJudge.size(m, id);
    let done = 0;
    this.compiler = new Worker(this.folder + "compiler.js");
    return new Promise((resolve, reject) => {
      this.compiler.onerror = (e) => { e.preventDefault(); this.compiler.onmessage({ data: { type: "broken", message: e.message || "the compiler does not start" } }); };
      this.compiler.onmessage = ({ data }) => {
        if (data.type === "bytes") return this.waiting ? this.more(data.n) : onBytes(done += data.n, all);
        if (data.type === "ready") return resolve();
        if (data.type === "broken") this.unload(); // the next check starts a new compiler
        if (this.waiting) this.waiting(data);
        else reject(new Error(data.message));
      };
      this.compiler.postMessage({ manifest: m, id });
    });
  }

  static size(m, id) { return [m.compile, m.link, m.base, m.packs[id]].reduce((sum, p) => sum + p.size, 0); }

  // program returns the source of main.go. Like a set-up cell, it selects the variant. If call is not
  // empty, main.go also contains the call of the check.
  program(call) {
    // Import os, because the event that reveals a deadlock (see runGo) needs the event handler that
    // comes with os.
    const lines = ["package main", 'import _ "os"'], { package: name, path, module } = this.exercise;
    if (call) lines.push(`import ${name} "${path}"`);
    if (this.seed) lines.push(`import hyperplaneExercises "${module}/exercises"`, `var _ = hyperplaneExercises.Variant(${this.seed})`);
    if (call) lines.push(`func main() { ${name}.${call} }`);
    return lines.join("\n") + "\n";
  }

  // compile returns {type: "program", bytes} or {type: "errors", text} or {type: "broken", message}.
  // If more is given, the program may use the packages for cells. While they are loaded, compile calls
  // more(n) with the number of bytes that have arrived since the last call.
  compile(files, main, more) {
    return new Promise((resolve) => {
      this.more = more;
      this.waiting = (data) => { this.waiting = null; resolve(data); };
      this.compiler.postMessage({ files, main, cells: !!more, own: { [this.exercise.package]: this.exercise.path } });
    });
  }

  // run runs a program and calls on[type](message) for each message of the worker. It returns
  // {code, why, trace}, as the worker does. If the page ends the program, why is "time", "output" or
  // "stopped".
  run(what, on, patience = HyperplaneJudge.patience) {
    return new Promise((resolve) => {
      const worker = new Worker(this.folder + "runner.js");
      let timer, cut = false;
      const end = (message) => { clearTimeout(timer); worker.terminate(); this.stop = null; resolve(message); };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => end({ code: 2, why: cut ? "output" : "time", trace: "", patience }), patience);
      };
      this.stop = () => end({ code: 2, why: "stopped", trace: "" });
      worker.onerror = (e) => { e.preventDefault(); end({ code: 2, why: "fault", trace: e.message }); };
      worker.onmessage = ({ data }) => {
        if (data.type === "end") return end(data);
        if (data.type === "cut") return void (cut = true); // text that the page does not show does not prolong the time
        if (data.type !== "file") wait();
        on[data.type](data);
      };
      wait();
      worker.postMessage({ argv: ["answer"], files: {}, ...what }, what.bytes ? [what.bytes.buffer] : []);
    });
  }

  // tell runs one of the site's own programs with the given files and returns the text that it prints.
  async tell(program, argv, files = {}) {
    let text = "";
    const apart = { folder: this.folder, run: this.run }; // a separate object, so that run does not replace this.stop of the learner's program
    const end = await apart.run({ program, argv, files }, { print: (m) => { text += m.text; } }, HyperplaneJudge.ownPatience);
    if (end.code) throw new Error(end.trace || end.why);
    return text;
  }
}
