"use strict";
// makeFS returns an in-memory file system and process for Go's wasm_exec.js. They contain everything
// that cmd/compile, cmd/link and the compiled programs need. The current folder is /w.
//
//   onOutput(fd, bytes)   is called when a program writes to standard output or standard error
//   onRename(path)        is called with the new path when a program has renamed a file; optional
function makeFS(onOutput, onRename) {
  const files = new Map(), dirs = new Set(["/", "/tmp", "/w"]), open = new Map();
  let next = 10;
  const err = (code) => Object.assign(new Error(code), { code });
  const abs = (p) => (p.startsWith("/") ? p : "/w/" + p).replace(/\/\.(?=\/|$)/g, "").replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
  const stat = (p) => {
    const dir = dirs.has(p), f = files.get(p);
    if (!dir && !f) throw err("ENOENT");
    return {
      dev: 1, ino: 1, mode: dir ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: f ? f.size : 0,
      blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => dir,
    };
  };
  const flag = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  // call converts a function to a function that passes its result to a callback, its last argument.
  const call = (f) => (...args) => {
    const done = args.pop();
    let value;
    try { value = f(...args); } catch (e) { return done(e.code ? e : err("EIO")); }
    done(null, value);
  };
  const handle = (fd) => {
    const o = open.get(fd);
    if (!o) throw err("EBADF");
    return o;
  };
  const named = (p) => {
    const f = files.get(abs(p));
    if (!f) throw err("ENOENT");
    return f;
  };
  // resize changes the size of a file. Before a program changes bytes that put has stored, resize
  // copies them, because these bytes belong to the page.
  const resize = (f, n) => {
    if (n > f.data.length || f.shared) {
      const data = new Uint8Array(Math.max(n, f.data.length * 2, 1024));
      data.set(f.data.subarray(0, f.size));
      f.data = data;
      f.shared = false;
    }
    f.size = n;
  };
  const empty = () => ({ data: new Uint8Array(0), size: 0 });
  const nothing = call(() => {});
  const refuse = (code) => call(() => { throw err(code); });
  const fs = {
    constants: flag,
    writeSync(fd, buf) { onOutput(fd, buf.slice()); return buf.length; },
    write: call((fd, buf, off, len, pos) => {
      if (fd < 3) { onOutput(fd, buf.slice(off, off + len)); return len; }
      const o = handle(fd), at = pos ?? o.pos;
      resize(o.file, Math.max(o.file.size, at + len));
      o.file.data.set(buf.subarray(off, off + len), at);
      if (pos == null) o.pos = at + len;
      return len;
    }),
    read: call((fd, buf, off, len, pos) => {
      if (fd === 0) return 0;
      const o = handle(fd), at = pos ?? o.pos, n = Math.max(0, Math.min(len, o.file.size - at));
      buf.set(o.file.data.subarray(at, at + n), off);
      if (pos == null) o.pos = at + n;
      return n;
    }),
    open: call((p, flags) => {
      p = abs(p);
      const there = files.has(p) || dirs.has(p);
      if (there && flags & flag.O_EXCL) throw err("EEXIST");
      if (!there) {
        if (!(flags & flag.O_CREAT)) throw err("ENOENT");
        files.set(p, empty());
      }
      const file = files.get(p) || empty();
      if (flags & flag.O_TRUNC) Object.assign(file, empty(), { shared: false });
      open.set(next, { path: p, file, pos: flags & flag.O_APPEND ? file.size : 0 });
      return next++;
    }),
    close: call((fd) => { handle(fd); open.delete(fd); }),
    fstat: call((fd) => stat(handle(fd).path)),
    stat: call((p) => stat(abs(p))),
    lstat: call((p) => stat(abs(p))),
    mkdir: call((p) => { dirs.add(abs(p)); }),
    unlink: call((p) => { named(p); files.delete(abs(p)); }),
    rmdir: call((p) => { dirs.delete(abs(p)); }),
    rename: call((a, b) => {
      files.set(abs(b), named(a));
      files.delete(abs(a));
      if (onRename) onRename(abs(b));
    }),
    readdir: call((p) => {
      p = abs(p);
      return [...files.keys()].filter((f) => f.slice(0, f.lastIndexOf("/")) === p).map((f) => f.slice(p.length + 1));
    }),
    ftruncate: call((fd, n) => resize(handle(fd).file, n)),
    truncate: call((p, n) => resize(named(p), n)),
    fsync: nothing, chmod: nothing, fchmod: nothing, chown: nothing, fchown: nothing, lchown: nothing, utimes: nothing,
    readlink: refuse("EINVAL"), link: refuse("ENOSYS"), symlink: refuse("ENOSYS"),
    // With put and get, the page writes and reads files. They do not copy the data.
    put(p, data) { files.set(abs(p), { data, size: data.length, shared: true }); },
    get(p) { const f = files.get(abs(p)); return f && f.data.subarray(0, f.size); },
  };
  const zero = () => 0;
  const process = { getuid: zero, getgid: zero, geteuid: zero, getegid: zero, getgroups: () => [], pid: 1, ppid: 1, umask: zero, cwd: () => "/w", chdir() {} };
  return { fs, process };
}

// runGo runs a module until it ends and returns the exit code. If most is given and the module uses
// more than this number of bytes, runGo throws an error with the name OutOfMemory.
async function runGo(module, argv, env, most) {
  const go = new Go();
  let code = 0;
  go.argv = argv;
  go.env = Object.assign({ TMPDIR: "/tmp", HOME: "/w", GOROOT: "/w/go" }, env);
  go.exit = (c) => { code = c; };
  const grown = go.importObject.gojs["runtime.resetMemoryDataView"];
  go.importObject.gojs["runtime.resetMemoryDataView"] = (sp) => {
    grown(sp);
    const used = go.mem.buffer.byteLength;
    if (most && used > most) throw Object.assign(new Error("memory"), { name: "OutOfMemory", used });
  };
  const running = go.run(await WebAssembly.instantiate(module, go.importObject));
  // If a program waits, but not for a timer, it would wait forever. The event with the id 0 makes Go
  // report the deadlock.
  const deadlock = setInterval(() => {
    if (go.exited || go._scheduledTimeouts.size) return;
    clearInterval(deadlock);
    go._pendingEvent = { id: 0 };
    go._resume();
  }, 100);
  try { await running; } finally { clearInterval(deadlock); }
  return code;
}
