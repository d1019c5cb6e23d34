"use strict";
// hyperplaneDispute adds the button "This verdict is wrong" to a report. The button shows a text that
// the learner can copy into an issue. The text has the same order as the project's issue form "Wrong
// verdict". The argument what is {exercise, path, seed, version, answer, report}. Its field path is the
// import path of the exercise's package, and the fields answer and report are plain text.
function hyperplaneDispute(report, what) {
  const row = report.appendChild(document.createElement("p"));
  row.className = "dispute";
  const add = (name, text) => {
    const e = row.appendChild(document.createElement(name));
    e.textContent = text;
    return e;
  };
  const button = add("button", "This verdict is wrong");
  button.type = "button";
  button.className = "quiet";
  // If the exercise's package is on GitHub, the import path contains the address of the project.
  const project = /^github\.com\/[^/]+\/[^/]+/.exec(what.path);
  button.addEventListener("click", () => {
    row.textContent = "";
    const label = add("label", "Open an issue in the project's repository, paste this text into it, and say what the report should say:");
    if (project) {
      row.append(" ");
      const link = add("a", "New issue at " + project[0]);
      link.href = "https://" + project[0] + "/issues/new";
      link.target = "_blank";
      link.rel = "noopener";
    }
    const area = add("textarea", "");
    area.id = "play-dispute";
    area.readOnly = true;
    area.rows = 12;
    label.htmlFor = area.id;
    area.value = "Exercise: " + what.exercise + ", seed " + what.seed + "\nVersion: " + what.version + "\n\nAnswer:\n\n" + what.answer.trim() + "\n\nReport:\n\n" + what.report.trim() + "\n";
    const copy = add("button", "Copy");
    copy.type = "button";
    copy.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(area.value); copy.textContent = "Copied"; } catch (e) { area.select(); }
    });
    const close = add("button", "Close");
    close.type = "button";
    close.className = "quiet";
    close.addEventListener("click", () => {
      row.replaceChildren(button);
      button.focus();
    });
    area.focus({ preventScroll: true });
    area.select();
    area.scrollTop = 0;
    row.scrollIntoView({ block: "nearest" });
  });
}
