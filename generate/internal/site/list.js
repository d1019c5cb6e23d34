"use strict";
// This script filters the list of exercises. An exercise is shown if it matches one of the pressed chips
// (buttons) in each group that has a pressed chip, and all words in the search field. The page's address
// contains the choice.
(function () {
  const items = [...document.querySelectorAll(".exercises > li")], chips = [...document.querySelectorAll(".chip")], find = document.getElementById("find");
  const plain = (t) => t.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  for (const i of items) i.words = plain(i.querySelector(".name").textContent + " " + i.querySelector(".needs").textContent + " " + i.querySelector(".in").textContent + " " + i.dataset.id);
  const pressed = (kind) => chips.filter((c) => kind in c.dataset && c.getAttribute("aria-pressed") === "true").map((c) => c.dataset[kind]);
  const any = (list, v) => !list.length || list.includes(v);
  function show() {
    const state = pressed("state"), stars = pressed("stars"), book = pressed("book"), words = plain(find.value).split(/\s+/).filter(Boolean);
    for (const i of items) i.hidden = !(any(state, hyperplaneStore.state(i.dataset.id)) && any(stars, i.dataset.stars) && any(book, i.dataset.book) && words.every((w) => i.words.includes(w)));
    for (const s of document.querySelectorAll("main > section")) s.hidden = !s.querySelector("li:not([hidden])");
    const n = items.filter((i) => !i.hidden).length;
    document.getElementById("found").textContent = n === items.length ? n + " exercises" : n + " of " + items.length + " exercises";
    document.getElementById("none").hidden = n > 0;
  }
  // keep writes the choice to the address of the page and shows the matching exercises.
  function keep() {
    const q = new URLSearchParams(location.search);
    for (const kind of ["state", "stars", "book"]) pressed(kind).length ? q.set(kind, pressed(kind).join(" ")) : q.delete(kind);
    find.value.trim() ? q.set("find", find.value.trim()) : q.delete("find");
    try { history.replaceState(null, "", (String(q) ? "?" + q : location.pathname) + location.hash); } catch (e) { /* a page that was opened from disk may not change its address */ }
    show();
  }
  document.querySelector(".chips").hidden = false;
  const asked = new URLSearchParams(location.search);
  for (const c of chips) {
    const kind = Object.keys(c.dataset)[0];
    if ((asked.get(kind) || "").split(" ").includes(c.dataset[kind])) c.setAttribute("aria-pressed", "true");
    c.addEventListener("click", () => { c.setAttribute("aria-pressed", c.getAttribute("aria-pressed") !== "true"); keep(); });
  }
  find.value = asked.get("find") || "";
  find.addEventListener("input", keep);
  document.getElementById("clear").addEventListener("click", () => {
    find.value = "";
    for (const c of chips) c.setAttribute("aria-pressed", "false");
    keep();
    find.focus();
  });
  addEventListener("storage", show);
  addEventListener("pageshow", show);
  show();
})();
