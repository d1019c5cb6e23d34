"use strict";
// What a learner has done: in one file and back, deleted, and offered again after two weeks.
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

  // changed tells the page that what is kept has changed in this tab; a browser tells other tabs.
  const changed = () => { store.marks(); again(); dispatchEvent(new Event("hyperplane-work")); };

  // ---- export, import, delete: in each element with data-work -------------------------

  function controls(place) {
    const row = element("p", "", place, { class: "actions" }), says = element("div", "", place, { role: "status", class: "work-says" });
    button("Export my work", row, () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([store.work()], { type: "application/json" }));
      link.download = "hyperplane-work.json";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }, { "data-do": "export" });
    // The label is the button: it opens the choice of a file, and the keys reach the input in it.
    const label = element("label", "Import my work", row, { class: "file quiet" });
    const input = element("input", "", label, { type: "file", accept: ".json,application/json", "data-do": "import" });
    input.addEventListener("change", async () => {
      const file = input.files[0], text = file && await file.text();
      if (!file) return;
      input.value = "";
      const { bad, report, undo } = store.receive(text);
      says.textContent = "";
      if (bad) return void element("p", file.name + " was not imported: " + bad + ".", says);
      element("p", file.name + " was imported" + (report.length ? ":" : ". It holds nothing that was not here already."), says);
      const list = report.length && element("ul", "", says);
      report.forEach((line) => element("li", line, list));
      if (report.length) button("Undo the import", element("p", "", says), () => { undo(); says.textContent = "The import was undone."; changed(); }, { "data-do": "undo" });
      changed();
    });
    button("Delete my data", row, () => {
      const { answers, guesses, cells, exercises } = store.mine();
      says.textContent = "";
      element("p", "This deletes from this browser " + count(answers, "answer", "answers") + ", " + count(guesses, "guess", "guesses") + ", " + count(cells, "changed cell", "changed cells") + " and the progress of " +
        count(exercises, "exercise", "exercises") + ", with the hints that you have seen and the address of your Jupyter. What stays: the choice of light or dark, the pages and the compiler that the browser keeps for work without a network, and all files that you have saved. It cannot be undone. Export first to keep a copy.", says);
      const choice = element("p", "", says, { class: "actions" });
      button("Delete", choice, () => {
        store.deleteAll();
        says.textContent = "Your data were deleted. Undo in the editor brings the text of this page back.";
        dispatchEvent(new Event("hyperplane-deleted"));
        changed();
      }, { "data-do": "delete-all" });
      button("Keep", choice, () => { says.textContent = "Nothing was deleted."; }, { "data-do": "keep-all" }).focus();
    }, { "data-do": "delete" });
    place.hidden = false;
  }

  // ---- a second time, with other numbers -----------------------------------------------

  // again fills each element with data-again, the object of the pages of exercises by id: the title
  // and the address. The exercises of that object that are due again are named with links. An
  // exercise's own page has no title in it.
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
