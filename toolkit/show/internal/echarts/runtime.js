// What every interactive chart of a page shares: it waits for the libraries, puts
// the chart in place of its picture, and moves its sliders. Charts are data (see
// chart.go); nothing in them is run.
(function (g) {
  "use strict";
  if (g.hyperplaneCharts) return;

  // unpack runs a library: gzip in base64. A page with a module loader would swallow
  // it, so that define, exports and module are hidden from it.
  function unpack(text) {
    var bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text().then(function (code) {
      new Function("define", "exports", "module", code).call(g);
    });
  }

  function escape(s) {
    return String(s).replace(/[&<>"]/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
  }

  function short(v) { return String(Number(Number(v).toPrecision(4))).replace("-", "−"); }

  // ---- what echarts has no series for, drawn in pixels -----------------------

  function path(rings, api) {
    return rings.map(function (r) {
      var d = "";
      for (var i = 0; i < r.length; i += 2) {
        var p = api.coord([r[i], r[i + 1]]);
        d += (i ? "L" : "M") + p[0].toFixed(2) + "," + p[1].toFixed(2);
      }
      return d + "Z";
    }).join("");
  }

  function head(a, b, size, color) {
    var n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, ux = (b[0] - a[0]) / n, uy = (b[1] - a[1]) / n, s = Math.min(size, n);
    return { type: "polygon", silent: true, style: { fill: color }, shape: { points: [b,
      [b[0] - s * ux - 0.38 * s * uy, b[1] - s * uy + 0.38 * s * ux],
      [b[0] - 0.8 * s * ux, b[1] - 0.8 * s * uy],
      [b[0] - s * ux + 0.38 * s * uy, b[1] - s * uy - 0.38 * s * ux]] } };
  }

  function stroke(points, style) {
    return { type: "polyline", silent: true, shape: { points: points }, style: style };
  }

  var shapes = {
    area: function (o, api) {
      return [{ type: "path", silent: true, shape: { pathData: path(o.rings, api) }, style: { fill: o.color } }];
    },
    image: function (o, api) {
      var a = api.coord([o.box[0], o.box[3]]), b = api.coord([o.box[1], o.box[2]]);
      return [{ type: "image", silent: true, style: { image: o.image, x: a[0], y: a[1], width: b[0] - a[0], height: b[1] - a[1] } }];
    },
    text: function (o, api) {
      return o.labels.map(function (label, i) {
        var p = api.coord(o.at[i]);
        return { type: "text", silent: true, style: { text: label, x: p[0] + o.dx, y: p[1] - o.dy, fill: o.color,
          fontSize: o.size, align: o.align, verticalAlign: "middle" } };
      });
    },
    arrow: function (o, api) {
      var a = api.coord(o.from), b = api.coord(o.to), out = [stroke([a, b], o.style), head(a, b, o.head, o.style.stroke)];
      if (o.both) out.push(head(b, a, o.head, o.style.stroke));
      return out;
    },
    side: function (o, api) {
      var a = api.coord(o.from), b = api.coord(o.to), n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      var s = (o.left ? 17 : -17) / n, m = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      var tip = [m[0] + s * (b[1] - a[1]), m[1] - s * (b[0] - a[0])];
      return [stroke([m, tip], o.style), head(m, tip, 7, o.style.stroke)];
    },
    corner: function (o, api) {
      var at = api.coord(o.at);
      function along(d) {
        var p = api.coord([o.at[0] + d[0], o.at[1] + d[1]]), x = p[0] - at[0], y = p[1] - at[1], n = Math.hypot(x, y) || 1;
        return [x * o.size / n, y * o.size / n];
      }
      var u = along(o.u), v = along(o.v);
      return [stroke([[at[0] + u[0], at[1] + u[1]], [at[0] + u[0] + v[0], at[1] + u[1] + v[1]], [at[0] + v[0], at[1] + v[1]]], o.style)];
    },
    caps: function (o, api) {
      return o.at.map(function (q) {
        var p = api.coord(q);
        return stroke([[p[0], p[1] - 3.3], [p[0], p[1] + 3.3]], o.style);
      });
    }
  };

  function drawn(series) {
    if (series.type !== "custom") return series;
    return Object.assign({}, series, { renderItem: function (params, api) {
      return { type: "group", children: shapes[series.shape](series.with, api) };
    } });
  }

  // ---- the posterior under the mouse -----------------------------------------

  // lookup interpolates the log ratios of the posteriors between the nodes of their
  // grid; of linear models that is exact.
  function lookup(probe, x, y) {
    var u = (x - probe.x[0]) / (probe.x[1] - probe.x[0]) * (probe.nx - 1), v = (y - probe.y[0]) / (probe.y[1] - probe.y[0]) * (probe.ny - 1);
    if (!(u >= 0 && v >= 0 && u <= probe.nx - 1 && v <= probe.ny - 1)) return null;
    var i = Math.min(Math.floor(u), probe.nx - 2), j = Math.min(Math.floor(v), probe.ny - 2), sum = 1;
    u -= i; v -= j;
    var p = [1].concat(probe.ratios.map(function (r) {
      var k = j * probe.nx + i;
      var e = Math.exp((1 - v) * ((1 - u) * r[k] + u * r[k + 1]) + v * ((1 - u) * r[k + probe.nx] + u * r[k + probe.nx + 1]));
      sum += e;
      return e;
    }));
    return p.map(function (e) { return e / sum; });
  }

  function probability(p) { return p > 0.9995 && p < 1 ? ">0.999" : p < 0.0005 && p > 0 ? "<0.001" : p.toFixed(3); }

  function posterior(probe, x, y) {
    var p = lookup(probe, x, y);
    return p && p.map(function (v, k) { return "p(" + probe.classes[k] + "|x) = " + probability(v); }).join("   ");
  }

  // ---- one chart ---------------------------------------------------------------

  function show(place, data) {
    ready.then(function () {
      var picture = place.innerHTML;
      try { build(place, data); } catch (err) {
        place.innerHTML = picture;
        console.error("hyperplane: the chart could not be drawn", err);
      }
    }, function (err) { console.error("hyperplane: the chart library could not be loaded", err); });
  }

  function build(place, data) {
    place.innerHTML = "";
    var box = document.createElement("div"), line = document.createElement("div");
    box.style.cssText = "width:" + data.width + "px;height:" + data.height + "px";
    line.style.cssText = "font:12px sans-serif;color:#444;min-height:16px;white-space:pre";
    line.className = "hyperplane-readout";
    place.appendChild(box);
    var chart = g.echarts.init(box), at = data.sliders.map(function (s) { return s.start; }), frame;

    function series() { return frame.parts.map(function (i) { return drawn(data.parts[i]); }); }
    function current() {
      var n = 0;
      data.sliders.forEach(function (s, i) { n = n * s.labels.length + at[i]; });
      return data.frames[n];
    }
    var option = JSON.parse(JSON.stringify(data.option));
    option.tooltip.formatter = function (p) {
      var items = Array.isArray(p) ? p : [p];
      return items.filter(function (q) { return q.value; }).map(function (q, i) {
        var s = data.parts[frame.parts[q.seriesIndex]], v = q.value, out = q.marker + (s.name ? escape(s.name) : "");
        out += i ? ": " + short(v[1]) : (s.name ? "<br>" : "") + "(" + v.map(short).join(", ") + ")";
        if (s.notes) out += "<br>" + escape(s.notes[q.dataIndex]).replace(/\n/g, "<br>");
        return out;
      }).join("<br>");
    };
    ["xAxis3D", "yAxis3D", "zAxis3D"].forEach(function (axis) {
      (option[axis] || []).forEach(function (a) {
        a.axisLabel = { formatter: short };
      });
    });
    (data.ticks || []).forEach(function (t) {
      option[t.axis][t.index].axisLabel.formatter = function (v) { return t.labels[String(v)] || ""; };
    });
    frame = current();
    option.series = series();
    option.title = frame.title;
    chart.setOption(option);

    function turn() {
      frame = current();
      chart.setOption({ series: series(), title: frame.title }, { replaceMerge: ["series", "title"] });
      line.textContent = "";
    }
    data.sliders.forEach(function (s, i) { place.appendChild(slider(s, at, i, turn)); });
    if (data.frames.some(function (f) { return f.probes; })) {
      place.appendChild(line);
      chart.getZr().on("mousemove", function (e) {
        var lines = [];
        (frame.probes || []).forEach(function (probe) {
          var where = { gridIndex: probe.grid }, pixel = [e.offsetX, e.offsetY];
          if (!chart.containPixel(where, pixel)) return;
          var v = chart.convertFromPixel(where, pixel), p = posterior(probe, v[0], v[1]);
          if (p) lines.push((probe.name ? probe.name + "   " : "") + "(" + short(v[0]) + ", " + short(v[1]) + ")   " + p);
        });
        line.textContent = lines.join("\n");
      });
    }
    place.hyperplaneChart = chart;
  }

  // slider is a row with the name, a slider, the value and, to step through a
  // sequence, buttons.
  function slider(s, at, i, turn) {
    var row = document.createElement("div"), input = document.createElement("input"), value = document.createElement("span"), timer = null;
    row.style.cssText = "font:13px sans-serif;display:flex;align-items:center;gap:6px;padding:2px 8px";
    row.className = "hyperplane-slider";
    input.type = "range"; input.min = 0; input.max = s.labels.length - 1; input.value = at[i];
    input.style.width = "220px";
    input.setAttribute("aria-label", s.name);
    function go(n) {
      at[i] = Math.max(0, Math.min(s.labels.length - 1, n));
      input.value = at[i];
      value.textContent = s.labels[at[i]];
      turn();
    }
    function button(text, title, act) {
      var b = document.createElement("button");
      b.type = "button"; b.textContent = text; b.title = title; b.setAttribute("aria-label", title);
      b.addEventListener("click", act);
      row.appendChild(b);
      return b;
    }
    function stop() { clearInterval(timer); timer = null; if (play) play.textContent = "play"; }
    var name = document.createElement("span"), play = null;
    name.textContent = s.name;
    row.appendChild(name);
    if (s.play) {
      button("start", "back to the start", function () { stop(); go(0); });
      button("back", "one step back", function () { stop(); go(at[i] - 1); });
      play = button("play", "play or pause", function () {
        if (timer) { stop(); return; }
        if (at[i] === s.labels.length - 1) go(0);
        play.textContent = "pause";
        timer = setInterval(function () {
          if (at[i] >= s.labels.length - 1 || !document.contains(row)) { stop(); return; }
          go(at[i] + 1);
        }, 600);
      });
      button("step", "one step on", function () { stop(); go(at[i] + 1); });
    }
    input.addEventListener("input", function () { stop(); go(Number(input.value)); });
    row.appendChild(input);
    row.appendChild(value);
    value.textContent = s.labels[at[i]];
    return row;
  }

  var libraries = g.hyperplaneLibraries;
  delete g.hyperplaneLibraries; // half a megabyte that nobody needs twice
  var ready = unpack(libraries[0]).then(function () { return unpack(libraries[1]); });
  g.hyperplaneCharts = { show: show, ready: ready, lookup: lookup };
})(globalThis);
