"use strict";
// The imports of an answer are filled in, as the kernel does it, and the compiler's
// messages are told by the lines that the learner sees.

// code is Go without comments and the insides of strings and runes.
function code(source) {
  return source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (m) => (m[0] === "/" ? " " : '""'));
}

// ownImports are the names by which the answer itself imports packages.
function ownImports(source) {
  const names = new Set(), plain = source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  const add = (spec) => {
    const m = spec.match(/^\s*([\w.]+\s+)?["`]([^"`]+)["`]/);
    if (m) names.add((m[1] || m[2].replace(/\/v\d+$/, "").split("/").pop()).trim());
  };
  for (const m of plain.matchAll(/(?:^|[;\n])\s*import\s*(?:\(([^)]*)\)|([^\n;(]+))/g)) (m[1] === undefined ? [m[2]] : m[1].split(/[\n;]/)).forEach(add);
  return names;
}

// importedPaths are the paths of the packages that the answer itself imports.
function importedPaths(source) {
  const plain = source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return [...plain.matchAll(/(?:^|[;\n])\s*import\s*(?:\(([^)]*)\)|([^\n;(]+))/g)].flatMap((m) => [...(m[1] ?? m[2]).matchAll(/["`]([^"`]+)["`]/g)].map((n) => n[1]));
}

// usedPackages are the known packages whose name stands in front of a point.
function usedPackages(source, known) {
  const own = ownImports(source), names = new Set();
  for (const m of code(source).matchAll(/(?<![\w.])([a-z]\w*)\s*\.\s*[A-Z]/g)) if (Object.hasOwn(known, m[1]) && !own.has(m[1])) names.add(m[1]);
  return [...names].sort();
}

// withImports is the file that is compiled: the learner's own lines keep their numbers.
function withImports(file, source, names, known) {
  return "package main;" + names.map((n) => ` import ${n} "${known[n]}";`).join("") + `\n//line ${file}:1:1\n` + source;
}

// corrected are the imports of a file without those that turned out to be of no use,
// since the name is a variable's, and with those that are missed; null where that changes
// nothing.
function corrected(messages, file, names, known) {
  const better = new Set(names);
  messages = messages.split("\n").filter((m) => m.replace("/w/", "").startsWith(file + ":")).join("\n");
  for (const m of messages.matchAll(/"([^"\n]+)" imported(?: as (\w+))? and not used/g)) for (const n of names) if (known[n] === m[1]) better.delete(n);
  for (const m of messages.matchAll(/: undefined: (\w+)/g)) if (Object.hasOwn(known, m[1])) better.add(m[1]);
  const list = [...better].sort();
  return list.join() === names.join() ? null : list;
}

// readable are the messages of the compiler with the lines that they speak of. A file ends, for the
// reader, with its last line of text, or of the first lines that the reader has written.
function readable(messages, files) {
  const shown = new Set();
  return messages.trim().split("\n").map((message) => {
    const m = message.match(/^(?:\/w\/)?([a-z]+\.go):(\d+)(?::(\d+))?: (.*)$/), file = m && files.find((f) => f.name === m[1]);
    if (!file) return message.replace(/^(?:\/w\/)?main\.go:[\d:]+ undefined: (\w+)$/, "the check calls $1, which your answer does not have")
      .replace(/^(?:\/w\/)?main\.go:[\d:]+ /, "the call of the check: ");
    const last = (file.lines ? file.source.split("\n").slice(0, file.lines).join("\n") : file.source).trimEnd().split("\n").length;
    const inside = Number(m[2]) <= last, number = inside ? m[2] : last, place = m[1] + ":" + number, line = file.source.split("\n")[number - 1];
    const what = m[4].replace(/^could not import (\S+) \(.*$/, "the page has no package $1: use it in the notebook");
    const quoted = shown.has(place) || line === undefined ? "" : "\n    " + line.trim();
    shown.add(place);
    const where = files.length === 1 || m[1] === "cell.go" ? "" : m[1] === "answer.go" ? "your answer, " : "an earlier cell, ";
    return `${where}line ${number}${inside && m[3] ? ", column " + m[3] : ""}: ${what}${quoted}`;
  }).join("\n");
}
