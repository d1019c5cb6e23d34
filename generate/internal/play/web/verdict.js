"use strict";
// How a page shows the report of a check: the sum first, with a step for each part; what is right
// is one line that opens, and what is not stands open; the call of a hint is a button.

// hyperplaneOutcomes has words for the names of outcomes.
const hyperplaneOutcomes = { NotRun: "not judged", NotAttempted: "not attempted", Right: "right", Wrong: "wrong", Crashed: "crashed", TimedOut: "out of time" };

// hyperplaneVerdict changes the table that package verify made of a report. The report comes again
// while the parts are being judged.
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

  // call puts a button in place of the call that shows a hint in a notebook.
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
