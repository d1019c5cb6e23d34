// What the pages need a script for: the choice of light and dark, folds that open on
// paper, the search. Without it all can be read.
(function () {
  "use strict";
  var root = document.documentElement, key = "hyperplane-theme";

  // ---- light and dark --------------------------------------------------------

  var button = document.getElementById("theme"), system = matchMedia("(prefers-color-scheme: dark)");
  function dark() { return (root.style.colorScheme || (system.matches ? "dark" : "light")) === "dark"; }
  function label() {
    button.setAttribute("aria-label", "Switch to the " + (dark() ? "light" : "dark") + " theme");
  }
  if (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      root.style.colorScheme = dark() ? "light" : "dark";
      try { localStorage.setItem(key, root.style.colorScheme); } catch (e) { /* not remembered */ }
      label();
    });
    system.addEventListener("change", label);
    label();
  }

  // ---- what scrolls sideways takes the focus, so that the arrow keys scroll it -------

  var names = { PRE: "Code or output", DIV: "Table or output" };
  function scrolls() {
    document.querySelectorAll("main pre, main .wide, main .out, main .tml-display").forEach(function (e) {
      var does = e.scrollWidth > e.clientWidth + 1;
      if (does === e.hasAttribute("data-scrolls") || does && e.hasAttribute("tabindex")) return;
      e.toggleAttribute("data-scrolls", does);
      if (!does) return ["tabindex", "role", "aria-label"].forEach(function (a) { e.removeAttribute(a); });
      e.tabIndex = 0;
      if (!names[e.nodeName]) return; // a formula has a role and reads itself
      e.setAttribute("role", "group");
      e.setAttribute("aria-label", e.classList.contains("code") ? "Code" : names[e.nodeName]);
    });
  }
  if (globalThis.ResizeObserver && document.querySelector("main")) new ResizeObserver(scrolls).observe(document.querySelector("main"));

  // ---- paper, and links into what is folded ------------------------------------

  addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open])").forEach(function (d) { d.open = true; d.dataset.printed = ""; });
  });
  addEventListener("afterprint", function () {
    document.querySelectorAll("details[data-printed]").forEach(function (d) { d.open = false; delete d.dataset.printed; });
  });
  addEventListener("keydown", function (e) {
    var box = document.getElementById("query") || document.querySelector("header input[name=q]");
    var at = document.activeElement; // an editor is an element whose content can be edited
    if (e.key !== "/" || !box || e.ctrlKey || e.metaKey || e.altKey || at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
    e.preventDefault();
    box.focus();
  });

  // ---- search ------------------------------------------------------------------

  function words(text) { return text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) || []; }

  // score says how well a word of the query fits a list of words: 1 as a whole, half
  // as the beginning of a longer one.
  function score(word, list) {
    var best = 0;
    for (var i = 0; i < list.length && best < 1; i++) {
      if (list[i] === word) best = 1;
      else if (word.length > 2 && list[i].startsWith(word)) best = Math.max(best, 0.5);
    }
    return best;
  }

  // search returns the sections that have all words of the query, the best first: a
  // title counts 12, a heading 8, the text 1 and more when it is short.
  function search(index, query) {
    var wanted = words(query);
    if (!wanted.length) return [];
    index.read = index.read || index.sections.map(function (s) {
      return { section: s, title: words(index.pages[s.p][1]), heading: words(s.h || ""), text: words(s.t || "") };
    });
    return index.read.map(function (r) {
      var sum = 0;
      for (var i = 0; i < wanted.length; i++) {
        var title = score(wanted[i], r.title), heading = score(wanted[i], r.heading), text = score(wanted[i], r.text);
        if (!title && !heading && !text) return null;
        sum += 12 * title + 8 * heading + text * (1 + 20 / (20 + r.text.length));
      }
      return { section: r.section, score: sum };
    }).filter(Boolean).sort(function (a, b) { return b.score - a.score || a.section.p - b.section.p; });
  }

  // excerpt is the text around the first word of the query.
  function excerpt(text, query) {
    var low = text.toLowerCase(), at = -1;
    words(query).some(function (w) { return (at = low.indexOf(w)) >= 0; });
    var from = Math.max(0, at - 60);
    if (from > 0) from = text.indexOf(" ", from) + 1;
    return (from > 0 ? "… " : "") + text.slice(from, from + 180) + (text.length > from + 180 ? " …" : "");
  }

  function element(name, text, parent) {
    var e = document.createElement(name);
    e.textContent = text;
    parent.appendChild(e);
    return e;
  }

  function show(query) {
    var index = globalThis.hyperplaneSearch, list = document.getElementById("results"), hits = search(index, query), most = 40;
    list.textContent = "";
    document.getElementById("found").textContent = !words(query).length ? "" :
      hits.length === 0 ? "Nothing has all of these words." : hits.length === 1 ? "One section." :
      hits.length + " sections" + (hits.length > most ? ", the first " + most + ":" : ":");
    hits.slice(0, most).forEach(function (h) {
      var s = h.section, page = index.pages[s.p], item = document.createElement("li");
      var link = element("a", s.h && s.h !== page[1] ? page[1] + " › " + s.h : page[1], item);
      link.href = page[0] + (s.i ? "#" + encodeURIComponent(s.i) : "");
      if (s.t) element("p", excerpt(s.t, query), item);
      list.appendChild(item);
    });
  }

  var box = document.getElementById("query");
  if (box && globalThis.hyperplaneSearch) {
    box.value = new URLSearchParams(location.search).get("q") || "";
    box.addEventListener("input", function () {
      show(box.value);
      try { history.replaceState(null, "", box.value ? "?q=" + encodeURIComponent(box.value) : location.pathname); } catch (e) { /* a page from a disk may not */ }
    });
    box.form.addEventListener("submit", function (e) { e.preventDefault(); show(box.value); });
    show(box.value);
    box.focus();
  }
})();
