"use strict";
// This script asks the reader for a guess in a field, and then shows the answer. Without this script, the
// answer is a closed fold.

// hyperplaneGuessed returns Go source in which the reader's guesses have replaced exercises.NoGuess.
function hyperplaneGuessed(source) {
  return source.replace(/const (\w+) = exercises\.NoGuess/g, (all, name) => {
    const form = document.querySelector(`form[data-constant="${name}"]`), kept = form && hyperplaneStore.guess(form.dataset.guess);
    return kept && kept.value !== null ? "const " + name + " = " + kept.value : all;
  });
}

(function () {
  const store = hyperplaneStore;
  for (const form of document.querySelectorAll("form[data-guess]")) {
    const name = form.dataset.guess, told = document.querySelector(`[data-answer="${CSS.escape(name)}"]`);
    const fold = told.closest("details"), field = form.querySelector("input"), found = Number(told.dataset.found);
    const summary = fold.querySelector("summary");
    told.tabIndex = -1;

    // words returns the text after the right number. Like exercises.Guess, this text compares the guess
    // with the number. If the lesson's notebook has no outputs, the number is not known yet.
    function words(guess) {
      if (!told.dataset.says) return (guess === null ? "" : "You guessed " + guess + ". ") + "Run the cell to see the number.";
      if (guess === null) return ".";
      const close = guess === found || Math.abs(guess - found) <= 0.005 * Math.abs(found);
      return ". You guessed " + guess + (close ? ", which is right." : guess < found ? ", which is too low." : ", which is too high.");
    }

    // show shows the field if no guess is stored, and otherwise the answer. If moved is true, it also moves
    // the focus.
    function show(moved) {
      const kept = store.guess(name);
      form.hidden = !!kept;
      fold.hidden = !kept;
      fold.open = !!kept;
      summary.hidden = !!kept;
      told.textContent = "";
      if (!kept) return void (moved && field.focus());
      const number = told.appendChild(document.createElement("b"));
      number.textContent = told.dataset.says;
      told.append(words(kept.value) + " ");
      const again = told.appendChild(document.createElement("button"));
      again.type = "button";
      again.className = "quiet";
      again.textContent = kept.value === null ? "Make a guess" : "Guess again";
      again.addEventListener("click", () => { store.forgetGuess(name); field.value = ""; show(true); });
      if (moved) told.focus();
    }
    // guessed stores the guess and shows the answer, even if the browser cannot store the guess.
    function guessed(value) {
      if (store.keepGuess(name, value)) return show(true);
      form.hidden = true;
      fold.hidden = false;
      fold.open = true;
      told.textContent = told.dataset.says + words(value);
      told.focus();
    }
    form.addEventListener("submit", (e) => { e.preventDefault(); guessed(Number(field.value)); });
    form.querySelector("button[type=button]").addEventListener("click", () => guessed(null));
    for (const event of ["storage", "hyperplane-work"]) addEventListener(event, () => { if (!!store.guess(name) === fold.hidden) show(false); });
    // On paper, show both the answer and the field, in which the reader can write.
    let hidden = false;
    addEventListener("beforeprint", () => { hidden = fold.hidden; fold.hidden = false; });
    addEventListener("afterprint", () => { fold.hidden = hidden; });
    show(false);
  }
})();
