"use strict";
// This script loads the large files of the compiler and stores them in the browser, so that the next
// visit needs no network. The site has the files in xz format, which is smaller. The browser stores
// them in gzip format, which it can unpack faster. Unpacked files would take six times as much space.
// For each complete file there is a second entry, whose key ends in wholeMark. Without this entry the
// file may be incomplete: a browser can store only the beginning if the reader leaves the page early.
const cacheName = "hyperplane-compiler-whole", oldCaches = ["hyperplane-compiler", "hyperplane-compiler-gzip"], wholeMark = ".whole";

function unpacked(file, body) {
  if (file.endsWith(".xz")) return new globalThis["xz-decompress"].XzReadableStream(body);
  return body.pipeThrough(new DecompressionStream("gzip"));
}

// counted returns a copy of the stream body. It calls onBytes with the size of each piece of the stream.
function counted(body, onBytes) {
  return body.pipeThrough(new TransformStream({ transform(piece, out) { onBytes(piece.length); out.enqueue(piece); } }));
}

async function openCache() {
  try { return await caches.open(cacheName); } catch (e) { return null; } // a private window may have no cache
}

// part returns a response with the unpacked file p. While the file arrives, part calls onBytes with the
// size of each compressed piece. If the browser has stored the file, part calls onBytes once with the
// size of the file.
async function part(p, type, onBytes) {
  const cache = await openCache(), key = new URL(p.file, self.location.href).href;
  const response = (body) => new Response(body, { headers: { "Content-Type": type } });
  const kept = async () => {
    const found = cache && await cache.match(key + wholeMark) && await cache.match(key);
    return found && response(found.body.pipeThrough(new DecompressionStream("gzip")));
  };
  const fetched = async (onBytes) => {
    const answer = await fetch(p.file, { cache: "no-store" }); // no-store, because part stores the file itself, in gzip format
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
    const body = await fetched((n) => { size += n; onBytes(n); }); // a stream, so that the whole file is never in memory
    await cache.put(key, new Response(p.file.endsWith(".gz") ? body : unpacked(p.file, body).pipeThrough(new CompressionStream("gzip"))));
    if (size !== p.size) throw new Error(p.file + " ends after " + size + " of " + p.size + " bytes");
    await cache.put(key + wholeMark, new Response());
    return await kept();
  } catch (e) { // the disk may be full
    return response(unpacked(p.file, await fetched(() => {})));
  }
}

// sweep deletes the stored files of earlier versions of the site.
async function sweep(manifest) {
  const cache = await openCache();
  if (!cache) return;
  await Promise.all(oldCaches.map((name) => caches.delete(name)));
  const known = new Set([...Object.values(manifest), ...Object.values(manifest.packs)].map((p) => p.file));
  for (const request of await cache.keys()) if (!known.has(request.url.split("/").pop().replace(wholeMark, ""))) await cache.delete(request);
}
