"use strict";
// This script adds buttons that export, import and delete the learner's data. It also suggests exercises
// that the learner passed more than two weeks ago.
(function () {
  const store = hyperplaneStore;
  const element = (name, text, parent, attributes = {}) => {
    const e = parent.appendChild(document.createElement(name));
    e.textContent = text;
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
  };
  const button = (text, parent, onClick, attributes) => {
    const b = element("button", text, parent, { type: "button", class: "quiet", ...attributes });
    b.addEventListener("click", onClick);
    return b;
  };
  const count = (n, one, more) => (n === 1 ? "1 " + one : n + " " + more);

  // changed tells the scripts of this page that stored data have changed. The browser itself tells other
  // tabs. If the reader has chosen an answer, taken is the key of this answer.
  const changed = (taken) => { store.marks(); again(); dispatchEvent(new CustomEvent("hyperplane-work", { detail: taken })); };

  // ---- export, import, delete: in each element with data-work -------------------------

  function controls(place) {
    const row = element("p", "", place, { class: "actions" }), says = element("div", "", place, { role: "status", class: "work-says" });
    button("Export my work", row, () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([store.work()], { type: "application/json" }));
      link.download = "hyperplane-work.json";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      const { answers, guesses, cells, exercises } = store.mine();
      says.textContent = link.download + " was saved by your browser: " + count(answers, "answer", "answers") + ", " + count(guesses, "guess", "guesses") + ", " + count(cells, "changed cell", "changed cells") +
        " and the progress of " + count(exercises, "exercise", "exercises") + ".";
    }, { "data-do": "export" });
    // imported shows the report of an import, with a button that undoes the import. If the file contains an
    // older answer than the browser, there is also a button that exchanges the two answers.
    function imported(text, report, undo) {
      const offers = store.lastImport()?.offers || {};
      says.textContent = "";
      element("p", text, says);
      const list = report.length && element("ul", "", says);
      for (const line of report) {
        const item = element("li", line, list), k = Object.keys(offers).find((k) => offers[k].line === line);
        if (k === undefined) continue;
        const said = item.firstChild, take = button("", item, () => {
          if (!store.swapImported(k)) return void (says.textContent = "The answer of the file is no longer available, or the browser has no space left. Import the file again.");
          show();
          changed(k);
        }, { "data-do": "take" });
        const show = () => {
          const taken = store.lastImport()?.offers[k]?.taken;
          said.data = (taken ? line.replace(/: .*/, ": you took the answer of the file.") : line) + " ";
          take.textContent = taken ? "Back to my answer" : "Take the answer of the file";
        };
        show();
      }
      if (undo) button("Undo the import", element("p", "", says), () => {
        const left = undo();
        says.textContent = left === null ? "This import can no longer be undone." : "The import was undone." + (left.length ? " These have changed since the import and were kept: " + left.join("; ") + "." : "");
        changed();
      }, { "data-do": "undo" });
    }
    // The label serves as a button: a click on it opens the file dialog. The keyboard reaches the input
    // inside the label.
    const label = element("label", "Import my work", row, { class: "file quiet" });
    const input = element("input", "", label, { type: "file", accept: ".json,application/json", "data-do": "import" });
    input.addEventListener("change", async () => {
      const file = input.files[0], text = file && await file.text();
      if (!file) return;
      input.value = "";
      const { bad, foreign, report, changed: news, undo } = store.receive(text, file.name);
      if (bad) return void (says.textContent = (foreign ? "This file is not hyperplane-work.json or progress.json: " : file.name + " was not imported: ") + bad + ".");
      imported(news ? file.name + " was imported:" : "Nothing new in this file" + (report.length ? ":" : "."), report, news && undo);
      changed();
    });
    button("Delete my data", row, () => {
      const { answers, guesses, cells, exercises } = store.mine();
      says.textContent = "";
      element("p", "This deletes from this browser " + count(answers, "answer", "answers") + ", " + count(guesses, "guess", "guesses") + ", " + count(cells, "changed cell", "changed cells") + " and the progress of " +
        count(exercises, "exercise", "exercises") + ", with the hints that you have seen and the address of your Jupyter. What stays: the choice of light or dark, the pages and the compiler that the browser keeps for work without a network, and all files that you have saved. You cannot undo this. To keep a copy, export your work first.", says);
      const choice = element("p", "", says, { class: "actions" });
      button("Delete", choice, () => {
        store.deleteAll();
        says.textContent = "Your data were deleted.";
        dispatchEvent(new Event("hyperplane-deleted"));
        changed();
      }, { "data-do": "delete-all" });
      button("Keep", choice, () => { says.textContent = "Nothing was deleted."; }, { "data-do": "keep-all" }).focus();
    }, { "data-do": "delete" });
    const last = store.lastImport();
    if (last) imported(last.file + " was imported on " + new Date(last.time).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" }) + ":", last.report, last.groups.length && store.undoImport);
    place.hidden = false;
  }

  // ---- a second time, with other numbers -----------------------------------------------

  // again fills each element that has the attribute data-again. This attribute contains an object that
  // maps the id of an exercise to {title, page}. The element then shows links to the exercises in this
  // object that the learner should solve again. On an exercise's own page, the title is "".
  function again() {
    const due = store.due();
    for (const place of document.querySelectorAll("[data-again]")) {
      const pages = JSON.parse(place.dataset.again), here = due.filter(({ id }) => pages[id]);
      place.textContent = "";
      place.hidden = !here.length;
      if (!here.length) continue;
      place.append(here.length === 1 ? "You passed this more than two weeks ago; try it again with other numbers: " : "You passed these more than two weeks ago; try them again with other numbers: ");
      here.slice(0, 5).forEach(({ id, seed }, i) => {
        if (i) place.append(", ");
        const link = element("a", (pages[id].title ? pages[id].title + ", " : "") + "variant " + seed, place);
        link.href = pages[id].page + "?seed=" + seed;
      });
      place.append(here.length > 5 ? " and " + (here.length - 5) + " more." : ".");
    }
  }

  document.querySelectorAll("[data-work]").forEach(controls);
  again();
  addEventListener("storage", again);
})();
