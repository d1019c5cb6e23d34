"use strict";
// This script runs the page of an exercise: the editor, the checks, their reports, and the learner's
// progress.
(async function () {
  const root = document.getElementById("play");
  if (!root) return;
  const exercise = JSON.parse(root.dataset.exercise), folder = exercise.root + "assets/play/";
  const $ = (id) => document.getElementById("play-" + id), store = hyperplaneStore;
  const say = (text) => { $("state").textContent = text; };
  const mega = (bytes) => (bytes / 1e6).toFixed(1) + " MB";

  // ---- requirements of the page ---------------------------------------------------

  // refused returns the reason why the page cannot compile answers, or "" if it can.
  function refused() {
    const instead = " Work in the notebook instead: you can download it below.";
    if (location.protocol === "file:") return "This page was opened from disk, so it cannot run the compiler. To write and check answers here, serve the site with this command: " + exercise.command + " site --serve";
    if (typeof WebAssembly !== "object" || typeof Worker !== "function" || typeof DecompressionStream !== "function") return "This browser is too old to run Go's compiler on the page (WebAssembly, workers and DecompressionStream are needed)." + instead;
    try {
      new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    } catch (e) {
      return "This page is not allowed to run WebAssembly, which Go's compiler needs: the host's Content-Security-Policy must allow 'wasm-unsafe-eval'." + instead;
    }
    return "";
  }

  const why = refused();
  root.hidden = false;
  if (why) {
    root.querySelectorAll(".checks, .editor, .desk > .bar:first-child").forEach((e) => { e.hidden = true; });
    say(why);
  }

  // ---- the variant ------------------------------------------------------------------

  const asked = new URLSearchParams(location.search).get("seed");
  let seed = 0;
  if (asked !== null && asked !== "" && asked !== "0") {
    if (!/^[0-9]{1,16}$/.test(asked) || Number(asked) > Number.MAX_SAFE_INTEGER) $("variant").textContent = "The link asks for variant " + asked.slice(0, 40) + ", but a seed is a whole number from 1 to " + Number.MAX_SAFE_INTEGER + ". This is the common variant.";
    else {
      seed = Number(asked);
      $("variant").textContent = "Variant " + seed + ": " + (exercise.variants ? "statement, hints, solution and check use its constants." : "the check uses data drawn for it.");
    }
    $("variant").hidden = false;
  }
  const other = $("other"); // null if nothing varies
  if (other) other.href = "?seed=" + (1 + Math.floor(Math.random() * 999999));
  const judge = new HyperplaneJudge(folder, exercise, seed), area = $("answer");
  let editor = null, waited = false;
  judge.onPreparing = (left) => {
    waited = true;
    const minutes = Math.round(left / 60);
    say("The compiler is being prepared (" + (minutes > 1 ? minutes + " minutes" : minutes ? "1 minute" : "less than a minute") + " left). " + (editor ? "You can write your answer meanwhile." : "After that, the page shows variant " + seed + "."));
  };
  let texts = {}; // texts of the variant, keyed by the names of the page's parts
  if (seed && !why) {
    area.readOnly = true; // the stub of the variant will replace the text in the editor
    try {
      texts = await hyperplaneVariant(exercise, judge, seed);
    } catch (e) {
      judge.seed = seed = 0;
      $("variant").textContent = "Variant " + asked + " cannot be shown: " + e.message + ". This is the common variant.";
    }
  }
  if (seed) {
    const common = document.createElement("a");
    common.href = location.pathname;
    common.textContent = "Back to the common numbers";
    $("variant").append(" ", common);
  }

  // ---- answer and progress ------------------------------------------------------------

  area.readOnly = false;
  const stub = texts.stub ? texts.stub + "\n" : area.value, key = exercise.id + (seed ? ":" + seed : "");
  let lost = false, tabs = null, known = null;
  // names returns the names that the editors complete. It loads them on the first call.
  function names() {
    known ??= fetch(folder + "names.json").then((r) => (r.ok ? r.json() : Promise.reject())).catch(() => { known = null; return {}; });
    return known;
  }
  // work runs the site's program that works on the text of cells (the constant editor in play.go).
  const work = async (how, cells) => judge.tell((await judge.manifest()).editor, ["editor", how], { "cells.json": JSON.stringify(cells) });
  function changed() {
    if (!editor) return;
    if (editor.get() !== stub) store.forgetReplaced(key);
    showReplaced();
    showStale();
    if (lost || tabs?.hold(editor.get())) return;
    lost = !(editor.get() === stub ? (store.forgetAnswer(key), true) : store.keepAnswer(key, editor.get()));
    if (lost) say("The browser cannot store your answer (private window, or no space left): download the notebook to keep it.");
  }
  area.value = store.answer(key) ?? stub;
  if (!why) {
    document.getElementById("play-static").hidden = true;
    editor = hyperplaneEditor(area, changed, "Your answer", "checks it", root.querySelector(".desk > .bar"), names);
    tabs = hyperplaneTabs(key, store, stub, editor);
  }

  // If the stub has replaced an answer, the button Undo restores the answer. The page shows the button
  // until the learner edits the stub, even after a reload.
  const back = document.createElement("p");
  back.className = "replaced";
  back.setAttribute("role", "status");
  root.querySelector(".editor").before(back);
  function showReplaced() {
    const offered = !!editor && editor.get() === stub && store.replaced(key) !== null;
    if (offered === !!back.firstChild) return;
    back.replaceChildren();
    if (!offered) return;
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "quiet";
    undo.textContent = "Undo";
    undo.dataset.do = "answer-back";
    undo.addEventListener("click", () => {
      editor.set(store.replaced(key));
      say("Your answer is back.");
      editor.focus();
    });
    back.append("The stub is back. ", undo);
  }
  showReplaced();
  addEventListener("storage", showReplaced);
  // When the learner deletes all data, also remove the outcome of the last check from the page.
  addEventListener("hyperplane-deleted", () => {
    $("report").after($("trouble"));
    $("report").textContent = $("trouble").textContent = $("says").textContent = "";
    about = null;
    showStale();
  });

  // about is the text that the last check has judged, or null. If the text in the editor differs from
  // it, the page marks the outcome of the check as outdated.
  let about = null;
  const stale = $("report").parentNode.insertBefore(document.createElement("p"), $("report"));
  stale.className = "stale";
  function showStale() {
    const is = about !== null && editor.get() !== about;
    stale.textContent = is ? "You have changed your answer since this verdict." : "";
    stale.parentNode.classList.toggle("of-before", is);
  }

  // The marks of this exercise on this page show the progress in the variant that the page shows.
  for (const m of document.querySelectorAll("[data-mark]")) if (m.dataset.mark === exercise.id) m.dataset.seed = seed;
  function showRecord() {
    store.marks();
    const r = store.record(key), a = r.answer;
    const tries = a.tries === 1 ? "1 try" : a.tries + " tries", times = a.tries === 1 ? "once" : a.tries === 2 ? "twice" : a.tries + " times";
    const last = !a.last ? "" : a.last.finished ? ", the last one " + a.last.right + " of " + a.last.parts + " right" : ", the last one not finished";
    $("record").textContent = a.passed ? "✓ passed (" + tries + ")" : r.revealed ? "solution seen" : a.tries ? "tried " + times + last : "not begun";
  }
  const hints = hyperplaneHints(key, store, showRecord);
  showRecord();
  for (const event of ["storage", "hyperplane-work"]) addEventListener(event, () => { showRecord(); hints.refresh(); });

  function download(name, text, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const format = () => hyperplaneFormat(editor, work, say);
  $("format").addEventListener("click", format);
  $("reset").addEventListener("click", () => {
    const mine = editor.get();
    if (mine === stub) return say("The editor shows the stub already.");
    const kept = store.keepReplaced(key, mine);
    editor.set(stub);
    say(kept ? "" : "The stub is back. The browser cannot store your answer; Ctrl+Z in the editor brings it back.");
  });
  $("notebook").addEventListener("click", async () => {
    try {
      const text = texts.notebook || await (await fetch(exercise.notebook)).text();
      download(exercise.notebook, hyperplaneNotebook(text, exercise, stub, editor ? editor.get() : area.value, seed), "application/x-ipynb+json");
    } catch (e) { say("The notebook cannot be fetched: " + e.message); }
  });
  const jupyter = "hyperplane-jupyter", base = $("jupyter");
  try { base.value = localStorage.getItem(jupyter) || base.value; } catch (e) { /* without storage, the learner enters the address again */ }
  $("open").addEventListener("click", () => {
    if (!/^https?:\/\/[^\s/]/.test(base.value)) return say("The address of your Jupyter begins with http:// or https://; found " + JSON.stringify(base.value) + ".");
    try { localStorage.setItem(jupyter, base.value); } catch (e) { /* without storage, the learner enters the address again */ }
    const at = base.value.replace(/[?#].*$/, "").replace(/\/*$/, "");
    open(at + (at.endsWith("/lab") ? "/tree/" : "/notebooks/") + exercise.place, "_blank", "noopener");
  });
  if (why) return;

  // ---- the compiler ---------------------------------------------------------------------

  const here = "hyperplane-compiler-here";
  let version = "Go";
  const build = (m) => m.compile.file + " " + m.link.file + " " + m.base.file;
  async function announce() {
    const m = await judge.manifest();
    version = m.go.replace("go", "Go ");
    let kept = false;
    try { kept = localStorage.getItem(here) === build(m); } catch (e) { /* without storage, the page asks before it loads the compiler */ }
    if (kept || waited) return ready();
    const small = navigator.deviceMemory && navigator.deviceMemory < 2 ? " This device has little memory; if the page crashes, work in the notebook instead." : "";
    say("The first check loads " + mega(HyperplaneJudge.size(m, exercise.id)) + "." + small);
    $("state").title = "Check compiles your answer here on the page, with " + version + ". The compiler is loaded once.";
    $("load").hidden = false;
  }
  // ready loads the compiler if necessary. If tell is given, ready calls it with messages about the
  // progress, which the waiting cell shows.
  const waiting = new Set();
  async function ready(tell) {
    if (tell) waiting.add(tell);
    const progress = (text) => { say(text); waiting.forEach((tell) => tell(text)); };
    $("load").hidden = true;
    const bar = $("bar"), m = await judge.manifest();
    await judge.load((done, all) => {
      if (done >= all) progress("Starting the compiler …");
      else { bar.hidden = false; bar.max = all; bar.value = done; progress("Loading the compiler: " + mega(done) + " of " + mega(all)); }
    }).finally(() => { bar.hidden = true; waiting.delete(tell); });
    try { localStorage.setItem(here, build(m)); } catch (e) { /* without storage, the next page asks again */ }
    say(version + " is ready.");
    keepCompiler().catch(() => {});
  }
  const failed = (e) => { say("The compiler cannot be loaded: " + e.message + ". The notebook works without this page."); };
  $("load").addEventListener("click", () => ready().catch(failed));
  announce().catch(failed);
  // The browser may keep this page in memory after the reader has left it. End the compiler then.
  addEventListener("pagehide", () => judge.unload());

  // kept stores files in the cache in which the service worker looks for them without a network.
  async function kept(addresses) {
    const cache = await caches.open("hyperplane-pages");
    await Promise.all([...new Set(addresses)].map(async (u) => { if (!await cache.match(u)) await cache.add(u); }));
  }
  // keepPage stores this page, the files that the page has loaded, and its notebook. The service worker
  // stores the start page, the lists, and the pages that the reader opens later.
  async function keepPage() {
    if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
    await navigator.serviceWorker.register(exercise.root + "sw.js");
    const own = performance.getEntriesByType("resource").map((e) => e.name).filter((u) => u.startsWith(location.origin) && !/\.(xz|gz)$|play\.json$|preparing\.json$/.test(u));
    await kept([location.href.split(/[?#]/)[0], new URL(exercise.notebook, location.href).href, ...own]);
    await navigator.serviceWorker.ready;
  }
  const keeping = keepPage();
  keeping.catch(() => {}); // ignore the error, because the page still works with a network
  // keepCompiler stores the scripts that the compiler needs. Script parts.js stores the large files.
  async function keepCompiler() {
    await keeping;
    await kept(["compiler.js", "runner.js", "memfs.js", "imports.js", "parts.js", "xz-decompress-0.2.3.min.js", "wasm_exec.js", "play.json", "names.json"].map((f) => new URL(folder + f, location.href).href));
    root.dataset.offline = "ready";
  }

  // ---- checks ------------------------------------------------------------------------------

  const reasons = {
    time: "Stopped: no output for # seconds@. Does every loop end for every input, even for NaN?",
    output: "Stopped: after more output than the page shows, the program went on for # seconds. Does a loop that prints ever end?",
    stopped: "Stopped@.",
    recursion: "Your functions call each other, or themselves, without end: the call stack is full. Which call should end the recursion?",
    memory: "The program was stopped because it used more than a gigabyte of memory. What grows without limit?",
    fault: "The program crashed:",
  };
  const buttons = [...root.querySelectorAll("[data-call]")];
  // Handle the shortcuts that run and format, before the editor gets the event. The shortcut to run
  // clicks the check button that has the focus. If the focus is in the editor, it clicks the first one.
  root.addEventListener("keydown", (e) => {
    const call = e.target.closest("[data-call]") || (e.target.closest(".editor") && buttons[0]);
    const act = !call ? null : hyperplaneRuns(e) ? () => call.click() : hyperplaneFormats(e) ? format : null;
    if (!act) return;
    e.preventDefault();
    e.stopPropagation();
    act();
  }, true);
  function busy(is) {
    [...buttons, ...document.querySelectorAll(".try .run")].forEach((b) => { b.disabled = is; });
    root.dataset.busy = is ? "yes" : "";
  }

  const drawn = "Loading the packages for pictures: ";
  // loadedMore returns a function that reports the progress of loading the packages for cells. Its
  // argument is the number of bytes that have arrived since the last call.
  function loadedMore(say) {
    let done = 0;
    return (n) => { judge.manifest().then((m) => say((done += n) >= m.cells.size ? "Compiling …" : drawn + mega(done) + " of " + mega(m.cells.size))); };
  }

  // ended returns {says, trace}: a message for the reader about the end of a program, and the trace to
  // show. If there is no reason in reasons and no text other, the message is the first line of Go's
  // trace, with the line of the source. during, if given, says what the program was doing.
  function ended(end, other, during = "") {
    const first = /^(?:panic|fatal error): .*$/m.exec(end.trace), at = /\b(?:(cell)|answer|earlier)\.go:(\d+)/.exec(end.trace);
    const own = first ? first[0] + (at ? " (line " + at[2] + (at[1] ? ")" : " of your answer or of an earlier cell)") : "") : "The program called os.Exit(" + end.code + ").";
    return {
      says: end.why || end.code ? reasons[end.why]?.replace("#", end.patience / 1000).replace("@", during) || other || own : "",
      trace: end.why === "recursion" || end.why === "memory" ? "" : end.trace,
    };
  }

  // during returns a text that names the first part of a report that is not judged yet. The text also
  // names the function that this part calls, if only one function is possible.
  function during(report, call) {
    const rows = [...report.querySelectorAll("tr")], n = rows.findIndex((r) => r.className === "open");
    if (n < 0) return "";
    const all = call.replace(/^.*?\(|\)$/g, "").split(/,\s*/), named = all.filter((f) => rows[n].textContent.includes(f));
    const one = all.length === 1 ? all[0] : named.length === 1 ? named[0] : "";
    return " while part " + (n + 1) + (one ? " called " + one : " was judged");
  }

  async function check(call) {
    const report = $("report"), says = $("says"), places = new Map(), plain = new Map();
    const trouble = (text) => { $("trouble").textContent = text; };
    report.after($("trouble"));
    report.textContent = says.textContent = "";
    trouble("");
    about = null;
    showStale();
    await ready();
    say("Compiling …");
    const source = editor.get(), began = performance.now(), p = await judge.compile([{ name: "answer.go", source }], judge.program(call));
    about = source;
    showStale();
    if (p.type !== "program") {
      trouble(p.type === "errors" ? "Your answer does not compile, and was not judged:" : "The compiler failed:");
      says.textContent = p.text || p.message;
      reveal(report.parentNode);
      return say("");
    }
    say("Judging …");
    // If this check has judged the same text before, the check is not a new try. It then uses the record
    // from before the earlier try, so that the report is the same.
    const judged = key + "/" + call, last = store.judged(judged), same = store.known(key) && last?.source === source;
    const before = same ? last.before : store.known(key) ? store.record(key) : null;
    $("stop").hidden = false;
    const end = await judge.run({ bytes: p.bytes, files: { "answer.go": source, "progress.json": store.text(key, before) }, env: { HYPERPLANE_PROGRESS: "/w/progress.json" } }, {
      show({ id, html, text }) {
        const place = places.get(id) || report.appendChild(document.createElement("div"));
        if (id) places.set(id, place);
        if (html) place.innerHTML = html; else place.textContent = text;
        plain.set(place, text);
        hyperplaneVerdict(place, hints);
        hints.remark(place);
      },
      print({ text }) { says.append(text); },
      file({ path, text }) { if (path === "/w/progress.json" && !same) store.save(text, key); },
    });
    $("stop").hidden = true;
    const sum = [...report.querySelectorAll(".sum")].find((e) => e.textContent.startsWith("judging: "));
    const told = ended(end, "The program ended before the report was complete (os.Exit, or a fatal error):", sum ? during(report, call) : "");
    trouble(told.says || (sum ? "The program ended before the report was complete: does it call os.Exit?" : ""));
    if (sum) { // show the reason for the end below the summary
      sum.textContent = sum.textContent.replace("judging", "stopped");
      sum.after($("trouble"));
    }
    if (told.trace) says.textContent += (says.textContent && "\n") + told.trace;
    const attempted = !/^not attempted/.test(report.querySelector(".sum")?.textContent);
    if (plain.size && attempted) hyperplaneDispute(report, { path: exercise.path, exercise: exercise.id, seed, version: exercise.version, answer: source, report: [...plain.values()].join("\n") });
    if (!same && !end.why && !end.code) store.keepJudged(judged, { source, before });
    showRecord();
    root.dataset.took = [p.compile, p.link, performance.now() - began].map(Math.round).join(" ");
    say(end.why ? "" : "Judged in " + ((performance.now() - began) / 1000).toFixed(1) + " s." + (same ? " The answer has not changed since it was judged, so this does not count as a new try." : ""));
    reveal(report.parentNode);
  }

  // reveal scrolls the outcome of a check into view, unless all of it is visible. If the outcome is
  // higher than the window, its top is then at the top of the window.
  function reveal(outcome) {
    const { top, bottom, height } = outcome.getBoundingClientRect();
    if (top >= 0 && bottom <= innerHeight || !height) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    outcome.scrollIntoView({ block: height < innerHeight ? "nearest" : "start", behavior: calm ? "instant" : "smooth" });
  }

  buttons.forEach((b) => b.addEventListener("click", () => {
    busy(true);
    check(b.dataset.call).catch(failed).finally(() => busy(false));
  }));
  $("stop").addEventListener("click", () => judge.stop?.());

  // cell compiles the files of a cell, to which files() resolves. If runs is true, it also runs the
  // program.
  async function cell(files, on, runs) {
    busy(true);
    try {
      on.say("Loading the compiler …");
      await ready(on.say);
      on.say("Compiling …");
      const p = await judge.compile(await files(), judge.program(), loadedMore(on.say));
      if (p.type !== "program") return { says: p.type === "errors" ? "This does not compile:" : "The compiler failed:", trace: p.text || p.message };
      if (!runs) return { says: "" };
      on.say("Running …");
      const record = { files: { "progress.json": store.text() }, env: { HYPERPLANE_PROGRESS: "/w/progress.json" } };
      return ended(await judge.run({ bytes: p.bytes, ...record }, on, HyperplaneJudge.cellPatience));
    } catch (e) {
      return { says: "The compiler cannot be loaded: " + e.message };
    } finally {
      busy(false);
    }
  }
  hyperplaneCells({ key, run: cell, stop: () => judge.stop?.(), answer: exercise.lesson ? null : () => editor.get(), work, names, root: exercise.root });
})();
