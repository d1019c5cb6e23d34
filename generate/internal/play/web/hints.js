"use strict";
// Hints come one at a time, and the solution after them, as in the notebook: it is
// offered first where hints are unseen or nothing was tried.
function hyperplaneHints(id, store, onChange) {
  const hints = [...document.querySelectorAll("details.hint")], solution = document.querySelector("details.solution");
  const seen = () => store.record(id).hints;
  const next = () => {
    const most = Math.max(0, ...seen());
    hints.forEach((d, i) => { d.hidden = i > most; });
  };
  hints.forEach((d, i) => d.addEventListener("toggle", () => {
    if (!d.open || d.dataset.printed !== undefined || seen().includes(i + 1)) return;
    store.change(id, (r) => { r.hints = [...r.hints, i + 1].sort((a, b) => a - b); });
    next();
    onChange();
  }));
  const offer = document.createElement("p");
  offer.setAttribute("role", "status");
  solution.before(offer);

  // shown decides whether the solution opens, and records that it did.
  function shown() {
    const r = store.record(id), unseen = hints.map((_, i) => i + 1).filter((n) => !r.hints.includes(n));
    if (r.answer.passed) offer.textContent = r.revealed ? "You have passed this exercise; its solution was revealed before that." : "You had passed this exercise before, so seeing its solution does not change your result.";
    else if (r.revealed || r.offered || !unseen.length && r.answer.tries > 0) {
      store.change(id, (r) => { r.revealed = true; });
      offer.textContent = "This exercise now counts as revealed.";
    } else {
      store.change(id, (r) => { r.offered = true; });
      const which = unseen.length > 1 ? "Hints " + unseen.slice(0, -1).join(", ") + " and " + unseen.at(-1) + " are" : "Hint " + unseen[0] + " is";
      offer.textContent = "Before the solution: " + (unseen.length ? which + " still unseen, of " + hints.length + "." : "try an answer of your own.") +
        " To see the solution all the same, open it again: the exercise then counts as revealed, until you pass it.";
      return false;
    }
    return true;
  }
  solution.querySelector("summary").addEventListener("click", (e) => {
    if (!solution.open && !shown()) e.preventDefault();
    onChange();
  });
  next();
  return {
    // open shows hint n, whichever were seen before.
    open(n) {
      const d = hints[n - 1];
      if (!d) return;
      d.hidden = false;
      d.open = true;
      d.scrollIntoView({ block: "nearest" });
      d.querySelector("summary").focus({ preventScroll: true });
    },
    refresh: next,
    // button is what shows hint n in the place of the notebook's call for it.
    button(n) {
      const b = document.createElement("button");
      b.type = "button";
      b.className = "quiet";
      b.textContent = "Show hint " + n;
      b.addEventListener("click", () => this.open(Number(n)));
      return b;
    },
    // remark puts a button in place of the call in a line that names a hint, as after a mistake that
    // comes again.
    remark(place) {
      const p = place.querySelector(":scope > p"), m = p && /: \w+\.Hint\((\d+)\)\./.exec(p.textContent);
      if (!m) return;
      p.replaceChildren(p.textContent.slice(0, m.index) + ". ", this.button(m[1]), p.textContent.slice(m.index + m[0].length));
    },
  };
}
