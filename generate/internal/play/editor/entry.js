// This file lists the parts of CodeMirror that the pages' editor needs. README.md explains how to build it.
export { autocompletion, acceptCompletion, ifNotIn } from "@codemirror/autocomplete";
export { EditorState } from "@codemirror/state";
export { Decoration, EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { indentOnInput, indentUnit, bracketMatching, syntaxHighlighting, HighlightStyle } from "@codemirror/language";
export { go } from "@codemirror/lang-go";
export { tags } from "@lezer/highlight";
