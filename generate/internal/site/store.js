"use strict";
// What the browser remembers: the progress, in the form of the notebooks' progress.json, the
// learner's answers, guesses and changed cells with their times. Every page loads this script, and its marks show
// the progress. A key names an exercise in a variant: "prml-4.25", or "prml-4.25:7" with the seed 7.
const hyperplaneStore = (function () {
  const progressKey = "hyperplane-progress", schema = "hyperplane-progress/2", old = "hyperplane-progress/1";
  const answers = "hyperplane-answer:", times = "hyperplane-time:", guesses = "hyperplane-guess:", aside = "hyperplane-aside:";
  const cells = "hyperplane-cell:", judged = "hyperplane-judged:", replaced = "hyperplane-replaced:", importKey = "hyperplane-import";
  const read = (key) => { try { return localStorage.getItem(key); } catch (e) { return null; } };
  const write = (key, text) => { try { localStorage.setItem(key, text); return true; } catch (e) { return false; } };
  const remove = (key) => { try { localStorage.removeItem(key); } catch (e) { /* was not kept */ } };
  const lines = (v) => JSON.stringify(v, null, 2) + "\n";
  const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));
  const now = () => new Date().toISOString();

  // keys returns the rest of each kept key that begins with the prefix.
  function keys(prefix) {
    try { return Object.keys(localStorage).filter((k) => k.startsWith(prefix)).map((k) => k.slice(prefix.length)).sort(); } catch (e) { return []; }
  }

  // check returns what is wrong with the text of a progress.json, "" for nothing.
  function check(text) {
    let p;
    try { p = JSON.parse(text); } catch (e) { return "it is not JSON: " + e.message; }
    return checked(p);
  }
  function checked(p) {
    if (!p || typeof p !== "object" || !String(p.schema).startsWith("hyperplane-progress/")) return "it belongs to another program, without \"schema\": \"" + schema + "\"";
    if (p.schema !== schema && p.schema !== old) return "it is of another version (" + p.schema + ", this page knows " + schema + ")";
    if (!p.exercises || typeof p.exercises !== "object" || Array.isArray(p.exercises)) return "it holds no exercises";
    for (const [id, r] of Object.entries(p.exercises)) {
      if (!r || typeof r !== "object" || !r.answer || typeof r.answer.tries !== "number" || !Array.isArray(r.hints)) return "the record of " + id + " is damaged";
    }
    return "";
  }

  // kept is the progress. A record of schema 1 becomes the record of the common variant.
  function kept() {
    const text = read(progressKey);
    return text && check(text) === "" ? { ...JSON.parse(text), schema } : { schema, exercises: {} };
  }
  const keep = (p) => write(progressKey, lines({ schema, exercises: sorted(p.exercises) }));
  // text is the text of the progress, with the record r in place of the kept one with key k. A null
  // means no record.
  function text(k, r) {
    const p = kept();
    if (r) p.exercises[k] = r; else if (k) delete p.exercises[k];
    return lines(p);
  }
  const blank = () => ({ answer: { passed: false, tries: 0, last: null }, steps: null, hints: [], offered: false, revealed: false });
  const words = { passed: "passed", tried: "tried", revealed: "solution seen", none: "not begun" };
  const key = (id, seed) => (seed ? id + ":" + seed : id);
  const order = ["none", "tried", "revealed", "passed"];
  // state is the state of an exercise in the variant with this seed, 0 for the common one: "passed",
  // "revealed", "tried" or "none". Without a seed it is the best of all variants.
  function state(id, seed, exercises = kept().exercises) {
    if (seed === undefined) return order[Math.max(...variants(id, exercises).map((k) => order.indexOf(state(k, 0, exercises))), 0)];
    const r = exercises[key(id, seed)];
    return !r ? "none" : r.answer.passed ? "passed" : r.revealed ? "revealed" : r.answer.tries ? "tried" : "none";
  }
  const variants = (id, exercises) => Object.keys(exercises).filter((k) => k === id || k.startsWith(id + ":"));

  // worked returns, by exercise and lesson, the time of the latest answer, guess or change of a cell.
  function worked() {
    const latest = {}, add = (key, time) => {
      const id = key.split(/[:/]/)[0];
      if (time > (latest[id] || "")) latest[id] = time;
    };
    for (const k of keys(times)) add(k, read(times + k));
    for (const k of keys(guesses)) add(k, guess(k)?.time || "");
    for (const k of keys(cells)) add(k, cell(k)?.time || "");
    return latest;
  }

  // due lists the exercises whose latest pass, in any variant, was more than two weeks ago, each with
  // the date and with the smallest seed that was not tried. The notebooks' Progress has the same rule.
  function due(today = new Date()) {
    const { exercises } = kept(), latest = {};
    for (const [k, r] of Object.entries(exercises)) {
      const id = k.split(":")[0], date = r.answer.passed_on || "";
      if (date > (latest[id] || "")) latest[id] = date;
    }
    return Object.entries(sorted(latest)).filter(([, date]) => today - Date.parse(date) > 14 * 24 * 3600 * 1000).map(([id, on]) => {
      let seed = 1;
      while (exercises[key(id, seed)]) seed++;
      return { id, on, seed };
    });
  }

  // best is the seed of the variant whose state a list shows: the common one if it is as good as any.
  function best(id, exercises) {
    const want = state(id, undefined, exercises), seeds = variants(id, exercises).map((k) => Number(k.split(":")[1] || 0));
    return [0, ...seeds.sort((a, b) => a - b)].find((seed) => state(id, seed, exercises) === want);
  }

  // marks shows the state of an exercise in each element with data-mark="ID", and how many of the
  // exercises are passed in each element with data-count="ID ID …", followed by data-words. An
  // element with class meter beside it shows the same share as a bar. With data-seed the mark is for
  // that variant; without it, the best of all counts, and the mark names the variant.
  function marks() {
    const { exercises } = kept();
    for (const m of document.querySelectorAll("[data-mark]")) {
      const id = m.dataset.mark, own = m.dataset.seed !== undefined, seed = own ? Number(m.dataset.seed) : best(id, exercises);
      m.title = words[m.dataset.state = state(id, seed, exercises)] + (seed && !own ? ", variant " + seed : "");
      const word = document.createElement("span");
      word.className = "sr";
      word.textContent = m.title;
      m.replaceChildren(word);
    }
    for (const c of document.querySelectorAll("[data-count]")) {
      const ids = c.dataset.count.split(" "), passed = ids.filter((id) => state(id, undefined, exercises) === "passed").length;
      c.textContent = passed + " of " + ids.length + (c.dataset.words || "");
      c.parentNode.querySelector(".meter")?.style.setProperty("--share", passed / ids.length);
    }
  }
  addEventListener("storage", marks);
  // A page that the browser kept while another was shown comes back with the progress of that time.
  addEventListener("pageshow", (e) => { if (e.persisted) marks(); });
  marks(); // the script comes after the elements of the page

  // ---- all work in one file ----------------------------------------------------------

  const workSchema = "hyperplane-work/1";
  // work is the text of hyperplane-work.json, which `generate` reads too.
  const work = () => lines({
    schema: workSchema,
    answers: Object.fromEntries(keys(answers).map((k) => [k, { time: read(times + k) || "", source: read(answers + k) }])),
    guesses: Object.fromEntries(keys(guesses).map((k) => [k, guess(k)])),
    ...(keys(cells).length ? { cells: Object.fromEntries(keys(cells).map((k) => [k, cell(k)])) } : {}),
    progress: kept(),
  });

  // guess is a kept guess {time, value}, where value is null if the reader wanted to make none, or null.
  function guess(name) {
    try { return JSON.parse(read(guesses + name)); } catch (e) { return null; }
  }

  // cell is a kept cell {time, source}, or null. Its name is LESSON/ID or EXERCISE/ID, with the seed of
  // a variant as in key.
  function cell(name) {
    try { return JSON.parse(read(cells + name)); } catch (e) { return null; }
  }

  // wrongWork returns what is wrong with a work file, "" for nothing.
  function wrongWork(w) {
    if (w.schema !== workSchema) return "it is of another version (" + w.schema + ", this page knows " + workSchema + ")";
    for (const [what, ok] of [["answers", (v) => typeof v.source === "string" && typeof v.time === "string"],
      ["guesses", (v) => typeof v.time === "string" && (v.value === null || typeof v.value === "number")],
      ["cells", (v) => typeof v.source === "string" && typeof v.time === "string"]]) {
      if (what === "cells" && w.cells === undefined) continue;
      const list = w[what];
      if (!list || typeof list !== "object" || Array.isArray(list)) return "it holds no " + what;
      for (const [k, v] of Object.entries(list)) if (!v || typeof v !== "object" || !ok(v)) return "its entry of " + k + " in " + what + " is damaged";
    }
    const bad = checked(w.progress);
    return bad && "in its progress, " + bad;
  }

  // attempts and merged join two records of one exercise: what was reached in either counts, and the
  // tries come from the record with more tries.
  function attempts(a, b) {
    if (!a || !b) return a || b || null;
    const [more, less] = b.tries > a.tries ? [b, a] : [a, b], out = { ...more, passed: a.passed || b.passed };
    const after = more.passed_after || less.passed_after, on = [a.passed_on || "", b.passed_on || ""].sort()[1];
    if (after) out.passed_after = after;
    if (on) out.passed_on = on;
    return out;
  }
  const merged = (a, b) => ({
    answer: attempts(a.answer, b.answer), steps: attempts(a.steps, b.steps), hints: [...new Set([...a.hints, ...b.hints])].sort((x, y) => x - y),
    offered: !!(a.offered || b.offered), revealed: !!(a.revealed || b.revealed),
  });

  // named is a key as the reader knows it.
  const named = (k) => k.replace(/:([0-9]+)$/, ", variant $1").replace(/^lesson-([0-9]+)[:/]/, "lesson $1, ").replace(/^lesson-([0-9]+)(?=,|$)/, "lesson $1");

  // lastImport returns the last import within a day that changed something, or null: {time, file,
  // report, groups, progress, offers}. A group lists keys that the import changed together, with their
  // texts before and after. progress has the records that it changed, before and after. offers has by
  // key the other answer where two were different, and the line of the report.
  function lastImport() {
    try {
      const i = JSON.parse(read(importKey));
      return i && Date.now() - Date.parse(i.time) < 24 * 3600 * 1000 ? i : null;
    } catch (e) { return null; }
  }

  // undoImport undoes the last import. It leaves what has changed since, and returns the names of that.
  // It returns null if there is nothing to undo.
  function undoImport() {
    const last = lastImport(), left = [], put = (k, v) => (v === null ? remove(k) : write(k, v));
    if (!last) return null;
    for (const { name, keys } of last.groups) {
      const { key, after } = keys[0];
      if (read(key) === after) keys.forEach((c) => put(c.key, c.before));
      else if (key !== progressKey) left.push(name);
      else {
        const p = kept(), same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        for (const [k, [before, now]] of Object.entries(last.progress)) {
          if (!same(p.exercises[k], now)) left.push(named(k));
          else if (before) p.exercises[k] = before;
          else delete p.exercises[k];
        }
        keep(p);
      }
    }
    remove(importKey);
    return [...new Set(left)];
  }

  // swapImported exchanges the answer with this key and the one that the last import offers for it.
  function swapImported(k) {
    const last = lastImport(), offer = last?.offers[k], mine = { source: read(answers + k), time: read(times + k) };
    if (!offer) return false;
    const time = now();
    if (!write(answers + k, offer.source) || !write(times + k, time)) return false;
    let group = last.groups.find((g) => g.keys[0].key === answers + k);
    if (!group) last.groups.push(group = { name: named(k), keys: [{ key: answers + k, before: mine.source }, { key: times + k, before: mine.time }] });
    group.keys[0].after = offer.source;
    group.keys[1].after = time;
    last.offers[k] = { ...offer, ...mine, taken: !offer.taken };
    return write(importKey, JSON.stringify(last));
  }

  // receive takes over a hyperplane-work.json or a progress.json. Of two answers or guesses the newer
  // one stays. It returns {bad, foreign}, where foreign says that the file is of no known form, or
  // {report, changed, undo}: a line for each choice, whether anything has changed, and what takes it back.
  function receive(text, file = "") {
    let w;
    try { w = JSON.parse(text); } catch (e) { return { bad: "it is not JSON", foreign: true }; }
    const whole = !!w && String(w.schema).startsWith("hyperplane-work/"), bad = whole ? wrongWork(w) : checked(w);
    if (bad) return { bad, foreign: !whole && !/^hyperplane-/.test(w?.schema) };
    const touched = [progressKey, ...["answers", "guesses", "cells"].flatMap((what) => Object.keys(whole && w[what] || {}).flatMap((k) => (what === "answers" ? [answers + k, times + k] : [(what === "cells" ? cells : guesses) + k])))];
    const before = touched.map((k) => [k, read(k)]), report = [], groups = [], progress = {}, offers = {};
    const restore = () => before.forEach(([k, v]) => (v === null ? remove(k) : write(k, v)));
    let ok = true;
    // choose returns "stays", "added", "replaces", or "" where both are equal.
    const choose = (mine, mineTime, theirs, theirTime, take) => {
      if (mine === theirs) return "";
      if (mine !== null && theirTime <= mineTime) return "stays";
      ok = take() && ok;
      return mine === null ? "added" : "replaces";
    };
    const line = (name, thing, chosen) => {
      const text = name + { stays: ": your " + thing + " here is newer and stays.", added: ": " + thing + " added.", replaces: ": the " + thing + " of the file is newer and replaces yours." }[chosen];
      if (chosen) report.push(text);
      return text;
    };
    for (const [k, v] of Object.entries(whole ? w.answers : {})) {
      const chosen = choose(read(answers + k), read(times + k) || "", v.source, v.time, () => write(answers + k, v.source) && write(times + k, v.time));
      const told = line(named(k), "answer", chosen);
      if (chosen === "stays") offers[k] = { source: v.source, time: v.time, line: told, taken: false };
    }
    for (const [k, v] of Object.entries(whole ? w.guesses : {})) {
      const mine = guess(k);
      line(named(k), "guess", choose(mine && JSON.stringify(mine.value), mine ? mine.time : "", JSON.stringify(v.value), v.time, () => write(guesses + k, JSON.stringify({ time: v.time, value: v.value }))));
    }
    const counts = new Map(); // of cells, which have no names that a reader knows
    for (const [k, v] of Object.entries(whole && w.cells || {})) {
      const mine = cell(k), chosen = choose(mine && mine.source, mine ? mine.time : "", v.source, v.time, () => write(cells + k, JSON.stringify({ time: v.time, source: v.source })));
      const of = named(k.split("/")[0]) + "/" + chosen;
      if (chosen) counts.set(of, (counts.get(of) || 0) + 1);
    }
    for (const [of, n] of counts) {
      const [name, chosen] = of.split("/");
      report.push(name + ": " + (n === 1 ? "a changed cell " : n + " changed cells ") + { stays: "here " + (n === 1 ? "is" : "are") + " newer and " + (n === 1 ? "stays" : "stay"), added: "added", replaces: "replaced by the file's, which " + (n === 1 ? "is" : "are") + " newer" }[chosen] + ".");
    }
    const p = kept();
    for (const [k, r] of Object.entries((whole ? w.progress : w).exercises)) {
      const both = p.exercises[k] ? merged(p.exercises[k], r) : r;
      if (JSON.stringify(both) === JSON.stringify(p.exercises[k])) continue;
      report.push(named(k) + ": progress " + (p.exercises[k] ? "joined." : "added."));
      progress[k] = [p.exercises[k] || null, both];
      p.exercises[k] = both;
    }
    if (Object.keys(progress).length) ok = keep(p) && ok;
    if (!ok) { restore(); return { bad: "the browser keeps nothing for this page, or has no room" }; }
    const changed = before.filter(([k, v]) => k === progressKey ? Object.keys(progress).length : read(k) !== v).map(([key, v]) => ({ key, before: v, after: read(key) }));
    for (const c of changed.filter((c) => !c.key.startsWith(times))) {
      const time = changed.find((t) => c.key.startsWith(answers) && t.key === times + c.key.slice(answers.length));
      groups.push({ name: c.key === progressKey ? "" : named(c.key.replace(/^[^:]*:/, "").split("/")[0]), keys: time ? [c, time] : [c] });
    }
    // An import that changes nothing leaves the undo of the one before.
    const old = groups.length ? null : lastImport(), last = old ? { ...old, offers: { ...offers, ...old.offers } } : { time: now(), file, report, groups, progress, offers };
    const remembered = !report.length || write(importKey, JSON.stringify(last));
    return { report, changed: groups.length > 0, undo: remembered ? undoImport : () => { restore(); return []; } };
  }

  return {
    check, text, state, marks, words, due, work, worked, receive, lastImport, undoImport, swapImported, guess, key,
    // save keeps the record with this key of a progress.json, and reports whether it could. The other
    // records may have changed in another tab meanwhile.
    save(t, k) {
      if (check(t) !== "") return false;
      const p = kept(), r = JSON.parse(t).exercises[k];
      if (r) p.exercises[k] = r; else delete p.exercises[k];
      return keep(p);
    },
    known: (k) => Object.hasOwn(kept().exercises, k),
    record: (k) => kept().exercises[k] || blank(),
    // change changes the record with this key.
    change(k, f) {
      const p = kept(), r = p.exercises[k] || blank();
      f(r);
      p.exercises[k] = r;
      return keep(p);
    },
    answer: (k) => read(answers + k),
    keepAnswer: (k, source) => read(answers + k) === source || write(answers + k, source) && write(times + k, now()),
    forgetAnswer(k) { remove(answers + k); remove(times + k); },
    // answerOf is the key whose answer the event of a change in another tab is about, or "".
    answerOf: (e) => (e.key && e.key.startsWith(answers) ? e.key.slice(answers.length) : ""),
    // setAside keeps the text of a tab beside the answer that another tab has written, or with null
    // removes it. asides lists the texts {tab, text} of an answer.
    asides: (k) => keys(aside + k + "/").map((tab) => ({ tab, text: read(aside + k + "/" + tab) })),
    setAside: (k, tab, source) => (source === null ? remove(aside + k + "/" + tab) : write(aside + k + "/" + tab, source)),
    // keepReplaced keeps the answer that the stub has replaced, until the learner edits the stub. replaced
    // returns it, or null.
    keepReplaced: (k, source) => write(replaced + k, source),
    replaced: (k) => read(replaced + k),
    forgetReplaced: (k) => remove(replaced + k),
    keepGuess: (name, value) => write(guesses + name, JSON.stringify({ time: now(), value })),
    forgetGuess: (name) => remove(guesses + name),
    cell: (name) => cell(name)?.source ?? null,
    keepCell: (name, source) => write(cells + name, JSON.stringify({ time: now(), source })),
    forgetCell: (name) => remove(cells + name),
    // keepJudged keeps {source, before}: what a check has judged as a try, and the record before that
    // try, or null. judged returns it, or null.
    keepJudged: (k, v) => write(judged + k, JSON.stringify(v)),
    judged(k) { try { return JSON.parse(read(judged + k)); } catch (e) { return null; } },
    // mine counts what would be deleted; deleteAll deletes it.
    mine: () => ({ answers: keys(answers).length, guesses: keys(guesses).length, cells: keys(cells).length, exercises: Object.keys(kept().exercises).length }),
    deleteAll() {
      for (const prefix of [answers, times, guesses, aside, cells, judged, replaced, importKey, progressKey, "hyperplane-jupyter"]) keys(prefix).forEach((k) => remove(prefix + k));
    },
  };
})();
