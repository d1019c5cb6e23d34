"use strict";
// The personal variant: with ?seed= the texts that its constants change take the place
// of the common ones. Which constants a seed has only Go knows: a program of the
// exercises' own packages says it.

// hyperplaneVariant puts the texts of a variant on the page and returns them by name, {}
// where none depend on the seed.
async function hyperplaneVariant(exercise, judge, seed) {
  if (!exercise.variants) return {};
  const [key, texts] = await Promise.all([
    judge.tell((await judge.manifest()).variants, ["variants", exercise.id, String(seed)]),
    fetch(exercise.variants).then((r) => { if (!r.ok) throw new Error("its texts: " + r.status); return r.json(); }),
  ]);
  const found = texts.variants[key];
  if (!found) throw new Error("its constants are unknown to this site: " + key);
  const parts = {};
  for (const [name, lines] of Object.entries(found)) parts[name] = lines.map((n) => texts.lines[n]).join("\n");
  for (const e of document.querySelectorAll("[data-part]")) e.innerHTML = parts[e.dataset.part];
  return parts;
}
