"use strict";
// A judge compiles an answer and runs the exercise's check on it, in two workers: the
// one that compiles lives on, the one that runs is ended after each check, or when
// nothing that the page shows has come from it for so long.
class HyperplaneJudge {
  static patience = 10000; // milliseconds; the slowest check takes one second on a desk
  static ownPatience = 60000; // programs of the site end; a slow line or a busy machine takes time to load them
  static cellPatience = 30000; // cells of lessons also compare, sample and draw

  constructor(folder, exercise, seed) {
    Object.assign(this, { folder, exercise, seed, compiler: null, waiting: null });
  }

  // load starts the compiler; onBytes(done, all) counts the bytes that have come.
  load(onBytes) {
    this.loaded ??= this.start(onBytes).catch((e) => { this.loaded = null; throw e; });
    return this.loaded;
  }

  // unload ends the compiler, and with it what memory it has.
  unload() {
    this.compiler?.terminate();
    this.compiler = this.loaded = null;
  }

  async manifest() {
    this.known ??= this.prepared();
    return this.known.catch((e) => { this.known = null; throw e; });
  }

  // prepared returns the manifest, once the server has built what it names; onPreparing(seconds)
  // is told how long that takes.
  async prepared() {
    for (;;) {
      const made = await fetch(this.folder + "play.json");
      if (made.ok) return made.json();
      if (made.status !== 404) throw new Error("play.json: " + made.status);
      const there = await fetch(this.folder + "preparing.json");
      if (!there.ok) throw new Error("this site has no compiler; make site builds one with it");
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
        if (data.type === "broken") this.unload(); // the next check begins with a fresh one
        if (this.waiting) this.waiting(data);
        else reject(new Error(data.message));
      };
      this.compiler.postMessage({ manifest: m, id });
    });
  }

  static size(m, id) { return [m.compile, m.link, m.base, m.packs[id]].reduce((sum, p) => sum + p.size, 0); }

  // program is the rest of package main: what the set-up cell does and, if there is one,
  // the call of the check.
  program(call) {
    // Package os brings what answers events of the page, such as the one for a deadlock.
    const lines = ["package main", 'import _ "os"'], { package: name, path, module } = this.exercise;
    if (call) lines.push(`import ${name} "${path}"`);
    if (this.seed) lines.push(`import hyperplaneExercises "${module}/exercises"`, `var _ = hyperplaneExercises.Variant(${this.seed})`);
    if (call) lines.push(`func main() { ${name}.${call} }`);
    return lines.join("\n") + "\n";
  }

  // compile returns {type: "program", bytes} or {type: "errors", text} or {type: "broken", message}.
  // With more the packages of cells are there too; it counts the bytes that come for them.
  compile(files, main, more) {
    return new Promise((resolve) => {
      this.more = more;
      this.waiting = (data) => { this.waiting = null; resolve(data); };
      this.compiler.postMessage({ files, main, cells: !!more, own: { [this.exercise.package]: this.exercise.path } });
    });
  }

  // run runs a program; on[type](message) is called for each of its messages. It returns
  // {code, why, trace}, where why is also "time", "output" and "stopped".
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
        if (data.type === "cut") return void (cut = true); // text that nobody sees is no sign of progress
        if (data.type !== "file") wait();
        on[data.type](data);
      };
      wait();
      worker.postMessage({ argv: ["answer"], files: {}, ...what }, what.bytes ? [what.bytes.buffer] : []);
    });
  }

  // tell runs a program of the site on files and returns what it prints.
  async tell(program, argv, files = {}) {
    let text = "";
    const apart = { folder: this.folder, run: this.run }; // a program that runs for the learner keeps its own stop
    const end = await apart.run({ program, argv, files }, { print: (m) => { text += m.text; } }, HyperplaneJudge.ownPatience);
    if (end.code) throw new Error(end.trace || end.why);
    return text;
  }
}
