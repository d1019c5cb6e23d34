"use strict";
// What the browser remembers: the progress, in the form of the notebooks' progress.json,
// and the learner's answers. Every page loads this script, and its marks show the progress.
const hyperplaneStore = (function () {
  const progressKey = "hyperplane-progress", schema = "hyperplane-progress/1";
  const read = (key) => { try { return localStorage.getItem(key); } catch (e) { return null; } };
  const write = (key, text) => { try { localStorage.setItem(key, text); return true; } catch (e) { return false; } };
  const fresh = () => ({ schema, exercises: {} });

  // check returns what is wrong with the text of a progress.json, "" for nothing.
  function check(text) {
    let p;
    try { p = JSON.parse(text); } catch (e) { return "it is no JSON: " + e.message; }
    if (!p || typeof p !== "object" || !String(p.schema).startsWith("hyperplane-progress/")) return "it belongs to another program, without \"schema\": \"" + schema + "\"";
    if (p.schema !== schema) return "it is of another version (" + p.schema + ", this page knows " + schema + ")";
    if (!p.exercises || typeof p.exercises !== "object" || Array.isArray(p.exercises)) return "it holds no exercises";
    for (const [id, r] of Object.entries(p.exercises)) {
      if (!r || typeof r !== "object" || !r.answer || typeof r.answer.tries !== "number" || !Array.isArray(r.hints)) return "the record of " + id + " is damaged";
    }
    return "";
  }

  const text = () => {
    const kept = read(progressKey);
    return kept && check(kept) === "" ? kept : JSON.stringify(fresh(), null, 2) + "\n";
  };
  const blank = () => ({ answer: { passed: false, tries: 0, last: null }, steps: null, hints: [], offered: false, revealed: false });
  const words = { passed: "passed", tried: "tried", revealed: "solution seen", none: "not begun" };
  // state is the state of an exercise: "passed", "revealed", "tried" or "none".
  function state(id, exercises = JSON.parse(text()).exercises) {
    const r = exercises[id];
    return !r ? "none" : r.answer.passed ? "passed" : r.revealed ? "revealed" : r.answer.tries ? "tried" : "none";
  }
  // marks shows the state of an exercise in each element with data-mark="ID", and how many of the
  // exercises are passed in each element with data-count="ID ID …", followed by data-words. An
  // element with class meter beside it shows the same share as a bar.
  function marks() {
    const exercises = JSON.parse(text()).exercises;
    for (const m of document.querySelectorAll("[data-mark]")) {
      m.title = words[m.dataset.state = state(m.dataset.mark, exercises)];
      const word = document.createElement("span");
      word.className = "sr";
      word.textContent = m.title;
      m.replaceChildren(word);
    }
    for (const c of document.querySelectorAll("[data-count]")) {
      const ids = c.dataset.count.split(" "), passed = ids.filter((id) => state(id, exercises) === "passed").length;
      c.textContent = passed + " of " + ids.length + (c.dataset.words || "");
      c.parentNode.querySelector(".meter")?.style.setProperty("--share", passed / ids.length);
    }
  }
  addEventListener("storage", marks);
  // A page that the browser kept while another was shown comes back with the progress of that time.
  addEventListener("pageshow", (e) => { if (e.persisted) marks(); });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", marks);
  else marks();

  return {
    check, text, state: (id) => state(id), marks, words,
    // save keeps the text of a progress.json and reports whether it could.
    save: (t) => check(t) === "" && write(progressKey, t),
    record: (id) => JSON.parse(text()).exercises[id] || blank(),
    // change changes the record of an exercise.
    change(id, f) {
      const p = JSON.parse(text()), r = p.exercises[id] || blank();
      f(r);
      p.exercises[id] = r;
      return write(progressKey, JSON.stringify(p, null, 2) + "\n");
    },
    answer: (key) => read("hyperplane-answer:" + key),
    keepAnswer: (key, source) => write("hyperplane-answer:" + key, source),
    forgetAnswer(key) { try { localStorage.removeItem("hyperplane-answer:" + key); } catch (e) { /* was not kept */ } },
  };
})();
