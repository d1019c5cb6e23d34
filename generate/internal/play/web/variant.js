"use strict";
// If the address contains ?seed=, the page shows a personal variant: texts with the constants of this
// variant replace the texts of the common variant. Only Go code can compute the constants for a seed.
// Therefore the page runs a program that prints them (see variantsSource in play.go).

// hyperplaneVariant inserts the texts of a variant into the page. It returns the texts, keyed by the
// names of the page's parts. If no text depends on the seed, it returns {}.
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
