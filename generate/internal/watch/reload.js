(() => {
  "use strict";
  let version = VERSION;
  // mine returns the files of the site that this page shows.
  const mine = () => {
    const here = new URL(location.href.replace(/[?#].*$/, "").replace(/\/$/, "/index.html"));
    const loaded = [...document.querySelectorAll("script[src], link[rel=stylesheet], img[src]")];
    const all = [here, ...loaded.map((e) => new URL(e.src || e.href, here))];
    return new Set(all.filter((u) => u.origin === here.origin).map((u) => decodeURIComponent(u.pathname).slice(1)));
  };
  // say shows the errors in the sources in a box over the page. Without errors it removes the box.
  const say = (text) => {
    let box = document.getElementById("watch-failed");
    if (!text) return box && box.remove();
    if (!box) {
      box = document.createElement("pre");
      box.id = "watch-failed";
      box.setAttribute("role", "alert");
      box.style.cssText = "position:fixed;inset:auto 0 0 0;z-index:99;margin:0;padding:1rem;max-height:50vh;overflow:auto;white-space:pre-wrap;background:#7a1220;color:#fff";
      document.body.append(box);
    }
    box.textContent = text;
  };
  const listen = async () => {
    for (;;) {
      try {
        const news = await (await fetch("/watch", { method: "POST", body: String(version) })).json();
        version = news.version;
        say(news.failed);
        const files = mine();
        if (news.restarted || news.changed.some((p) => files.has(p))) return location.reload();
      } catch (e) { // the server has stopped; it may start again
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
  };
  say(FAILED);
  listen();
})();
