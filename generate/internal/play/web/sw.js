"use strict";
// The service worker makes pages available without a network: all pages that the reader has opened
// before, the start page and the lists. If the network works, it always loads the page again, so that
// nobody reads an old page. It does not store the large files of the compiler, because parts.js does.
const kept = "hyperplane-pages", always = ["./", "exercises.html", "search.html"];

// keyOf returns the key of a page in the cache. A folder and its index.html have the same key, because
// a server may redirect from one to the other.
const keyOf = (address) => address.split(/[?#]/)[0].replace(/\/index\.html$/, "/");

self.addEventListener("install", (e) => {
  self.skipWaiting();
  e.waitUntil(Promise.allSettled(always.map(keep)));
});
self.addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));

// keep stores a page, together with the scripts and styles that the page loads.
async function keep(page) {
  const cache = await caches.open(kept), address = new URL(page, registration.scope).href, fresh = await fetch(address);
  if (!fresh.ok) return;
  const text = await fresh.clone().text();
  await cache.put(keyOf(address), fresh);
  const loads = [...text.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+\.(?:js|css))"/g)].map((m) => new URL(m[1], address).href);
  await Promise.allSettled(loads.map(async (a) => (await cache.match(a)) || cache.add(a)));
}

async function answer(e) {
  const request = e.request, page = request.mode === "navigate";
  try {
    const fresh = await fetch(request);
    if (fresh.ok) {
      const copy = fresh.clone();
      e.waitUntil(caches.open(kept).then((cache) => cache.put(page ? keyOf(request.url) : request, copy)).catch(() => {}));
    }
    return fresh;
  } catch (error) {
    const cache = await caches.open(kept);
    const old = await cache.match(page ? keyOf(request.url) : request, { ignoreVary: true });
    if (old) return old;
    if (page) return absent(cache);
    throw error;
  }
}

// absent returns the page that the reader sees if a page is not stored and there is no network.
async function absent(cache) {
  const clean = (text) => text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");
  const pages = [];
  for (const { url } of await cache.keys()) {
    if (!/(\/|\.html)$/.test(new URL(url).pathname)) continue;
    const title = (await (await cache.match(url)).text()).match(/<title>([^<]*)<\/title>/); // this text is already escaped
    pages.push([title ? title[1].replace(/ · [^·]*$/, "") : clean(url), url]);
  }
  pages.sort((a, b) => a[1].localeCompare(b[1]));
  const root = clean(registration.scope);
  return new Response(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not available offline</title>
<link rel="stylesheet" href="${root}assets/site.css"></head>
<body><main id="main"><h1>This page is not available offline</h1>
<p>There is no connection to the site, and you have not opened this page before. These pages are kept in your browser:</p>
<ul>${pages.map(([title, url]) => `<li><a href="${clean(url)}">${title}</a></li>`).join("\n")}</ul>
</main></body></html>`, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

self.addEventListener("fetch", (e) => {
  const url = new URL(e.request.url);
  if (e.request.method === "GET" && url.origin === location.origin && !/\.(xz|gz)$/.test(url.pathname)) e.respondWith(answer(e));
});
