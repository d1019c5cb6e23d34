"use strict";
// hyperplaneStore manages the learner's data in the browser: the progress, in the format of the
// notebooks' progress.json, and the answers, guesses and changed cells, each with a time. Every page
// loads this script, which also fills in the page's marks of progress. A key names an exercise in a
// variant: "prml-4.25" for the common variant, or "prml-4.25:7" for the variant with seed 7.
const hyperplaneStore = (function () {
  const progressKey = "hyperplane-progress", schema = "hyperplane-progress/2", old = "hyperplane-progress/1";
  const answers = "hyperplane-answer:", times = "hyperplane-time:", guesses = "hyperplane-guess:", aside = "hyperplane-aside:";
  const cells = "hyperplane-cell:", judged = "hyperplane-judged:", replaced = "hyperplane-replaced:", importKey = "hyperplane-import";
  const read = (key) => { try { return localStorage.getItem(key); } catch (e) { return null; } };
  const write = (key, text) => { try { localStorage.setItem(key, text); return true; } catch (e) { return false; } };
  const remove = (key) => { try { localStorage.removeItem(key); } catch (e) { /* without storage, there is nothing to remove */ } };
  const lines = (v) => JSON.stringify(v, null, 2) + "\n";
  const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));
  const now = () => new Date().toISOString();

  // keys returns the stored keys that begin with the prefix, without this prefix.
  function keys(prefix) {
    try { return Object.keys(localStorage).filter((k) => k.startsWith(prefix)).map((k) => k.slice(prefix.length)).sort(); } catch (e) { return []; }
  }

  // check returns a description of the first fault in the text of a progress.json, or "" without a fault.
  function check(text) {
    let p;
    try { p = JSON.parse(text); } catch (e) { return "it is not JSON: " + e.message; }
    return checked(p);
  }
  function checked(p) {
    if (!p || typeof p !== "object" || !String(p.schema).startsWith("hyperplane-progress/")) return "it has no \"schema\": \"" + schema + "\", so it belongs to another program";
    if (p.schema !== schema && p.schema !== old) return "it has version " + p.schema + ", but this page reads version " + schema;
    if (!p.exercises || typeof p.exercises !== "object" || Array.isArray(p.exercises)) return "it contains no exercises";
    for (const [id, r] of Object.entries(p.exercises)) {
      if (!r || typeof r !== "object" || !r.answer || typeof r.answer.tries !== "number" || !Array.isArray(r.hints)) return "the record of " + id + " is damaged";
    }
    return "";
  }

  // kept returns the stored progress. A record of schema 1 becomes the record of the common variant.
  function kept() {
    const text = read(progressKey);
    return text && check(text) === "" ? { ...JSON.parse(text), schema } : { schema, exercises: {} };
  }
  const keep = (p) => write(progressKey, lines({ schema, exercises: sorted(p.exercises) }));
  // text returns the progress as text, with the record of key k replaced by r. If r is null, the text
  // contains no record of k. Without arguments, text returns the stored progress.
  function text(k, r) {
    const p = kept();
    if (r) p.exercises[k] = r; else if (k) delete p.exercises[k];
    return lines(p);
  }
  const blank = () => ({ answer: { passed: false, tries: 0, last: null }, steps: null, hints: [], offered: false, revealed: false });
  const words = { passed: "passed", tried: "tried", revealed: "solution seen", none: "not begun" };
  const key = (id, seed) => (seed ? id + ":" + seed : id);
  const order = ["none", "tried", "revealed", "passed"];
  // state returns the state of an exercise in the variant with this seed: "passed", "revealed", "tried"
  // or "none". The seed 0 means the common variant. Without a seed, state returns the best state of all
  // variants.
  function state(id, seed, exercises = kept().exercises) {
    if (seed === undefined) return order[Math.max(...variants(id, exercises).map((k) => order.indexOf(state(k, 0, exercises))), 0)];
    const r = exercises[key(id, seed)];
    return !r ? "none" : r.answer.passed ? "passed" : r.revealed ? "revealed" : r.answer.tries ? "tried" : "none";
  }
  const variants = (id, exercises) => Object.keys(exercises).filter((k) => k === id || k.startsWith(id + ":"));

  // worked returns an object that maps the id of each exercise and lesson to the time of its latest
  // answer, guess or change of a cell.
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

  // due lists the exercises that the learner last passed, in any variant, more than two weeks ago. Each
  // entry contains the date and the smallest seed that the learner has not tried. The function Progress
  // of the notebooks uses the same rule.
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

  // best returns the seed of the variant with the best state, which a list shows. If several variants
  // have this state, it returns the smallest seed, which is 0 for the common variant.
  function best(id, exercises) {
    const want = state(id, undefined, exercises), seeds = variants(id, exercises).map((k) => Number(k.split(":")[1] || 0));
    return [0, ...seeds.sort((a, b) => a - b)].find((seed) => state(id, seed, exercises) === want);
  }

  // marks shows the learner's progress on the page. An element with data-mark="ID" shows the state of an
  // exercise. With data-seed, this is the state in the variant with this seed. Without data-seed, it is
  // the best state of all variants, and the mark names the variant. An element with
  // data-count="ID ID …" shows how many of these exercises are passed, followed by the text in
  // data-words. If an element with the class meter is beside it, this element shows the share as a bar.
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
  // If the reader returns to a page that the browser has kept in memory, its marks may be outdated.
  addEventListener("pageshow", (e) => { if (e.persisted) marks(); });
  marks(); // the elements already exist, because the script comes after them in the page

  // ---- all work in one file ----------------------------------------------------------

  const workSchema = "hyperplane-work/1";
  // work returns the text of hyperplane-work.json, which the command `generate` can also read.
  const work = () => lines({
    schema: workSchema,
    answers: Object.fromEntries(keys(answers).map((k) => [k, { time: read(times + k) || "", source: read(answers + k) }])),
    guesses: Object.fromEntries(keys(guesses).map((k) => [k, guess(k)])),
    ...(keys(cells).length ? { cells: Object.fromEntries(keys(cells).map((k) => [k, cell(k)])) } : {}),
    progress: kept(),
  });

  // guess returns a stored guess {time, value}, or null if no guess is stored. The field value is null if
  // the reader chose to make no guess.
  function guess(name) {
    try { return JSON.parse(read(guesses + name)); } catch (e) { return null; }
  }

  // cell returns a stored cell {time, source}, or null. Its name is LESSON/ID, or KEY/ID with the key of
  // an exercise in a variant.
  function cell(name) {
    try { return JSON.parse(read(cells + name)); } catch (e) { return null; }
  }

  // wrongWork returns a description of the first fault in a work file, or "" without a fault.
  function wrongWork(w) {
    if (w.schema !== workSchema) return "it has version " + w.schema + ", but this page reads version " + workSchema;
    for (const [what, ok] of [["answers", (v) => typeof v.source === "string" && typeof v.time === "string"],
      ["guesses", (v) => typeof v.time === "string" && (v.value === null || typeof v.value === "number")],
      ["cells", (v) => typeof v.source === "string" && typeof v.time === "string"]]) {
      if (what === "cells" && w.cells === undefined) continue;
      const list = w[what];
      if (!list || typeof list !== "object" || Array.isArray(list)) return "it contains no " + what;
      for (const [k, v] of Object.entries(list)) if (!v || typeof v !== "object" || !ok(v)) return "the entry " + k + " in " + what + " is damaged";
    }
    const bad = checked(w.progress);
    return bad && "in its progress, " + bad;
  }

  // merged merges two records of the same exercise, and attempts merges a part of these records. The
  // result is passed if either record is passed. The number of tries comes from the record with more
  // tries.
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

  // named converts a key to a name for the reader, such as "prml-4.25, variant 7" or "lesson 2".
  const named = (k) => k.replace(/:([0-9]+)$/, ", variant $1").replace(/^lesson-([0-9]+)[:/]/, "lesson $1, ").replace(/^lesson-([0-9]+)(?=,|$)/, "lesson $1");

  // lastImport returns the last import that changed something, or null if it was more than a day ago.
  // The result is {time, file, report, groups, progress, offers}. Each group lists storage keys that the
  // import changed together, with the stored texts before and after the import. progress contains the
  // records that the import changed, before and after. If the file contained an older answer than the
  // browser, offers contains this answer, keyed by exercise, with its line of the report.
  function lastImport() {
    try {
      const i = JSON.parse(read(importKey));
      return i && Date.now() - Date.parse(i.time) < 24 * 3600 * 1000 ? i : null;
    } catch (e) { return null; }
  }

  // undoImport undoes the last import. It keeps everything that has changed since the import, and returns
  // a list of the names of these exercises and lessons. If there is nothing to undo, it returns null.
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

  // swapImported exchanges the stored answer with this key and the answer that lastImport offers for it.
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

  // receive imports a hyperplane-work.json or a progress.json. If the browser and the file contain
  // different answers or guesses for the same key, the newer one remains. If the file cannot be imported,
  // receive returns {bad, foreign}: bad describes the problem, and foreign is true if the file has an
  // unknown format. Otherwise it returns {report, changed, undo}: report contains a line for each choice,
  // changed is true if the import has changed something, and undo is a function that undoes the import.
  function receive(text, file = "") {
    let w;
    try { w = JSON.parse(text); } catch (e) { return { bad: "it is not JSON", foreign: true }; }
    const whole = !!w && String(w.schema).startsWith("hyperplane-work/"), bad = whole ? wrongWork(w) : checked(w);
    if (bad) return { bad, foreign: !whole && !/^hyperplane-/.test(w?.schema) };
    const touched = [progressKey, ...["answers", "guesses", "cells"].flatMap((what) => Object.keys(whole && w[what] || {}).flatMap((k) => (what === "answers" ? [answers + k, times + k] : [(what === "cells" ? cells : guesses) + k])))];
    const before = touched.map((k) => [k, read(k)]), report = [], groups = [], progress = {}, offers = {};
    const restore = () => before.forEach(([k, v]) => (v === null ? remove(k) : write(k, v)));
    let ok = true;
    // choose stores the value of the file if it is newer, or if the browser has none. It returns "stays",
    // "added" or "replaces", or "" if both values are equal.
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
    const counts = new Map(); // numbers of changed cells; the report does not name cells, because their ids mean nothing to a reader
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
    if (!ok) { restore(); return { bad: "the browser cannot store data for this page, or has no space left" }; }
    const changed = before.filter(([k, v]) => k === progressKey ? Object.keys(progress).length : read(k) !== v).map(([key, v]) => ({ key, before: v, after: read(key) }));
    for (const c of changed.filter((c) => !c.key.startsWith(times))) {
      const time = changed.find((t) => c.key.startsWith(answers) && t.key === times + c.key.slice(answers.length));
      groups.push({ name: c.key === progressKey ? "" : named(c.key.replace(/^[^:]*:/, "").split("/")[0]), keys: time ? [c, time] : [c] });
    }
    // After an import that changes nothing, the earlier import can still be undone.
    const old = groups.length ? null : lastImport(), last = old ? { ...old, offers: { ...offers, ...old.offers } } : { time: now(), file, report, groups, progress, offers };
    const remembered = !report.length || write(importKey, JSON.stringify(last));
    return { report, changed: groups.length > 0, undo: remembered ? undoImport : () => { restore(); return []; } };
  }

  return {
    check, text, state, marks, words, due, work, worked, receive, lastImport, undoImport, swapImported, guess, key,
    // save stores the record with key k from the text t of a progress.json. It reports whether it
    // succeeded. It does not store the other records in t, because another tab may have changed them.
    save(t, k) {
      if (check(t) !== "") return false;
      const p = kept(), r = JSON.parse(t).exercises[k];
      if (r) p.exercises[k] = r; else delete p.exercises[k];
      return keep(p);
    },
    known: (k) => Object.hasOwn(kept().exercises, k),
    record: (k) => kept().exercises[k] || blank(),
    // change calls f with the record of key k, which f may change, and stores the record.
    change(k, f) {
      const p = kept(), r = p.exercises[k] || blank();
      f(r);
      p.exercises[k] = r;
      return keep(p);
    },
    answer: (k) => read(answers + k),
    keepAnswer: (k, source) => read(answers + k) === source || write(answers + k, source) && write(times + k, now()),
    forgetAnswer(k) { remove(answers + k); remove(times + k); },
    // answerOf returns the key of the answer that another tab has changed, according to a storage event.
    // If the event is not about an answer, it returns "".
    answerOf: (e) => (e.key && e.key.startsWith(answers) ? e.key.slice(answers.length) : ""),
    // setAside stores the text of a tab separately, in addition to the answer that another tab has
    // stored. If source is null, it removes this text. asides lists such texts of an answer as {tab, text}.
    asides: (k) => keys(aside + k + "/").map((tab) => ({ tab, text: read(aside + k + "/" + tab) })),
    setAside: (k, tab, source) => (source === null ? remove(aside + k + "/" + tab) : write(aside + k + "/" + tab, source)),
    // keepReplaced stores the answer that the stub has replaced. replaced returns this answer, or null. When
    // the learner edits the stub, the page calls forgetReplaced.
    keepReplaced: (k, source) => write(replaced + k, source),
    replaced: (k) => read(replaced + k),
    forgetReplaced: (k) => remove(replaced + k),
    keepGuess: (name, value) => write(guesses + name, JSON.stringify({ time: now(), value })),
    forgetGuess: (name) => remove(guesses + name),
    cell: (name) => cell(name)?.source ?? null,
    keepCell: (name, source) => write(cells + name, JSON.stringify({ time: now(), source })),
    forgetCell: (name) => remove(cells + name),
    // keepJudged stores {source, before}: the text that a check has judged as a try, and the record before
    // this try, or null if there was no record. judged returns the stored value, or null.
    keepJudged: (k, v) => write(judged + k, JSON.stringify(v)),
    judged(k) { try { return JSON.parse(read(judged + k)); } catch (e) { return null; } },
    // mine returns the numbers of stored answers, guesses, cells and exercises. deleteAll deletes all data.
    mine: () => ({ answers: keys(answers).length, guesses: keys(guesses).length, cells: keys(cells).length, exercises: Object.keys(kept().exercises).length }),
    deleteAll() {
      for (const prefix of [answers, times, guesses, aside, cells, judged, replaced, importKey, progressKey, "hyperplane-jupyter"]) keys(prefix).forEach((k) => remove(prefix + k));
    },
  };
})();
