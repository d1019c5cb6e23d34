"use strict";
// hyperplaneHints makes the hints of an exercise appear one after another, as in the notebook. If the
// reader opens the solution before all hints are seen or before a try, the page first asks to confirm.
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

  // shown reports whether the solution may open now. At the first request, it can ask the reader to
  // confirm. It records that the solution was offered or revealed.
  function shown() {
    const r = store.record(id), unseen = hints.map((_, i) => i + 1).filter((n) => !r.hints.includes(n));
    if (r.answer.passed) offer.textContent = r.revealed ? "You passed this exercise after you had seen its solution." : "You have already passed this exercise, so seeing its solution does not change your result.";
    else if (r.revealed || r.offered || !unseen.length && r.answer.tries > 0) {
      store.change(id, (r) => { r.revealed = true; });
      offer.textContent = "This exercise now counts as “solution seen”.";
    } else {
      store.change(id, (r) => { r.offered = true; });
      const which = unseen.length > 1 ? "hints " + unseen.slice(0, -1).join(", ") + " and " + unseen.at(-1) : "hint " + unseen[0];
      offer.textContent = (unseen.length ? "You have not yet seen " + which + " (of " + hints.length + ")." : "Try an answer of your own first.") +
        " To see the solution anyway, open it again: the exercise then counts as “solution seen” until you pass it.";
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
    // open shows hint n, even if the reader has not seen the earlier hints.
    open(n) {
      const d = hints[n - 1];
      if (!d) return;
      d.hidden = false;
      d.open = true;
      d.scrollIntoView({ block: "nearest" });
      d.querySelector("summary").focus({ preventScroll: true });
    },
    refresh: next,
    // button returns a button that shows hint n. It replaces the call of Hint in a notebook.
    button(n) {
      const b = document.createElement("button");
      b.type = "button";
      b.className = "quiet";
      b.textContent = "Show hint " + n;
      b.addEventListener("click", () => this.open(Number(n)));
      return b;
    },
    // remark replaces the call of Hint in a line below a report by a button. Such a line occurs, for
    // example, if the learner has made the same mistake twice.
    remark(place) {
      const p = place.querySelector(":scope > p"), m = p && /: \w+\.Hint\((\d+)\)\./.exec(p.textContent);
      if (!m) return;
      p.replaceChildren(p.textContent.slice(0, m.index) + ". ", this.button(m[1]), p.textContent.slice(m.index + m[0].length));
    },
  };
}
