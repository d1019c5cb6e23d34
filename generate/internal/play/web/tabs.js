"use strict";
// Two tabs, or a tab and an import, with one exercise: neither overwrites the text of the other.

// hyperplaneTabs watches the kept answer with this key. As long as its text differs from the editor's,
// the page says so and offers both, and the editor's text is kept aside. hold(text) reports whether
// the text of the editor must not be kept as the answer.
function hyperplaneTabs(key, store, stub, editor) {
  const box = document.createElement("div");
  box.className = "conflict";
  box.setAttribute("role", "alert");
  box.hidden = true;
  document.querySelector("#play .editor").before(box);
  let other = null; // the text that differs, null without one

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
  const end = () => {
    other = null;
    store.setAside(key, null);
    box.hidden = true;
    box.textContent = "";
  };
  // offer shows both texts. mine is false if the other text is the one that was kept aside.
  function offer(text, why) {
    if (text === other) return;
    other = text;
    box.textContent = "";
    element("p", why + " Nothing was overwritten. Which one should be your answer?");
    const fold = element("details", "");
    fold.appendChild(document.createElement("summary")).textContent = "Show the other text";
    fold.appendChild(document.createElement("pre")).textContent = text;
    const row = element("p", "");
    row.className = "actions";
    button(row, "Use the other text", "other", () => { end(); editor.set(text); });
    button(row, "Keep the text below", "this", () => {
      const mine = editor.get();
      end();
      if (mine === stub) store.forgetAnswer(key); else store.keepAnswer(key, mine);
    });
    box.hidden = false;
  }
  // look compares what is kept with the editor.
  function look(why) {
    const kept = store.answer(key) ?? stub, mine = editor.get();
    if (kept === mine) return other === null ? undefined : end();
    store.setAside(key, mine);
    offer(kept, why);
  }
  addEventListener("storage", (e) => { if (e.key === null || store.answerOf(e) === key) look("Another tab has changed this answer to a different text."); });
  addEventListener("hyperplane-work", () => look("What is kept of this answer is now a different text."));
  const aside = store.aside(key);
  if (aside !== null && aside !== editor.get()) offer(aside, "Another tab had a different text for this answer.");
  else if (aside !== null) store.setAside(key, null);
  return {
    hold(text) {
      if (other === null) return false;
      store.setAside(key, text);
      return true;
    },
  };
}
