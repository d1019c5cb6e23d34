// reader contains the functions with which the tests operate the classic Notebook, see frontEnd in
// frontend_test.go.
globalThis.reader = (() => {
  const nb = () => Jupyter.notebook, cell = i => nb().get_cell(i);
  const code = () => nb().get_cells().filter(c => c.cell_type === "code" && c.get_text().trim());
  return {
    ready: () => nb()._fully_loaded && nb().kernel && nb().kernel.is_connected() && nb().kernel.info_reply.implementation && reader.idle(),
    idle: () => !nb().kernel_busy && !document.querySelector(".kernel_busy_icon") && !document.querySelector(".code_cell.running"),
    done: () => reader.idle() && code().every(c => typeof c.input_prompt_number === "number"),
    runAll: () => nb().execute_all_cells(),
    sources: () => nb().get_cells().map(c => c.get_text()),
    count: i => cell(i).input_prompt_number,
    output: i => cell(i).element[0].querySelector(".output_wrapper"),
    edit: i => {
      nb().select(i);
      const editor = cell(i).element[0].querySelector(".CodeMirror");
      editor.scrollIntoView({ block: "center" });
      return editor;
    },
    red: () => [...document.querySelectorAll(".output_stderr, .output_error")].map(e => e.textContent),
    saved: () => !nb().dirty,
    trusted: () => nb().trusted,
  };
})();
