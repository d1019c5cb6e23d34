"use strict";
// This script runs the start page: the figure of irises with a few giant ones, which the reader can move,
// and the button that leads to the next lesson.
//
// hyperplaneFit contains the fits of the figure. A row of data is [x, y, t], with t = 1 for class 1 and
// t = 0 for class 2. A model is [w0, w1, w2]. It predicts class 1 if w0 + w1 x + w2 y > 0.
const hyperplaneFit = (function () {
  // solve returns the solution x of A x = b for a 3 × 3 matrix A. It uses Gaussian elimination.
  function solve(A, b) {
    const M = A.map((row, i) => [...row, b[i]]), x = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      let p = i;
      for (let r = i + 1; r < 3; r++) if (Math.abs(M[r][i]) > Math.abs(M[p][i])) p = r;
      [M[i], M[p]] = [M[p], M[i]];
      for (let r = i + 1; r < 3; r++) {
        const f = M[r][i] / M[i][i];
        for (let c = i; c < 4; c++) M[r][c] -= f * M[i][c];
      }
    }
    for (let i = 2; i >= 0; i--) {
      x[i] = M[i][3];
      for (let c = i + 1; c < 3; c++) x[i] -= M[i][c] * x[c];
      x[i] /= M[i][i];
    }
    return x;
  }

  // weighted solves the normal equations of weighted least squares. Row n has the weight weight(n) and
  // the target target(n). The argument ridge is added to the diagonal of the matrix.
  function weighted(rows, weight, target, ridge) {
    const A = [[ridge, 0, 0], [0, ridge, 0], [0, 0, ridge]], b = [0, 0, 0];
    rows.forEach(([x, y], n) => {
      const phi = [1, x, y], r = weight(n);
      for (let i = 0; i < 3; i++) {
        b[i] += r * phi[i] * target(n);
        for (let j = 0; j < 3; j++) A[i][j] += r * phi[i] * phi[j];
      }
    });
    return solve(A, b);
  }

  const activation = (w, [x, y]) => w[0] + w[1] * x + w[2] * y;
  const sigmoid = (a) => 1 / (1 + Math.exp(-a));
  // loss returns the cross-entropy (4.90) plus the ridge penalty. It computes ln(1+e^a) without overflow.
  const loss = (rows, w, ridge) => rows.reduce((sum, r) => {
    const a = activation(w, r);
    return sum + Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a))) - r[2] * a;
  }, ridge / 2 * (w[0] ** 2 + w[1] ** 2 + w[2] ** 2));

  // leastSquares fits (4.16) to the targets 1 and 0. At the boundary, the output is ½.
  function leastSquares(rows) {
    const w = weighted(rows, () => 1, (n) => rows[n][2], 1e-9);
    return [w[0] - 0.5, w[1], w[2]];
  }

  // logistic fits logistic regression by iterative reweighted least squares, (4.99) and (4.100). It
  // halves a step that increases the loss. The small ridge keeps the weights finite on separable data.
  function logistic(rows, ridge = 1e-6) {
    let w = [0, 0, 0], e = loss(rows, w, ridge);
    for (let step = 0; step < 60; step++) {
      const a = rows.map((r) => activation(w, r)), y = a.map(sigmoid), R = y.map((p) => Math.max(p * (1 - p), 1e-12));
      const to = weighted(rows, (n) => R[n], (n) => a[n] - (y[n] - rows[n][2]) / R[n], ridge);
      let s = 1, next = to, f = loss(rows, to, ridge);
      while (!(f <= e) && s > 1e-6) {
        s /= 2;
        next = w.map((v, i) => v + s * (to[i] - v));
        f = loss(rows, next, ridge);
      }
      const done = e - f < 1e-9;
      [w, e] = [next, f];
      if (done) break;
    }
    return w;
  }

  const wrong = (rows, w) => rows.filter((r) => (activation(w, r) > 0) !== (r[2] === 1));
  return { leastSquares, logistic, wrong };
})();

// hyperplanePlane draws a plane with data points and returns an object for drawing on it. The drawing is
// as wide as the element host, and hyperplanePlane draws it again when this width changes. The text
// always has the same size. The classes of site.css determine the colours.
function hyperplanePlane(host, o) {
  const make = (name, parent) => parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
  const svg = make("svg", host), scene = make("g", svg), view = { svg, make };
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", o.label);
  view.px = ([x, y]) => [view.left + (x - o.x[0]) / (o.x[1] - o.x[0]) * view.w, view.top + (o.y[1] - y) / (o.y[1] - o.y[0]) * view.h];
  view.at = (px, py) => [o.x[0] + (px - view.left) / view.w * (o.x[1] - o.x[0]), o.y[1] - (py - view.top) / view.h * (o.y[1] - o.y[0])];
  const dots = (rows, d) => rows.map((r) => { const [x, y] = view.px(r); return "M" + x.toFixed(1) + " " + y.toFixed(1) + d; }).join("");
  const disc = (r) => `m-${r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 -${2 * r} 0`;
  // Each class has the same marks and colours as in the lessons.
  view.triangle = "m0 -4l3.7 6.4h-7.4z";
  view.points = (rows) => `<path class="c3-fill" d="${dots(rows.filter((r) => !r[2]), view.triangle)}"/><path class="c2-line" d="${dots(rows.filter((r) => r[2]), "m-3.3 -3.3l6.6 6.6m-6.6 0l6.6 -6.6")}"/>`;
  view.rings = (rows, r, kind) => `<path class="ring ${kind}" d="${dots(rows, disc(r))}"/>`;
  view.name = (at, text, kind) => { const [x, y] = view.px(at); return `<text class="direct ${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${text}</text>`; };
  // line returns SVG for the part of a model's boundary that is inside the frame.
  view.line = (w, kind) => {
    const a = (p) => w[0] + w[1] * p[0] + w[2] * p[1], corners = [[o.x[0], o.y[0]], [o.x[1], o.y[0]], [o.x[1], o.y[1]], [o.x[0], o.y[1]]], ends = [];
    corners.forEach((p, i) => {
      const q = corners[(i + 1) % 4], s = a(p) / (a(p) - a(q));
      if (a(p) > 0 !== a(q) > 0) ends.push(view.px([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]).map((v) => v.toFixed(1)).join(","));
    });
    return ends.length < 2 ? "" : `<polyline class="bound ${kind}" points="${ends.join(" ")}"/>`;
  };
  function axes() {
    let s = `<path class="axis" d="M${view.left} ${view.top}v${view.h}h${view.w}"/>`;
    for (let x = Math.ceil(o.x[0] / o.step[0]) * o.step[0]; x <= o.x[1]; x += o.step[0]) s += `<text class="tick" text-anchor="middle" x="${view.px([x, 0])[0].toFixed(1)}" y="${view.top + view.h + 17}">${x}</text>`;
    for (let y = Math.ceil(o.y[0] / o.step[1]) * o.step[1]; y <= o.y[1]; y += o.step[1]) s += `<text class="tick" text-anchor="end" x="${view.left - 7}" y="${(view.px([0, y])[1] + 4).toFixed(1)}">${y}</text>`;
    return s + `<text class="name" text-anchor="middle" x="${view.left + view.w / 2}" y="${view.top + view.h + 36}">${o.names[0]}</text>`
      + `<text class="name" text-anchor="middle" transform="translate(12 ${view.top + view.h / 2}) rotate(-90)">${o.names[1]}</text>`;
  }
  view.paint = () => { if (view.W) scene.innerHTML = o.paint(view) + axes(); };
  new ResizeObserver(() => {
    const W = host.clientWidth, H = Math.round(W * (W < 420 ? 0.92 : 0.6)) + 44;
    if (!W || W === view.W) return;
    Object.assign(view, { left: 46, top: 10, w: W - 58, h: H - 54, W });
    svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
    svg.style.height = H + "px";
    o.sized(view);
  }).observe(host);
  return view;
}

(function () {
  const figure = document.getElementById("hero");
  if (!figure) return; // the start page of a course without this figure
  const flowers = JSON.parse(figure.dataset.rows), far = JSON.parse(figure.dataset.giants);
  const home = far[0], range = { x: [2.5, 14.2], y: [0.6, 6] };
  const giants = ([x, y]) => far.map((g) => [x + g[0] - home[0], y + g[1] - home[1], 0]);
  let place = [...home], handle = null, held = null;

  const view = hyperplanePlane(figure.querySelector(".plot"), {
    label: "Petals of " + flowers.length + " irises and " + far.length + " giants, with the boundaries of least squares and logistic regression", ...range, step: [2, 1],
    names: ["petal length (cm)", "petal width (cm)"],
    paint(v) {
      const rows = [...flowers, ...giants(place)], squares = hyperplaneFit.leastSquares(rows), logistic = hyperplaneFit.logistic(rows);
      const missed = hyperplaneFit.wrong(flowers, squares), few = hyperplaneFit.wrong(flowers, logistic).length;
      document.getElementById("least-squares").textContent = missed.length;
      document.getElementById("logistic").textContent = few;
      if (handle) {
        handle.setAttribute("aria-valuenow", place[0].toFixed(1));
        handle.setAttribute("aria-valuetext", `petals ${place[0].toFixed(1)} cm long and ${place[1].toFixed(1)} wide; of ${flowers.length} flowers, least squares misclassifies ${missed.length}, logistic regression ${few}`);
      }
      return v.rings(missed, 6.5, "ls") + v.points(flowers) + v.line(squares, "ls") + v.line(logistic, "") + v.name([2.75, 0.72], "versicolor", "two") + v.name([6.75, 2.75], "virginica", "three");
    },
    sized: () => set(place),
  });

  // The reader can move all giants together, with the pointer or with the arrow keys.
  handle = view.make("g", view.svg);
  for (const [k, v] of Object.entries({ class: "grab", tabindex: "0", role: "slider", "aria-label": "The giants", "aria-valuemin": range.x[0], "aria-valuemax": range.x[1] })) handle.setAttribute(k, v);
  function set(p) {
    place = [Math.min(range.x[1] - 1.1, Math.max(range.x[0] + 0.1, p[0])), Math.min(range.y[1] - 0.35, Math.max(range.y[0] + 0.1, p[1]))];
    view.paint();
    if (!handle || !view.W) return;
    const at = giants(place).map(view.px), xs = at.map((q) => q[0]), ys = at.map((q) => q[1]);
    const l = Math.min(...xs) - 12, t = Math.min(...ys) - 12, w = Math.max(...xs) - l + 12, h = Math.max(...ys) - t + 12, high = Math.max(h, 44);
    handle.innerHTML = `<rect x="${l}" y="${t - (high - h) / 2}" width="${Math.max(w, 44)}" height="${high}" rx="9"/><path class="c3-fill" d="${at.map(([x, y]) => `M${x} ${y}${view.triangle}`).join("")}"/>`
      + (held || place[0] !== home[0] ? "" : `<text text-anchor="middle" x="${l + w / 2}" y="${t + high + 12}">drag me</text>`);
  }
  const under = (e) => { const b = view.svg.getBoundingClientRect(); return view.at((e.clientX - b.left) * view.W / b.width, (e.clientY - b.top) * view.W / b.width); };
  // A finger on the giants must move them and must not scroll the page. The CSS property touch-action
  // cannot achieve this, because it has no effect on a part of an SVG. Therefore a handler prevents the
  // scrolling. A finger beside the giants still scrolls the page.
  handle.addEventListener("touchstart", (e) => e.preventDefault(), { passive: false });
  handle.addEventListener("pointerdown", (e) => {
    stop();
    const [x, y] = under(e);
    held = [x - place[0], y - place[1]];
    handle.setPointerCapture(e.pointerId);
    e.preventDefault();
    handle.focus({ focusVisible: false });
  });
  handle.addEventListener("pointermove", (e) => { if (held) { const [x, y] = under(e); set([x - held[0], y - held[1]]); } });
  for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => { held = null; });
  handle.addEventListener("keydown", (e) => {
    const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (e.key !== "Home" && !d) return;
    stop();
    e.preventDefault();
    set(e.key === "Home" ? home : [place[0] + d[0] * (e.shiftKey ? 1 : 0.2), place[1] + d[1] * (e.shiftKey ? 0.5 : 0.1)]);
  });

  // When the page opens, an animation moves the giants to their place. It ends if the reader moves them.
  let frame = 0;
  function stop() { cancelAnimationFrame(frame); frame = 0; }
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    let began = 0;
    frame = requestAnimationFrame(function grow(now) {
      began = began || now;
      const s = Math.min(1, Math.max(0, (now - began - 500) / 2200)), e = s * s * (3 - 2 * s);
      set([5.2 + e * (home[0] - 5.2), 2 + e * (home[1] - 2)]);
      frame = s < 1 ? requestAnimationFrame(grow) : 0;
    });
  }

  // The button leads to the next lesson. Among the lessons whose task is not passed, this is the lesson in
  // which the reader worked last, or the first lesson if the reader has worked in none of them. If the
  // reader has since worked on an exercise that is not passed, the button leads to this exercise.
  const cards = [...document.querySelectorAll("[data-lesson]")], start = document.getElementById("start");
  if (!start) return;
  const first = { text: start.textContent, href: start.href }, pages = JSON.parse(start.parentNode.dataset.exercises || "{}");
  function offer() {
    const left = cards.filter((c) => hyperplaneStore.state(c.dataset.lesson) !== "passed"), worked = hyperplaneStore.worked(), time = (c) => worked[c.dataset.lesson] || "";
    const next = left.reduce((last, c) => (time(c) > time(last) ? c : last), left[0]);
    const exercise = Object.keys(pages).filter((id) => worked[id] && hyperplaneStore.state(id) !== "passed").reduce((last, id) => (worked[id] > (worked[last] || "") ? id : last), "");
    const begun = !!exercise || cards.some(time) || document.querySelector(".cards [data-state]:not([data-state=none])") !== null;
    cards.forEach((c) => c.classList.toggle("next", begun && c === next));
    document.getElementById("done").hidden = !begun;
    if (exercise && cards.every((c) => time(c) < worked[exercise])) [start.textContent, start.href] = ["Continue: " + pages[exercise].title, pages[exercise].page];
    else if (!next) [start.textContent, start.href] = ["All lessons done: on to the exercises", "exercises.html"];
    else if (begun) {
      const a = next.querySelector("a");
      [start.textContent, start.href] = ["Continue: lesson " + next.querySelector(".no").textContent + ", " + a.lastChild.textContent.trim(), a.href];
    } else [start.textContent, start.href] = [first.text, first.href];
  }
  offer();
  addEventListener("storage", offer);
  addEventListener("pageshow", offer);
})();
