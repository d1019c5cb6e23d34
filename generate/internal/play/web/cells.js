"use strict";
// Cells of a page that can be changed and run: those marked in a lesson, and those of the
// section Explore, which use the learner's answer.

// hyperplaneCells gives each its buttons. run(files, on) compiles and runs a program of
// these files and resolves to what the reader is told, "" for nothing.
function hyperplaneCells(run, stop, answer) {
  for (const box of document.querySelectorAll(".try")) {
    const { source, context } = JSON.parse(box.dataset.cell), code = box.querySelector("pre.code");
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
    let editor = null;
    const print = (text) => {
      const last = out.lastElementChild;
      (last && last.localName === "pre" ? last : add("pre", "", out)).append(text);
    };
    const places = new Map();
    const go = button("Run", async () => {
      end.hidden = false;
      out.textContent = says.textContent = "";
      places.clear();
      for (const old of box.querySelectorAll(".cell > .out")) old.hidden = true; // of the last run elsewhere
      out.hidden = false;
      const files = [{ name: "cell.go", source: hyperplaneCell(editor ? editor.get() : source) }];
      if (context) files.push({ name: "earlier.go", source: hyperplaneCell(globalThis.hyperplaneGuessed?.(context) ?? context) });
      if (answer) files.push({ name: "answer.go", source: answer() });
      const told = await run(files, {
        say: (text) => { says.textContent = text; },
        print: ({ text }) => print(text),
        file() {},
        show({ id, html, text }) {
          const place = places.get(id) || add("div", "", out);
          if (id) places.set(id, place);
          if (html) place.innerHTML = html; else { place.textContent = ""; add("pre", text, place); }
        },
      });
      says.textContent = told.says;
      if (told.trace) print(told.trace);
      end.hidden = true;
    });
    go.className = "run";
    const change = button("Change", () => {
      change.hidden = true;
      const area = document.createElement("textarea");
      area.setAttribute("aria-label", "The cell");
      area.value = source;
      area.rows = source.split("\n").length + 1;
      code.after(area);
      code.hidden = true;
      editor = hyperplaneEditor(area, () => {}, "The cell");
      again.hidden = false;
      editor.focus();
    });
    const again = button("Reset", () => editor.set(source));
    again.hidden = true;
    const end = button("Stop", stop);
    end.hidden = true;
  }
}

// hyperplaneCell is Go with the lines of a cell: %% begins the function main, what is a
// command to the kernel is none to the compiler.
function hyperplaneCell(source) {
  let main = false;
  const lines = source.split("\n").map((line) => {
    const word = line.trim();
    if (!main && (word === "%%" || word === "%main")) { main = true; return "func main() {"; }
    return /^[%!]/.test(word) ? "" : line;
  });
  return lines.join("\n") + (main ? "\n}" : "") + "\n";
}
