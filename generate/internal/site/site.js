// This script contains functions that all pages share: the choice between light and dark, the mark in the
// table of contents, folds that open on paper, and the key that opens the search. All texts are also
// readable without the script.
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
      try { localStorage.setItem(key, root.style.colorScheme); } catch (e) { /* without storage, the choice applies only to this page */ }
      label();
    });
    system.addEventListener("change", label);
    label();
  }

  // ---- the table of contents marks the section in view --------------------------------

  var contents = document.querySelector(".contents > details"), entries = [], marked = null, wide = matchMedia("(min-width: 72rem)");
  function mark() {
    var now = null, end = scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2;
    entries.forEach(function (e) { if (end || e.heading.getBoundingClientRect().top < innerHeight / 3) now = e.link; });
    if (now === marked) return;
    if (marked) marked.removeAttribute("aria-current");
    if (now) now.setAttribute("aria-current", "true");
    marked = now;
  }
  if (contents) {
    wide.addEventListener("change", function () { contents.open = wide.matches; });
    contents.querySelectorAll("a").forEach(function (a) {
      var heading = document.getElementById(decodeURIComponent(a.hash.slice(1)));
      if (heading) entries.push({ heading: heading, link: a });
    });
    var waits = 0;
    addEventListener("scroll", function () { waits = waits || requestAnimationFrame(function () { waits = 0; mark(); }); }, { passive: true });
    mark();
  }

  // ---- elements that scroll sideways get the focus, so that the arrow keys scroll them ----

  var names = { PRE: "Code or output", DIV: "Table or output" };
  function atEnd(e) { e.toggleAttribute("data-end", e.scrollLeft + e.clientWidth > e.scrollWidth - 2); }
  document.addEventListener("scroll", function (e) { if (e.target.nodeType === 1 && e.target.hasAttribute("data-scrolls")) atEnd(e.target); }, { capture: true, passive: true });
  function scrolls() {
    document.querySelectorAll("main pre, main .wide, main .out, main .tml-display").forEach(function (e) {
      var does = e.scrollWidth > e.clientWidth + 1;
      atEnd(e);
      if (does === e.hasAttribute("data-scrolls") || does && e.hasAttribute("tabindex")) return;
      e.toggleAttribute("data-scrolls", does);
      if (!does) return ["tabindex", "role", "aria-label"].forEach(function (a) { e.removeAttribute(a); });
      e.tabIndex = 0;
      if (!names[e.nodeName]) return; // a formula needs no role or label, because screen readers read MathML
      e.setAttribute("role", "group");
      e.setAttribute("aria-label", e.classList.contains("code") ? "Code" : names[e.nodeName]);
    });
  }
  if (globalThis.ResizeObserver && document.querySelector("main")) new ResizeObserver(scrolls).observe(document.querySelector("main"));

  // ---- printing, and the key that opens the search -----------------------------

  addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open])").forEach(function (d) { d.open = true; d.dataset.printed = ""; });
  });
  addEventListener("afterprint", function () {
    document.querySelectorAll("details[data-printed]").forEach(function (d) { d.open = false; delete d.dataset.printed; });
  });
  addEventListener("keydown", function (e) {
    var box = document.getElementById("query") || document.querySelector("header input[name=q]");
    var at = document.activeElement; // in an editor, this is an element with editable content
    if (e.key !== "/" || !box || e.ctrlKey || e.metaKey || e.altKey || at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
    e.preventDefault();
    box.focus();
  });
})();
