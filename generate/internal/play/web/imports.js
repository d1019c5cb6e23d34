"use strict";
// This script adds missing imports to an answer, as the kernel does. It also converts the compiler's
// messages, so that they name the lines that the learner sees.

// code returns Go source without comments and without the contents of strings and runes.
function code(source) {
  return source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (m) => (m[0] === "/" ? " " : '""'));
}

// ownImports returns the names under which the answer itself imports packages.
function ownImports(source) {
  const names = new Set(), plain = source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  const add = (spec) => {
    const m = spec.match(/^\s*([\w.]+\s+)?["`]([^"`]+)["`]/);
    if (m) names.add((m[1] || m[2].replace(/\/v\d+$/, "").split("/").pop()).trim());
  };
  for (const m of plain.matchAll(/(?:^|[;\n])\s*import\s*(?:\(([^)]*)\)|([^\n;(]+))/g)) (m[1] === undefined ? [m[2]] : m[1].split(/[\n;]/)).forEach(add);
  return names;
}

// importedPaths returns the paths of the packages that the answer itself imports.
function importedPaths(source) {
  const plain = source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return [...plain.matchAll(/(?:^|[;\n])\s*import\s*(?:\(([^)]*)\)|([^\n;(]+))/g)].flatMap((m) => [...(m[1] ?? m[2]).matchAll(/["`]([^"`]+)["`]/g)].map((n) => n[1]));
}

// usedPackages returns the names in known that the answer uses before a dot and an exported name, but
// does not import itself.
function usedPackages(source, known) {
  const own = ownImports(source), names = new Set();
  for (const m of code(source).matchAll(/(?<![\w.])([a-z]\w*)\s*\.\s*[A-Z]/g)) if (Object.hasOwn(known, m[1]) && !own.has(m[1])) names.add(m[1]);
  return [...names].sort();
}

// withImports returns the file to compile. In the compiler's messages, the lines of source keep their
// numbers.
function withImports(file, source, names, known) {
  return "package main;" + names.map((n) => ` import ${n} "${known[n]}";`).join("") + `\n//line ${file}:1:1\n` + source;
}

// corrected returns the imports of a file, corrected with the help of the compiler's messages. It
// removes imports that the file does not use, for example because a variable has the package's name.
// It adds imports that are missing. If there is nothing to correct, it returns null.
function corrected(messages, file, names, known) {
  const better = new Set(names);
  messages = messages.split("\n").filter((m) => m.replace("/w/", "").startsWith(file + ":")).join("\n");
  for (const m of messages.matchAll(/"([^"\n]+)" imported(?: as (\w+))? and not used/g)) for (const n of names) if (known[n] === m[1]) better.delete(n);
  for (const m of messages.matchAll(/: undefined: (\w+)/g)) if (Object.hasOwn(known, m[1])) better.add(m[1]);
  const list = [...better].sort();
  return list.join() === names.join() ? null : list;
}

// readable returns the compiler's messages, each with the line that it is about. The page may have
// added lines at the end of a file. A message about such a line names the last non-empty line that the
// reader has written. The field lines of a file is the number of lines that the reader has written.
function readable(messages, files) {
  const shown = new Set();
  return messages.trim().split("\n").map((message) => {
    const m = message.match(/^(?:\/w\/)?([a-z]+\.go):(\d+)(?::(\d+))?: (.*)$/), file = m && files.find((f) => f.name === m[1]);
    if (!file) return message.replace(/^(?:\/w\/)?main\.go:[\d:]+ undefined: (\w+)$/, "the check calls $1, which your answer does not define")
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
