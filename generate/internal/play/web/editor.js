"use strict";
// This script replaces a text area with the editor CodeMirror. If that fails, the text area stays.

// hyperplaneRuns reports whether a key event is a shortcut that runs the code: Enter with a modifier,
// as in Jupyter.
const hyperplaneRuns = (e) => e.key === "Enter" && (e.ctrlKey || e.metaKey || e.shiftKey) && !e.altKey && !e.isComposing;

// hyperplaneFormats reports whether a key event is the shortcut that formats the code.
const hyperplaneFormats = (e) => e.code === "KeyF" && e.shiftKey && e.altKey && !e.ctrlKey && !e.metaKey;

// hyperplaneEditor replaces the text area with an editor. The argument does describes the effect of
// Ctrl+Enter, for example "runs the cell". To the element bar, hyperplaneEditor adds a note about how
// the keyboard leaves the editor. names(), if given, resolves to the names that the editor completes.
function hyperplaneEditor(area, onChange, label, does, bar, names) {
  const plain = {
    get: () => area.value,
    set(text, at) { area.value = text; if (at !== undefined) area.setSelectionRange(at, at); onChange(); },
    at: () => area.selectionStart,
    focus: () => area.focus(),
  };
  const leave = "Esc, then Tab leaves the editor", keys = document.createElement("span");
  keys.className = "keys";
  keys.textContent = leave;
  bar.append(keys);
  const described = "Ctrl+Enter or Shift+Enter " + does + ". Shift+Alt+F formats. " + leave + ".";
  area.setAttribute("aria-description", described);
  area.addEventListener("input", onChange);
  try {
    const { Decoration, EditorView, EditorState, keymap, lineNumbers, history, historyKeymap, defaultKeymap, indentWithTab, indentOnInput, indentUnit, bracketMatching, syntaxHighlighting, HighlightStyle, tags, go, autocompletion, acceptCompletion, ifNotIn } = CodeMirror;
    const colours = HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "cm-word" },
      { tag: [tags.string, tags.character], class: "cm-text" },
      { tag: [tags.number, tags.bool, tags.null], class: "cm-value" },
      { tag: tags.comment, class: "cm-note" },
      { tag: [tags.typeName, tags.standard(tags.name)], class: "cm-type" },
    ]);
    // The line %% is not Go. Show it in the colour of comments.
    const divider = EditorView.decorations.compute(["doc"], ({ doc }) => {
      for (let n = 1; n <= doc.lines; n++) {
        const { text, from, to } = doc.line(n);
        if (text === "%%") return Decoration.set([Decoration.mark({ class: "cm-note" }).range(from, to)]);
      }
      return Decoration.none;
    });
    const complete = ifNotIn(["String", "Rune", "LineComment", "BlockComment"], async (context) => hyperplaneComplete(context, names ? await names() : {}));
    const view = new EditorView({
      doc: area.value,
      extensions: [
        lineNumbers(), divider, history(), bracketMatching(), go(), syntaxHighlighting(colours), indentUnit.of("\t"), indentOnInput(), EditorState.tabSize.of(4),
        autocompletion({ override: [complete], icons: false }),
        // After Escape, the key Tab leaves the editor. CodeMirror itself provides this for readers
        // without a mouse.
        keymap.of([{ key: "Tab", run: acceptCompletion }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-description": described, tabindex: "0" }),
        EditorView.updateListener.of((u) => { if (u.docChanged) { area.value = u.state.doc.toString(); onChange(); } }),
      ],
    });
    area.after(view.dom);
    area.hidden = true;
    return {
      get: () => view.state.doc.toString(),
      set: (text, at) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: at === undefined ? undefined : { anchor: at }, scrollIntoView: at !== undefined }),
      at: () => view.state.selection.main.head,
      focus: () => view.focus(),
    };
  } catch (e) {
    return plain;
  }
}

// hyperplaneComplete returns the completions at the cursor. After the name of a package and a dot, it
// returns the names of the package. Elsewhere it returns completions only if the reader presses
// Ctrl+Space: the packages, Go's keywords and predeclared names, and the names in the text.
function hyperplaneComplete(context, packages) {
  const option = ([label, type, detail, info]) => ({ label, type, detail, info: info || undefined });
  const dotted = context.matchBefore(/(?:^|[^\w.])[a-z]\w*\.\w*$/);
  if (dotted) {
    const [, name, word] = dotted.text.match(/([a-z]\w*)\.(\w*)$/), list = Object.hasOwn(packages, name) ? packages[name] : [];
    const begun = list.filter(([label]) => label.startsWith(word));
    if (!list.length || begun.length === 1 && begun[0][0] === word && !context.explicit) return null; // no completion, so that Enter begins a new line
    return { from: context.pos - word.length, options: list.map(option) };
  }
  const word = context.matchBefore(/\w*$/);
  if (!context.explicit || word && context.state.sliceDoc(word.from - 1, word.from) === ".") return null;
  const text = context.state.doc.toString(), from = word ? word.from : context.pos;
  const own = new Set((text.slice(0, from) + " " + text.slice(context.pos)).match(/\b[A-Za-z_]\w*/g));
  const known = "append break cap case clear const continue copy default defer delete else error false float64 for func if int len make map max min new nil panic range return string struct switch true type var".split(" ");
  return {
    from,
    options: [...Object.keys(packages).map((label) => ({ label, type: "namespace", detail: "package" })),
      ...known.map((label) => ({ label, type: "keyword", boost: -1 })),
      ...[...own].filter((label) => !known.includes(label) && !Object.hasOwn(packages, label)).map((label) => ({ label, type: "text" }))],
  };
}

// hyperplaneCursor returns the position of the cursor after formatting. Formatting changes only white
// space, so the cursor must have the same number of other characters before it.
function hyperplaneCursor(before, at, after) {
  let left = before.slice(0, at).replace(/\s/g, "").length, to = 0;
  while (to < after.length && left > 0) if (/\S/.test(after[to++])) left--;
  return to;
}
