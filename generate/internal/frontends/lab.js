// reader contains the functions with which the tests operate JupyterLab, see frontEnd in
// frontend_test.go.
globalThis.reader = (() => {
  const panel = () => jupyterapp.shell.currentWidget, cell = i => panel().content.widgets[i];
  const code = () => panel().content.widgets.filter(c => c.model.type === "code" && c.model.sharedModel.getSource().trim());
  const kernel = () => panel().sessionContext.session.kernel;
  return {
    ready: () => panel().content.model && panel().context.isReady && panel().sessionContext.isReady && reader.idle(),
    idle: () => kernel().status === "idle" && !code().some(c => c.model.executionState === "running" || c.promptNode?.textContent.includes("*")),
    done: () => reader.idle() && code().every(c => typeof c.model.executionCount === "number"),
    runAll: () => { jupyterapp.commands.execute("notebook:run-all-cells"); },
    sources: () => panel().content.widgets.map(c => c.model.sharedModel.getSource()),
    count: i => cell(i).model.executionCount,
    output: i => cell(i).outputArea?.node,
    edit: i => {
      panel().content.activeCellIndex = i;
      cell(i).node.scrollIntoView({ block: "center" });
      return cell(i).node.querySelector(".cm-content");
    },
    red: () => [...panel().node.querySelectorAll('[data-mime-type="application/vnd.jupyter.stderr"], [data-mime-type="application/vnd.jupyter.error"]')].map(e => e.textContent),
    saved: () => !panel().context.model.dirty,
    trusted: () => code().every(c => c.model.trusted),
  };
})();
