"use strict";
// The service worker: what was seen once can be seen without a network. The network
// comes first, so that nobody reads an old page. The large files of the compiler are
// kept by the worker that unpacks them.
const kept = "hyperplane-pages";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));

async function answer(request) {
  const cache = await caches.open(kept);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) cache.put(request, fresh.clone()).catch(() => {});
    return fresh;
  } catch (e) {
    const old = await cache.match(request, { ignoreSearch: request.mode === "navigate", ignoreVary: true });
    if (old) return old;
    throw e;
  }
}

self.addEventListener("fetch", (e) => {
  const url = new URL(e.request.url);
  if (e.request.method === "GET" && url.origin === location.origin && !/\.(xz|gz)$/.test(url.pathname)) e.respondWith(answer(e.request));
});
