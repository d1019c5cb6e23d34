"use strict";
// hyperplaneNotebook returns the text of a notebook in which the answer has replaced the stub. If seed
// is not 0, the notebook also selects the variant for this seed.
function hyperplaneNotebook(text, exercise, stub, answer, seed) {
  const nb = JSON.parse(text), source = (c) => [].concat(c.source).join("");
  for (const c of nb.cells) {
    const own = c.metadata.hyperplane || {};
    if (own.role === "stub" || c.cell_type === "code" && source(c) === stub.trimEnd()) c.source = answer.trimEnd();
    if (own.role === "setup" && seed) c.source = seeded(source(c), exercise.module + "/exercises", seed);
  }
  if (seed) nb.metadata.hyperplane.seed = seed;
  return JSON.stringify(nb, null, 1) + "\n";
}

// seeded returns the source of a set-up cell with a line that selects the variant for a seed.
function seeded(source, path, seed) {
  if (!source.includes(`"${path}"`)) source = source.replace(/(\n\t"github\.com\/)/, `\n\t"${path}"$1`);
  return source.replace("\n\n%%", `\n\nvar _ = exercises.Variant(${seed})\n\n%%`);
}
