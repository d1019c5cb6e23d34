// This script runs the search page. The search index is a script that runs before this script. It contains the
// pages, their sections and the table of synonyms.
(function () {
  "use strict";
  var index = globalThis.hyperplaneSearch, box = document.getElementById("query");
  if (!box || !index) return;

  // ---- words -----------------------------------------------------------------------

  function fold(text) { return text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, ""); }
  function words(text) { return fold(text).match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) || []; }

  // stop contains words that are uninformative about the subject of a query.
  var stop = new Set((
    "a about all am an and any are as at be been but by can could did do does explain for from get gets had has " +
    "have how i if in into is it its just like may me more must my need of on or our please should show so some " +
    "tell than that the their them then there these they this those to us use used using vs was way we were what " +
    "when where whether which while who whose why will with would you your").split(" "));

  // endings lists the endings that stem removes, the longest first.
  var endings = (
    "izations isations ization isation abilities ability izing ising ations ation ators izer iser ized ised izes " +
    "ises ences ence ator able ible ating ated ates ings ives ize ise ing ate ive ies ied ions ion ers ity ed er " +
    "es ly al s y e").split(" ");

  // stem returns the beginning that all forms of a word share. For example, separable, separating and separated
  // have the stem "separ".
  function stem(word) {
    if (/\d/.test(word) || /(ss|us|is|ias)$/.test(word) && word.length < 7) return word;
    for (var ending of endings) {
      var rest = word.slice(0, word.length - ending.length);
      if (!word.endsWith(ending) || rest.length < (ending.length > 3 ? 4 : 3) || !/[aeiouy]/.test(rest)) continue;
      if (ending === "s" && rest.endsWith("s")) continue;
      if (/^i[sz]/.test(ending)) return rest + "iz"; // keep "iz", so that regularise and regular have different stems
      return rest.length > 3 && /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest.replace(/[iy]$/, "");
    }
    return word;
  }

  // meant returns the words in the list that are not in stop. If all words are in stop, it returns all words.
  function meant(list) {
    var rest = list.filter(function (w) { return !stop.has(w); });
    return rest.length ? rest : list;
  }
  function stems(text) { return meant(words(text)).map(stem); }

  // formulas matches the text of a formula. The results show formulas, but the search ignores them.
  var formulas = /\u2063[^\u2063]*\u2063/g;

  // ---- the index in memory ---------------------------------------------------------

  // read prepares the sections for searching. It computes the stems in each field of a section, and how rare each
  // stem is. It also collects the words of all texts, with which the search completes and corrects queries.
  function read() {
    var of = {}, vocabulary = new Map(), rare = new Map();
    function counted(text) {
      var count = new Map();
      words(text).forEach(function (w) {
        vocabulary.set(w, (vocabulary.get(w) || 0) + 1);
        var s = stem(w);
        count.set(s, (count.get(s) || 0) + 1);
      });
      return count;
    }
    var docs = index.sections.map(function (s) {
      var text = (s.t || "").replace(formulas, " ");
      var page = index.pages[s.p], d = { section: s, main: s.h === page[1], text: counted(text) };
      d.heading = counted(s.h || "");
      d.title = d.main ? d.heading : new Set(stems(page[1]));
      d.length = words(text).length;
      d.rank = rank(s, page, d.main);
      d.plain = " " + stems((s.h || "") + " " + text).join(" ") + " ";
      (of[s.p] = of[s.p] || []).push(d);
      return d;
    });
    docs.forEach(function (d) {
      if (d.main && /^(lesson|exercise) /.test(page(d)[2] || "")) d.whole = of[d.section.p];
      new Set([].concat(Array.from(d.text.keys()), Array.from(d.heading.keys()))).forEach(function (s) {
        rare.set(s, (rare.get(s) || 0) + 1);
      });
    });
    rare.forEach(function (n, s) { rare.set(s, Math.log(1 + docs.length / n)); });
    var groups = index.synonyms.map(function (line) {
      var sides = line.split(":").map(function (side) { return side.split(",").map(stems); });
      return { typed: sides[0], said: sides[sides.length - 1] };
    }), typed = new Map();
    words(index.synonyms.join(" ")).forEach(function (w) { if (!vocabulary.has(w)) vocabulary.set(w, 1); });
    groups.forEach(function (g) {
      g.typed.forEach(function (phrase) {
        var key = phrase.join(" "), others = g.said.filter(function (other) { return other.join(" ") !== key; });
        typed.set(key, (typed.get(key) || []).concat(others));
      });
    });
    var known = new Set(Array.from(vocabulary.keys(), stem));
    return { docs: docs, vocabulary: vocabulary, known: known, rare: rare, typed: typed };
  }

  function page(d) { return index.pages[d.section.p]; }

  // rank returns a factor for the score of a section, which depends on the kind of the section. Lists that only
  // repeat the titles of other pages have a small factor.
  function rank(s, page, main) {
    if (page[0] === "index.html" || page[0] === "exercises.html" && !main || s.h === "Where to go next") return 0.4;
    if (/^misprint/.test(s.l || "") || /misprints of these pages/i.test(s.h || "")) return 0.3;
    if (/^equation/.test(s.l || "")) return / says the same as: /.test(" " + s.t) ? 0.25 : 0.5;
    if (/^lesson/.test(page[2] || "")) return main ? 1.8 : 1;
    if (/^exercise/.test(page[2] || "")) return main ? 1.2 : 0.7;
    return 1;
  }

  // ---- the words of a query --------------------------------------------------------

  // distance returns the least number of edits that turn the word a into the word b. An edit adds, removes or changes
  // a letter, or swaps two adjacent letters. If more than most edits are necessary, distance returns most+1.
  function distance(a, b, most) {
    var before = [], last = [], now = [];
    for (var j = 0; j <= b.length; j++) last[j] = j;
    for (var i = 1; i <= a.length; i++) {
      var least = now[0] = i;
      for (j = 1; j <= b.length; j++) {
        now[j] = Math.min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        var swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (swapped) now[j] = Math.min(now[j], before[j - 2] + 1);
        least = Math.min(least, now[j]);
      }
      if (least > most) return most + 1;
      var free = before;
      before = last; last = now; now = free;
    }
    return last[b.length];
  }

  // corrected returns the words to search for in place of a word of the query. If a page or the table of synonyms
  // contains a form of the word or a longer word that begins with it, corrected returns the word itself. If the word
  // consists of two known words, corrected returns these two words. Otherwise it returns the nearest known word.
  function corrected(all, word) {
    if (/\d/.test(word) || word.length < 3 || stop.has(word) || all.known.has(stem(word))) return [word];
    var best = "", near = word.length < 5 ? 0 : word.length < 8 ? 1 : 2, often = 0, begins = false;
    all.vocabulary.forEach(function (n, w) { begins = begins || w.startsWith(word); });
    if (begins) return [word];
    var two = halves(all, word, 3);
    if (two) return two;
    all.vocabulary.forEach(function (n, w) {
      if (/\d/.test(w) || stop.has(w) || Math.abs(w.length - word.length) > near) return;
      var d = distance(word, w, near);
      if (d < near || d === near && n > often) { best = w; near = d; often = n; }
    });
    return [best || word];
  }

  // halves returns the two known words of which a word consists, or null. The argument least is the minimum number of
  // letters of each of the two words.
  function halves(all, word, least) {
    for (var i = least; i <= word.length - least; i++) {
      var two = [word.slice(0, i), word.slice(i)];
      if (all.vocabulary.has(two[0]) && all.vocabulary.has(two[1])) return two;
    }
    return null;
  }

  // concepts divides the words of a query into concepts. A concept is a list of phrases with the same meaning. Its
  // first phrase consists of words of the query. A phrase is a list of stems. If code is true, the query is an
  // identifier, so concepts does not split words such as "crossentropy".
  function concepts(all, list, code) {
    var found = [], asked = list.map(stem);
    for (var i = 0; i < list.length;) {
      var n = Math.min(4, list.length - i);
      while (n > 1 && !all.typed.has(asked.slice(i, i + n).join(" "))) n--;
      var phrase = asked.slice(i, i + n), others = all.typed.get(phrase.join(" ")) || [];
      var joined = n === 1 && i + 1 < list.length && stem(list[i] + list[i + 1]);
      if (all.known.has(joined)) { // "soft max" for "softmax"
        phrase = asked.slice(i, i + 2);
        others = [[joined]].concat(all.typed.get(joined) || []);
        n = 2;
      } else if (n === 1) { // "crossentropy" for "cross entropy"
        var two = !code && halves(all, list[i], 4);
        if (two) others = others.concat([two.map(stem)]);
      }
      found.push({ phrases: [phrase].concat(others), begins: n > 1 || all.known.has(asked[i]) ? "" : list[i] });
      i += n;
    }
    return found;
  }

  // ---- numbers ---------------------------------------------------------------------

  var kinds = { ex: "exercise", exercise: "exercise", problem: "exercise", task: "exercise",
    eq: "equation", eqn: "equation", equation: "equation", formula: "equation", fig: "figure", figure: "figure", plot: "figure", sec: "section", section: "section",
    subsection: "section", chapter: "section", ch: "section", lesson: "lesson" };
  index.books.forEach(function (w) { kinds[w] = "exercise"; });
  var order = ["exercise", "equation", "figure", "section", "lesson"];

  // numbered removes references such as "exercise 4.7", "fig4.5", "PRML (4.97)" and "lesson 9" from a query. It returns
  // their numbers, their kind, and the remaining words. It also removes the package's name before a function's name.
  function numbered(query) {
    var numbers = [], kind = "", text = fold(query.replace(/\b[a-z]+\.(?=[A-Z])/g, ""));
    text = text.replace(/§/g, " section ").replace(/(\d),(\d)/g, "$1.$2").replace(/\b([a-z]+)(?=\d+\.\d)/g, "$1 ");
    var list = words(text), named = list.filter(function (w) { return kinds[w] || kinds[w.replace(/s$/, "")]; });
    var rest = list.filter(function (w) {
      if (/^\d+(\.\d+)+$/.test(w)) numbers.push(w);
      else if (/^\d+$/.test(w) && /^(lesson|chapter|section|sec|ch)s?$/.test(named[0] || "")) numbers.push(String(+w));
      else return true;
      return false;
    });
    if (!numbers.length) return { numbers: [], kind: "", rest: list };
    named.forEach(function (w) {
      w = kinds[w] || kinds[w.replace(/s$/, "")];
      if (!kind || kind === "exercise") kind = w;
    });
    return { numbers: numbers, kind: kind, rest: rest.filter(function (w) { return named.indexOf(w) < 0; }) };
  }

  // called returns {label, score} if a section of the site has one of the numbers in a query, and otherwise null. A
  // section of a book includes its subsections: 4.3 finds the lesson on 4.3.2, and 4.5.2 finds the lesson on 4.5.
  function called(d, asked) {
    var label = d.section.l || d.main && page(d)[2] || "", number = label.replace(/^\w+ \(?|\)$/g, "");
    var treated = d.main && page(d)[3] || []; // sections of the books that the page treats
    function answer(label) {
      var kind = label.split(" ")[0];
      return { label: label, score: (kind === asked.kind ? 2000 : 1000) - 10 * order.indexOf(kind) };
    }
    for (var n of asked.numbers) {
      if (number === n && (asked.kind === "lesson" || !/^lesson/.test(label))) return answer(label);
      var hit = treated.find(function (s) { return (s + ".").startsWith(n + ".") || n.startsWith(s + "."); });
      if (hit && asked.kind !== "lesson") return answer("section " + hit);
    }
    return null;
  }

  // ---- the score of a section ------------------------------------------------------

  // fits returns a score for a stem that occurs in a section: 12 in the title of a page if the section is the first of
  // the page, 8 in the section's heading, and up to 2.2 in its text. begins is a word of the query that may be the
  // beginning of a longer word, or "".
  function fits(all, d, s, begins) {
    var title = 0, heading = 0, text = 0, tf = d.text.get(s) || 0;
    if (d.title.has(s)) title = d.main ? 12 : 2;
    if (!d.main && d.heading.has(s)) heading = /^equation/.test(d.section.l || "") ? 2 : 8;
    if (tf) text = tf * 2.2 / (tf + 1.2 * (0.4 + 0.6 * d.length / 80));
    if (d.whole && !tf) {
      d.whole.forEach(function (part) { if (part.text.has(s)) text = Math.max(text, 0.6); });
    }
    if (!title && !heading && !text && begins && begins.length > 2) {
      d.title.forEach(function (_, w) { if (!title && begun(w, begins)) title = d.main ? 6 : 1; });
      d.heading.forEach(function (_, w) { if (!heading && begun(w, begins)) heading = 4; });
      d.text.forEach(function (_, w) { if (!text && begun(w, begins)) text = 0.5; });
    }
    return title + heading + text;
  }
  function begun(s, begins) { return s.startsWith(begins) || s.length > 3 && begins.startsWith(s); }

  // score returns a score for a section that contains concepts of a query. If the section contains less than a quarter
  // of the concepts, weighted by how rare they are, score returns 0.
  function score(all, d, asked) {
    var sum = 0, had = 0, whole = 0, covered = new Set();
    asked.forEach(function (c) {
      var best = 0, weight = 0;
      c.phrases.forEach(function (phrase, i) {
        var fit = 0, n = 0, rare = 0;
        phrase.forEach(function (s) {
          var f = fits(all, d, s, i === 0 ? c.begins : ""), r = all.rare.get(s) || 3;
          fit += f * r;
          rare += r;
          if (f) { n++; covered.add(s); }
        });
        if (i === 0) weight = rare;
        var together = n === phrase.length && n > 1 && d.plain.includes(" " + phrase.join(" ") + " ");
        if (!n || i > 0 && phrase.length > 1 && !together) return;
        fit *= Math.pow(n / phrase.length, 2) / phrase.length * (i === 0 ? 1 : 0.7) * (together ? 2.5 : 1);
        best = Math.max(best, fit);
      });
      whole += weight;
      if (best) { had += weight; sum += best; }
    });
    if (!sum || had < whole / 4) return 0;
    if (d.main) { // prefer a page if its title contains few words that are not in the query
      var n = 0, of = new Set(Array.from(d.title.keys()).filter(function (s) { return !stop.has(s); }));
      of.forEach(function (s) { if (covered.has(s)) n++; });
      sum *= 0.6 + 0.8 * n / (of.size || 1);
    }
    return sum * Math.pow(had / whole, 2) * d.rank;
  }

  var all; // the result of read

  // search returns the sections that match a query, the best first. It also returns the words that it has corrected,
  // and the stems that it has searched for.
  function search(query) {
    all = all || read();
    var asked = numbered(query), terms = [], changed = [];
    meant(asked.rest).forEach(function (w) {
      var to = corrected(all, w);
      if (to.join(" ") !== w) changed.push([w, to.join(" ")]);
      terms = terms.concat(to);
    });
    var phrase = " " + terms.map(stem).join(" ") + " ", identifier = /[a-z][A-Z]/.test(query);
    var about = asked.rest.length ? concepts(all, terms, identifier) : [], hits = [];
    all.docs.forEach(function (d) {
      var number = called(d, asked), points = score(all, d, about);
      if (identifier && page(d)[0] === "models.html") points *= 5; // this page lists all fits
      if (terms.length > 1 && d.plain.includes(phrase)) points *= 2;
      if (!number && asked.numbers.length) {
        asked.numbers.forEach(function (n) { if (d.text.has(n) || d.heading.has(n)) points += d.rank; });
      }
      if (number) points += number.score;
      if (points) hits.push({ doc: d, score: points, label: number && number.label });
    });
    hits.sort(best);
    var seen = {};
    hits.forEach(function (h) { // reduce the scores of further sections of a page, so that other pages are also found
      var p = h.doc.section.p, n = seen[p] = (seen[p] || 0) + 1;
      if (!h.doc.section.l && !h.label && n > 1) h.score *= n > 3 ? 0.4 : 0.8;
    });
    hits.sort(best);
    return { hits: hits.filter(function (h) { return h.score > hits[0].score / 25 || h.label; }), changed: changed,
      stems: about.map(function (c) { return c.phrases; }).flat(2).concat(asked.numbers) };
  }
  function best(a, b) { return b.score - a.score || a.doc.section.p - b.doc.section.p; }

  // ---- what the page shows ---------------------------------------------------------

  // excerpt returns the text around the first of the stems.
  function excerpt(text, wanted) {
    var at = 0, seen = new Set(wanted);
    text = text.replace(/\u2063/g, "");
    for (var m of text.matchAll(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu)) {
      if (seen.has(stem(fold(m[0])))) { at = m.index; break; }
    }
    var from = Math.max(0, at - 60);
    if (from > 0) from = text.indexOf(" ", from) + 1;
    var to = text.length > from + 180 ? text.lastIndexOf(" ", from + 180) : text.length;
    return (from > 0 ? "… " : "") + text.slice(from, to) + (to < text.length ? " …" : "");
  }

  // name returns the text of the link to a section: "exercise 4.7: The logistic sigmoid … › Explore".
  function name(hit) {
    var s = hit.doc.section, p = page(hit.doc), title = p[2] ? p[2] + ": " + p[1] : p[1];
    if (s.l) return s.l + ": " + (/^figure/.test(s.l) ? s.h.replace(/^[\d.]+ /, "") : short(s.t));
    if (hit.label && hit.label !== p[2]) title = hit.label + ": " + p[2] + ", " + p[1];
    return hit.doc.main || !s.h ? title : title + " › " + s.h;
  }

  // short returns the first sentence of the entry of an equation or a misprint, cut to 90 characters.
  function short(text) {
    var line = text.replace(/\u2063/g, "").replace(/ (code|says the same as|a definition, used in|figures|printed): .*/, "");
    return line.length > 90 ? line.slice(0, line.lastIndexOf(" ", 90)) + " …" : line;
  }

  // kind matches the label with which a name begins: "lesson 7", "equation (4.97)".
  var kind = /^((?:lesson|exercise|figure|equation|misprint|section)(?: [^:]+)?): /;

  function element(name, text, parent) {
    var e = document.createElement(name);
    e.textContent = text;
    parent.appendChild(e);
    return e;
  }

  function show(query) {
    var list = document.getElementById("results"), most = 40, said = document.getElementById("found");
    list.textContent = said.textContent = "";
    if (!words(query).length) return;
    var found = search(query), n = found.hits.length;
    said.textContent = (n === 0 ? "Nothing found. Try other words, or fewer." : n === 1 ? "One result." :
      n + " results" + (n > most ? ", the first " + most + ":" : ":")) +
      found.changed.map(function (c) { return " “" + c[0] + "” is read as “" + c[1] + "”."; }).join("");
    found.hits.slice(0, most).forEach(function (h) {
      var s = h.doc.section, item = document.createElement("li");
      var title = name(h), label = kind.exec(title), link = element("a", "", item);
      link.href = page(h.doc)[0] + (s.i ? "#" + encodeURIComponent(s.i) : "");
      if (label) {
        element("span", label[1], link).className = "kind";
        link.append(" ");
      }
      element("span", label ? title.slice(label[0].length) : title, link);
      if (s.t) element("p", excerpt(s.t, found.stems), item);
      list.appendChild(item);
    });
  }

  box.value = new URLSearchParams(location.search).get("q") || "";
  box.addEventListener("input", function () {
    show(box.value);
    var address = box.value ? "?q=" + encodeURIComponent(box.value) : location.pathname;
    try { history.replaceState(null, "", address); } catch (e) { /* a page that was opened from disk may not change its address */ }
  });
  box.form.addEventListener("submit", function (e) { e.preventDefault(); show(box.value); });
  show(box.value);
  box.focus();
})();
