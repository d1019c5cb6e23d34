"use strict";
// The large files of the compiler: fetched once, unpacked, and kept unpacked by the
// browser, so that the next visit needs neither network nor time for them.
const cacheName = "hyperplane-compiler";

function unpacked(file, body) {
  if (file.endsWith(".xz")) return new globalThis["xz-decompress"].XzReadableStream(body);
  return body.pipeThrough(new DecompressionStream("gzip"));
}

// counted tells of every piece that passes.
function counted(body, onBytes) {
  return body.pipeThrough(new TransformStream({ transform(piece, out) { onBytes(piece.length); out.enqueue(piece); } }));
}

async function openCache() {
  try { return await caches.open(cacheName); } catch (e) { return null; } // a private window may have none
}

// part returns a response with the unpacked file. onBytes is told of the compressed
// bytes as they come, of all at once where nothing had to be loaded.
async function part(p, type, onBytes) {
  const cache = await openCache(), key = new URL(p.file, self.location.href).href;
  const kept = cache && await cache.match(key);
  if (kept) {
    onBytes(p.size);
    return kept;
  }
  const fetched = async (onBytes) => {
    const answer = await fetch(p.file, { cache: "no-store" }); // what is kept is kept unpacked
    if (!answer.ok) throw new Error(p.file + ": " + answer.status + " " + answer.statusText);
    return new Response(unpacked(p.file, counted(answer.body, onBytes)), { headers: { "Content-Type": type } });
  };
  if (!cache) return fetched(onBytes);
  try {
    await cache.put(key, await fetched(onBytes)); // piece by piece: at no time all of it in memory
    return await cache.match(key);
  } catch (e) { // the disk may be full
    return fetched(() => {});
  }
}

// sweep drops what an earlier version of the site has left.
async function sweep(manifest) {
  const cache = await openCache();
  if (!cache) return;
  const known = new Set([manifest.compile, manifest.link, manifest.base, manifest.cells, manifest.variants, ...Object.values(manifest.packs)].map((p) => p.file));
  for (const request of await cache.keys()) if (!known.has(request.url.split("/").pop())) await cache.delete(request);
}
