"use strict";
// Cells of a page that can be changed and run: those of a lesson, and those of the section Explore,
// which use the learner's answer.

// hyperplaneCells gives each its buttons. desk.run(files, on, runs) compiles a program of the files
// that files() resolves to, runs it if runs is true, and resolves to what the reader is told.
// desk.answer, if given, returns the learner's answer. desk.work(how, cells) works on the text of
// cells, see builder.editor. The browser keeps changed cells under desk.key and their id.
function hyperplaneCells(desk) {
  const boxes = [];
  // needed returns the declarations of earlier cells that a cell needs. As long as the reader has
  // changed none of them, the page knows these.
  async function needed(i) {
    const text = (box) => (box.editor ? box.editor.get() : box.source);
    if (boxes.slice(0, i + 1).every((box) => text(box) === box.source)) return boxes[i].context;
    const cells = boxes.slice(0, i).flatMap((box) => [...box.before, text(box)]);
    return desk.work("needed", [...cells, ...boxes[i].before, text(boxes[i])]);
  }
  for (const box of document.querySelectorAll(".try")) {
    const me = Object.assign({ editor: null }, JSON.parse(box.dataset.cell)), code = box.querySelector("pre.code"), index = boxes.push(me) - 1;
    me.before = me.before || [];
    const add = (name, text, parent) => {
      const e = document.createElement(name);
      e.textContent = text;
      return parent.appendChild(e);
    };
    const actions = document.createElement("p"), out = document.createElement("div"), says = document.createElement("p");
    actions.className = "actions";
    out.className = "out";
    says.setAttribute("role", "status");
    code.after(actions);
    box.append(says, out);
    out.hidden = true;
    const button = (text, act) => {
      const b = add("button", text, actions);
      b.type = "button";
      b.addEventListener("click", act);
      return b;
    };
    const print = (text) => {
      const last = out.lastElementChild;
      (last && last.localName === "pre" ? last : add("pre", "", out)).append(text);
    };
    const places = new Map();
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
        print: ({ text }) => print(text),
        file() {},
        show({ id, html, text }) {
          const place = places.get(id) || add("div", "", out);
          if (id) places.set(id, place);
          if (html) hyperplaneShown(place, html, desk.root); else { place.textContent = ""; add("pre", text, place); }
        },
      }, cell.main);
      if (!cell.main && !told.says) told.says = "The cell declares names for the cells below. It runs nothing, because it has no line %%.";
      if (!cell.main && /non-declaration statement|syntax error/.test(told.trace || "")) told.says = "This does not compile. Statements stand below a line %% of their own; only declarations stand without it:";
      return told;
    }
    const go = button("Run", async () => {
      end.hidden = false;
      out.textContent = says.textContent = "";
      places.clear();
      for (const old of box.querySelectorAll(".cell > .out")) old.hidden = true; // of the last run elsewhere
      out.hidden = false;
      says.textContent = "Starting …";
      const told = await run().catch((e) => ({ says: e.message }));
      says.textContent = told.says;
      if (told.trace) print(told.trace);
      end.hidden = true;
    });
    go.className = "run";
    const store = hyperplaneStore, name = desk.key + "/" + me.id;
    // keep keeps the cell as it is changed. Its original needs no keeping.
    function keep() {
      const text = me.editor.get();
      if (text === me.source) store.forgetCell(name);
      else if (store.cell(name) !== text && !store.keepCell(name, text)) says.textContent = "The browser keeps nothing for this page: the change is lost when you leave it.";
    }
    function edit(text) {
      change.hidden = true;
      const area = document.createElement("textarea");
      area.setAttribute("aria-label", "The cell");
      area.value = text;
      area.rows = text.split("\n").length + 1;
      code.after(area);
      code.hidden = true;
      me.editor = hyperplaneEditor(area, keep, "The cell", "runs the cell", desk.names);
      again.hidden = tidy.hidden = false;
    }
    // kept shows what the browser keeps of the cell.
    function kept() {
      const text = store.cell(name) ?? me.source;
      if (text === (me.editor ? me.editor.get() : me.source)) return;
      if (me.editor) return me.editor.set(text);
      edit(text);
      const fold = code.closest("details");
      if (fold) fold.open = true;
      says.textContent = "Your changed cell, kept in this browser. What the page shows is the output of the original until you run it.";
    }
    const change = button("Change", () => { edit(me.source); me.editor.focus(); });
    const again = button("Back to the original", () => {
      me.editor.set(me.source);
      says.textContent = "The original is back; undo brings your change back.";
    });
    const tidy = button("Format", () => hyperplaneFormat(me.editor, desk.work, (text) => { says.textContent = text; }));
    const end = button("Stop", desk.stop); // the last one, so that no other moves when it goes
    end.className = "stop";
    again.hidden = tidy.hidden = end.hidden = true;
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

// hyperplaneFormat formats what an editor holds and keeps the cursor where it is in the text. say is
// told what is wrong if the text is not Go.
async function hyperplaneFormat(editor, work, say) {
  const before = editor.get();
  say("");
  try {
    const after = await work("format", [before]);
    if (editor.get() !== before) return; // the learner wrote on
    if (after !== before) editor.set(after, hyperplaneCursor(before, editor.at(), after));
  } catch (e) {
    say("This cannot be formatted: " + e.message);
  }
}

// hyperplaneShown shows the HTML of a cell. Of its scripts only those of charts run: a chart is its
// place and, next to it, the script that draws it.
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

// hyperplaneCell is Go with the lines of a cell: %% begins the function main, and a command to the
// kernel means nothing here. main is false for a cell without %%, which then has an empty main.
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
