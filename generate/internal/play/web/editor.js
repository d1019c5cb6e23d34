"use strict";
// The editor: CodeMirror in place of a text area, which stays where that fails.
function hyperplaneEditor(area, onChange, label) {
  const plain = {
    get: () => area.value,
    set(text) { area.value = text; onChange(); },
    focus: () => area.focus(),
  };
  area.addEventListener("input", onChange);
  try {
    const { EditorView, EditorState, keymap, lineNumbers, history, historyKeymap, defaultKeymap, indentWithTab, indentUnit, bracketMatching, syntaxHighlighting, HighlightStyle, tags, go } = CodeMirror;
    const colours = HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "cm-word" },
      { tag: [tags.string, tags.character], class: "cm-text" },
      { tag: [tags.number, tags.bool, tags.null], class: "cm-value" },
      { tag: tags.comment, class: "cm-note" },
      { tag: [tags.typeName, tags.standard(tags.name)], class: "cm-type" },
    ]);
    const view = new EditorView({
      doc: area.value,
      extensions: [
        lineNumbers(), history(), bracketMatching(), go(), syntaxHighlighting(colours), indentUnit.of("\t"), EditorState.tabSize.of(4),
        // Escape, then Tab leaves the editor: CodeMirror's own way for who has no mouse.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((u) => { if (u.docChanged) { area.value = u.state.doc.toString(); onChange(); } }),
      ],
    });
    area.after(view.dom);
    area.hidden = true;
    return {
      get: () => view.state.doc.toString(),
      set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
      focus: () => view.focus(),
    };
  } catch (e) {
    return plain;
  }
}
