"use strict";
// This script lets the reader change and run cells of a page: the cells of a lesson, and the cells of
// the section Explore, which use the learner's answer.

// hyperplaneCells adds buttons to each cell that can be run. The argument desk has these fields:
// desk.run(files, on, runs) compiles the files to which files() resolves. If runs is true, it also runs
// the program. It resolves to {says, trace}, a message for the reader and the program's trace.
// desk.answer, if given, returns the learner's answer. desk.work(how, cells) runs the site's program
// that works on the text of cells (the constant editor in play.go). The browser stores a changed cell
// under a name that consists of desk.key and the cell's id.
function hyperplaneCells(desk) {
  const boxes = [];
  // needed returns the declarations of earlier cells that cell i needs. If the reader has changed
  // neither the cell nor an earlier cell, the page already contains these declarations.
  async function needed(i) {
    const text = (box) => (box.editor ? box.editor.get() : box.source);
    if (boxes.slice(0, i + 1).every((box) => text(box) === box.source)) return boxes[i].context;
    const cells = boxes.slice(0, i).flatMap((box) => [...box.before, text(box)]);
    return desk.work("needed", [...cells, ...boxes[i].before, text(boxes[i])]);
  }
  for (const box of document.querySelectorAll(".try")) {
    const me = Object.assign({ editor: null }, JSON.parse(box.dataset.cell)), code = box.querySelector("pre.code"), index = boxes.push(me) - 1;
    const shown = box.querySelector(".cell"), fold = code.closest(".code-of");
    me.before = me.before || [];
    const add = (name, text, parent) => {
      const e = document.createElement(name);
      e.textContent = text;
      return parent.appendChild(e);
    };
    const actions = document.createElement("div");
    actions.className = "actions";
    code.after(actions);
    const button = (text, act) => {
      const b = add("button", text, actions);
      b.type = "button";
      b.addEventListener("click", act);
      return b;
    };
    // result is the element with the outputs of the current run. The outputs of the previous run stay
    // visible, dimmed, until the current run has an output. Then result replaces them. It keeps their
    // height until all pictures are drawn.
    let result = null, before = [];
    const places = new Map();
    function begin() {
      before = [...shown.querySelectorAll(":scope > .out, :scope > .result")];
      before.forEach((e) => { e.classList.add("before"); });
      result = document.createElement("div");
      result.className = "result waiting";
      if (fold) fold.before(result); else shown.append(result);
      places.clear();
    }
    function replace() {
      if (!result.classList.contains("waiting")) return;
      if (before.length) result.style.minHeight = before.at(-1).getBoundingClientRect().bottom - before[0].getBoundingClientRect().top + "px";
      result.classList.remove("waiting");
      before.forEach((e) => e.remove());
    }
    // drawn resolves when the browser has decoded all pictures of the result. It also gives each wide
    // picture the class "panels", so that the picture scrolls sideways on a phone.
    const drawn = () => Promise.all([...result.querySelectorAll("img")].map(async (e) => {
      await e.decode().catch(() => {});
      e.classList.toggle("panels", e.naturalWidth > 600 && e.parentNode?.className === "out");
    }));
    function output(kind) {
      const place = add("div", "", result);
      place.className = kind;
      return place;
    }
    const print = (text) => {
      const last = result.lastElementChild;
      (last?.className === "out printed" ? last.firstChild : add("pre", "", output("out printed"))).append(text);
    };
    // finish shows how a run has ended. If the run failed without any output, finish keeps an earlier
    // picture, dimmed.
    async function finish({ says: text, trace }) {
      await drawn();
      if (result.hasChildNodes() || !text || !before.some((e) => e.querySelector("img, canvas"))) replace();
      says.textContent = text;
      if (trace) print(trace);
      result.classList.remove("waiting");
      result.style.minHeight = "";
      result.hidden = !result.hasChildNodes();
    }
    async function run() {
      const source = me.editor ? me.editor.get() : me.source, cell = hyperplaneCell(source);
      if (cell.empty) return { says: "The cell is empty: there is nothing to run." };
      const told = await desk.run(async () => {
        const files = [{ name: "cell.go", source: cell.text, lines: source.split("\n").length }], context = await needed(index);
        if (context) files.push({ name: "earlier.go", source: (globalThis.hyperplaneGuessed?.(context) ?? context) + "\n" });
        if (desk.answer) files.push({ name: "answer.go", source: desk.answer() });
        return files;
      }, {
        say: (text) => { says.textContent = text; },
        print({ text }) { print(text); replace(); },
        file() {},
        show({ id, html, text }) {
          const place = places.get(id) || output("out");
          if (id) places.set(id, place);
          if (html) hyperplaneShown(place, html, desk.root); else { place.textContent = ""; add("pre", text, place); }
          drawn().then(replace);
        },
      }, cell.main);
      if (!cell.main && !told.says) told.says = "The cell declares names for the cells below. It runs nothing, because it has no line %%.";
      if (!cell.main && /non-declaration statement|syntax error/.test(told.trace || "")) told.says = "This does not compile. Put statements below a line that contains only %%. Without this line, a cell can contain only declarations:";
      return told;
    }
    const go = button("Run", async () => {
      end.hidden = false;
      says.textContent = "Starting …";
      begin();
      await finish(await run().catch((e) => ({ says: e.message })));
      end.hidden = true;
    });
    go.className = "plain run";
    const store = hyperplaneStore, name = desk.key + "/" + me.id;
    // keep stores the changed cell in the browser. If the cell equals the original, keep deletes the
    // stored cell.
    function keep() {
      const text = me.editor.get();
      if (text === me.source) store.forgetCell(name);
      else if (store.cell(name) !== text && !store.keepCell(name, text)) says.textContent = "The browser cannot store your change: it is lost when you leave the page.";
    }
    function edit(text) {
      change.hidden = true;
      const area = document.createElement("textarea");
      area.setAttribute("aria-label", "The cell");
      area.value = text;
      area.rows = text.split("\n").length + 1;
      code.after(area);
      code.hidden = true;
      me.editor = hyperplaneEditor(area, keep, "The cell", "runs the cell", actions, desk.names);
      again.hidden = tidy.hidden = false;
    }
    // kept shows the version of the cell that the browser has stored, or else the original.
    function kept() {
      const text = store.cell(name) ?? me.source;
      if (text === (me.editor ? me.editor.get() : me.source)) return;
      if (me.editor) return me.editor.set(text);
      edit(text);
      if (fold) fold.open = true;
      says.textContent = "Your changed cell, kept in this browser. Until you run it, the page shows the output of the original cell.";
    }
    const change = button("Change", () => { edit(me.source); me.editor.focus(); });
    const again = button("Back to the original", () => {
      me.editor.set(me.source);
      says.textContent = "The original is back; Ctrl+Z restores your change.";
    });
    const tidy = button("Format", () => hyperplaneFormat(me.editor, desk.work, (text) => { says.textContent = text; }));
    const end = button("Stop", desk.stop); // the last button, so that no other button moves when it disappears
    end.className = "stop";
    again.hidden = tidy.hidden = end.hidden = true;
    change.className = again.className = tidy.className = "quiet";
    const says = add("p", "", actions);
    says.setAttribute("role", "status");
    kept();
    for (const event of ["hyperplane-work", "hyperplane-deleted"]) addEventListener(event, kept);
    box.addEventListener("keydown", (e) => {
      const act = hyperplaneRuns(e) ? go : hyperplaneFormats(e) && me.editor ? tidy : null;
      if (!act) return;
      e.preventDefault();
      e.stopPropagation();
      act.click();
    }, true);
  }
}

// hyperplaneFormat formats the text in an editor and keeps the cursor between the same characters. If
// the text is not valid Go, it calls say with a message.
async function hyperplaneFormat(editor, work, say) {
  const before = editor.get();
  say("");
  try {
    const after = await work("format", [before]);
    if (editor.get() !== before) return; // the learner has typed in the meantime
    if (after !== before) editor.set(after, hyperplaneCursor(before, editor.at(), after));
  } catch (e) {
    say("This cannot be formatted: " + e.message);
  }
}

// hyperplaneShown shows the HTML of a cell's output. Of the scripts in the HTML, it runs only the
// scripts of charts. Such a script directly follows the element in which it draws the chart.
function hyperplaneShown(place, html, root) {
  place.innerHTML = html;
  for (const old of place.querySelectorAll(".hyperplane-chart + script")) {
    const script = document.createElement("script");
    script.textContent = old.textContent;
    old.replaceWith(script);
    if (!globalThis.hyperplaneCharts && !document.querySelector("script[src$='assets/charts.js']")) {
      const library = document.createElement("script");
      library.src = root + "assets/charts.js";
      document.head.append(library);
    }
  }
}

// hyperplaneCell converts a cell to Go source with the same line numbers. The line %% becomes the
// header of the function main, and commands to the kernel become empty lines. In the result, text is
// the Go source. main is false if the cell has no function main; text then has an empty main. empty is
// true if the cell contains no code.
function hyperplaneCell(source) {
  let main = false;
  const lines = source.split("\n").map((line) => {
    const word = line.trim();
    if (!main && (word === "%%" || word === "%main")) { main = true; return "func main() {"; }
    return /^[%!]/.test(word) ? "" : line;
  });
  const own = /^func\s+main\s*\(/m.test(source);
  return {
    text: lines.join("\n") + (main ? "\n}" : own ? "" : "\nfunc main() {}") + "\n",
    main: main || own,
    empty: !source.replace(/\/\/.*|\/\*[^]*?\*\/|%%|%main/g, "").trim(),
  };
}
