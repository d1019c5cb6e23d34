"use strict";
// What the browser remembers: the progress, in the form of the notebooks' progress.json,
// and the learner's answers.
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
  return {
    check, text,
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
