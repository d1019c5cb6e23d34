"use strict";
// The large files of the compiler: fetched once and kept by the browser, so that the next visit needs
// no network. They are kept in gzip, which browsers unpack fast, while they come in xz, which is
// smaller: unpacked they would take six times the room.
// A second entry says that a file is whole: where a page is left while a file comes in, a browser may
// keep the beginning.
const cacheName = "hyperplane-compiler-whole", oldCaches = ["hyperplane-compiler", "hyperplane-compiler-gzip"], wholeMark = ".whole";

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
  const response = (body) => new Response(body, { headers: { "Content-Type": type } });
  const kept = async () => {
    const found = cache && await cache.match(key + wholeMark) && await cache.match(key);
    return found && response(found.body.pipeThrough(new DecompressionStream("gzip")));
  };
  const fetched = async (onBytes) => {
    const answer = await fetch(p.file, { cache: "no-store" }); // the cache keeps it in its own form
    if (!answer.ok) throw new Error(p.file + ": " + answer.status + " " + answer.statusText);
    return counted(answer.body, onBytes);
  };
  const here = await kept();
  if (here) {
    onBytes(p.size);
    return here;
  }
  if (!cache) return response(unpacked(p.file, await fetched(onBytes)));
  try {
    let size = 0;
    const body = await fetched((n) => { size += n; onBytes(n); }); // piece by piece: at no time all of it in memory
    await cache.put(key, new Response(p.file.endsWith(".gz") ? body : unpacked(p.file, body).pipeThrough(new CompressionStream("gzip"))));
    if (size !== p.size) throw new Error(p.file + " ends after " + size + " of " + p.size + " bytes");
    await cache.put(key + wholeMark, new Response());
    return await kept();
  } catch (e) { // the disk may be full
    return response(unpacked(p.file, await fetched(() => {})));
  }
}

// sweep drops what an earlier version of the site has left.
async function sweep(manifest) {
  const cache = await openCache();
  if (!cache) return;
  await Promise.all(oldCaches.map((name) => caches.delete(name)));
  const known = new Set([...Object.values(manifest), ...Object.values(manifest.packs)].map((p) => p.file));
  for (const request of await cache.keys()) if (!known.has(request.url.split("/").pop().replace(wholeMark, ""))) await cache.delete(request);
}
