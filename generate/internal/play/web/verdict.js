"use strict";
// This script determines how a page shows the report of a check. The summary comes first, with a bar
// that has one step for each part. Then the parts follow. A part that is Right is one line that the
// reader can unfold; all other parts are unfolded. A button replaces the call of a hint.

// hyperplaneOutcomes maps the names of outcomes to words for the reader.
const hyperplaneOutcomes = { NotRun: "not judged", NotAttempted: "not attempted", Right: "right", Wrong: "wrong", Crashed: "crashed", TimedOut: "out of time" };

// hyperplaneVerdict rearranges the table of a report that package verify has made. The page calls it
// for every new version of the report: verify shows the report again whenever it has judged a part.
function hyperplaneVerdict(place, hints) {
  const table = place.querySelector("table"), rows = table ? [...table.rows] : [], sum = rows.pop();
  if (!sum || sum.cells.length !== 1) return;
  const make = (name, parent, text, kind) => {
    const e = parent.appendChild(document.createElement(name));
    e.className = kind || "";
    e.textContent = text;
    return e;
  };
  const steps = document.createElement("p");
  steps.className = "steps";
  steps.setAttribute("aria-hidden", "true");
  for (const row of rows) {
    const [sign, told] = row.cells, kind = { "✓": "right", "✗": "wrong" }[sign.textContent.trim()[0]] || "open", note = told.querySelector("span");
    row.className = kind;
    const word = sign.querySelector("b") || sign;
    word.textContent = word.textContent.replace(/\w+$/, (name) => hyperplaneOutcomes[name] || name);
    make("i", steps, "", kind);
    if (!note) continue;
    told.querySelector("br")?.remove();
    call(note);
    if (kind !== "right") { note.before(document.createElement("br")); continue; }
    const fold = document.createElement("details"), name = make("summary", fold, told.firstChild.data);
    told.replaceChildren(fold);
    fold.append(note);
    fold.insertBefore(name, note);
  }
  const line = document.createElement("p");
  line.className = "sum";
  line.textContent = sum.textContent;
  if (rows.length && rows.every((r) => r.className === "right")) line.classList.add("right");
  sum.remove();
  place.prepend(line, steps);

  // call replaces the call of Hint, which works only in a notebook, by a button that shows the hint.
  function call(note) {
    for (const text of [...note.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE)) {
      const m = /(?:\w+\.)?Hint\((\d+)\)(?: takes it from here\.)?/.exec(text.data);
      if (!m) continue;
      const rest = text.splitText(m.index);
      rest.data = rest.data.slice(m[0].length);
      rest.before(hints.button(m[1]));
    }
  }
}
