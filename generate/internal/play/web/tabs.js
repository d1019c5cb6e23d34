"use strict";
// This script prevents two tabs with the same exercise, or a tab and an import, from overwriting each
// other's text.

// hyperplaneTabs watches the stored answer with the given key. While the stored answer differs from the
// text in the editor, the page reports this and offers both texts. Meanwhile the browser stores the
// editor's text separately, so that this text survives when the tab is closed. The function hold(text)
// of the result reports whether the page must not store the editor's text as the answer.
function hyperplaneTabs(key, store, stub, editor) {
  const tab = Math.random().toString(36).slice(2), box = document.createElement("div");
  box.className = "conflict";
  box.setAttribute("role", "alert");
  box.hidden = true;
  document.querySelector("#play .editor").before(box);
  // held is true while the stored answer differs from the editor's text. offered is the text that the
  // page offers. owner is the tab that has stored a text separately because of this difference.
  let held = false, offered = null, owner = "";

  const element = (name, text, parent = box) => {
    const e = parent.appendChild(document.createElement(name));
    e.textContent = text;
    return e;
  };
  const button = (row, text, name, onClick) => {
    const b = element("button", text, row);
    b.type = "button";
    b.dataset.do = name;
    b.addEventListener("click", onClick);
  };
  // offer offers a text to the reader. from is the tab that has stored a text separately.
  function offer(text, from, why) {
    if (text === offered) return;
    offered = text;
    owner = from;
    box.textContent = "";
    element("p", why + " Nothing was overwritten. Which one should be your answer?");
    const fold = element("details", "");
    element("summary", "Show the other text", fold);
    element("pre", text, fold);
    const row = element("p", "");
    row.className = "actions";
    button(row, "Use the other text", "other", () => { end(from); editor.set(text); next(); });
    button(row, "Keep the text below", "this", () => {
      const mine = editor.get();
      end(from);
      if (mine === stub) store.forgetAnswer(key); else store.keepAnswer(key, mine);
      next();
    });
    box.hidden = false;
  }
  function end(from) {
    held = false;
    offered = null;
    store.setAside(key, from, null);
    box.hidden = true;
    box.textContent = "";
  }
  // next offers a text that a tab has stored separately, if it differs from the editor's text.
  function next() {
    for (const a of store.asides(key)) {
      if (a.text !== editor.get()) return offer(a.text, a.tab, "Another tab had a different text for this answer.");
      store.setAside(key, a.tab, null);
    }
  }
  // look compares the stored answer with the text in the editor.
  function look(why) {
    const kept = store.answer(key) ?? stub, mine = editor.get();
    if (kept !== mine) {
      held = true;
      store.setAside(key, tab, mine);
      offer(kept, tab, why);
    } else if (held) {
      end(tab);
      next();
    }
  }
  addEventListener("storage", (e) => {
    if (e.key === null || store.answerOf(e) === key) look("Another tab has changed this answer to a different text.");
    if (offered === null || held || store.asides(key).some((a) => a.tab === owner)) return;
    end(owner); // in the tab named owner, the reader has chosen a text
    next();
  });
  addEventListener("hyperplane-work", (e) => {
    if (e.detail !== key) return look("The stored answer now has a different text.");
    end(tab); // the reader has chosen the stored answer
    editor.set(store.answer(key) ?? stub);
    next();
  });
  addEventListener("hyperplane-deleted", () => { end(tab); editor.set(stub); });
  next();
  return {
    hold(text) {
      if (held) store.setAside(key, tab, text);
      return held;
    },
  };
}
