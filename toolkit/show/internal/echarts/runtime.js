// What every interactive chart of a page shares: it waits for the libraries, puts
// the chart in place of its picture, and moves its sliders. Charts are data (see
// chart.go); nothing in them is run.
(function (g) {
  "use strict";
  if (g.hyperplaneCharts) { g.hyperplaneCharts.ready.then(g.hyperplaneCharts.said, function () {}); return; }

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
    // A label keeps a readable size in a small panel, but its place beside the drawing shrinks with
    // the panel.
    text: function (o, api, scale, shrunk) {
      return o.labels.map(function (label, i) {
        var p = api.coord(o.at[i]);
        return { type: "text", silent: true, style: { text: label, x: p[0] + o.dx * shrunk, y: p[1] - o.dy * shrunk, fill: o.color,
          fontSize: o.size * scale, align: o.align, verticalAlign: "middle" } };
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

  function drawn(series, l) {
    if (series.type !== "custom") return series;
    return Object.assign({}, series, { renderItem: function (params, api) {
      return { type: "group", children: shapes[series.shape](series.with, api, l.scale, l.shrunk) };
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

  function relation(p) { return p > 0.9995 && p < 1 ? "> 0.999" : p < 0.0005 && p > 0 ? "< 0.001" : "= " + p.toFixed(3); }

  function posterior(probe, x, y) {
    var p = lookup(probe, x, y);
    return p && p.map(function (v, k) { return "p(" + probe.classes[k] + "|x) " + relation(v); }).join("   ");
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

  // ---- the theme and the width of the page ------------------------------------

  function parse(color) {
    var m = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color) || /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
    if (m) return m.slice(1).map(function (h) { return parseInt(h.length === 1 ? h + h : h, 16) / 255; });
    m = /^rgba?\(\s*([\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)(?:[ ,/]+([\d.]+))?/.exec(color);
    return m && m[4] !== "0" ? m.slice(1, 4).map(function (v) { return v / 255; }) : null;
  }

  // oklab returns lightness and the two colour axes (Björn Ottosson, 2020); rgb goes back.
  function oklab(c) {
    var l = c.map(function (v) { return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    var q = [0.4122214708 * l[0] + 0.5363325363 * l[1] + 0.0514459929 * l[2], 0.2119034982 * l[0] + 0.6806995451 * l[1] + 0.1073969566 * l[2],
      0.0883024619 * l[0] + 0.2817188376 * l[1] + 0.6299787005 * l[2]].map(Math.cbrt);
    return [0.2104542553 * q[0] + 0.793617785 * q[1] - 0.0040720468 * q[2], 1.9779984951 * q[0] - 2.428592205 * q[1] + 0.4505937099 * q[2],
      0.0259040371 * q[0] + 0.7827717662 * q[1] - 0.808675766 * q[2]];
  }
  function rgb(p) {
    var q = [p[0] + 0.3963377774 * p[1] + 0.2158037573 * p[2], p[0] - 0.1055613458 * p[1] - 0.0638541728 * p[2], p[0] - 0.0894841775 * p[1] - 1.291485548 * p[2]]
      .map(function (v) { return v * v * v; });
    return "#" + [4.0767416621 * q[0] - 3.3077115913 * q[1] + 0.2309699292 * q[2], -1.2684380046 * q[0] + 2.6097574011 * q[1] - 0.3413193965 * q[2],
      -0.0041960863 * q[0] - 0.7034186147 * q[1] + 1.707614701 * q[2]].map(function (v) {
      v = v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055;
      return ("0" + Math.round(255 * Math.min(1, Math.max(0, v))).toString(16)).slice(-2);
    }).join("");
  }

  // themeOf reads the colours of the page at the chart: the chart's paper and ink. A page that
  // gives the chart no background keeps the colours of the picture.
  function themeOf(place) {
    var style = getComputedStyle(place), paper = parse(style.backgroundColor), ink = parse(style.color);
    if (!paper || !ink) return null;
    var from = oklab(paper), to = oklab(ink), hex = rgb(to);
    return { dark: from[0] < to[0], paper: rgb(from), ink: hex, key: rgb(from) + hex, map: function (color) {
      var c = parse(color), p = c && oklab(c);
      if (!p) return color;
      var chroma = Math.hypot(p[1], p[2]), t = Math.min(1, (1 - p[0]) / (1 - 0.2519));
      if (from[0] > to[0]) return chroma < 0.001 && (t < 1e-3 || t > 0.999) ? (t < 0.5 ? rgb(from) : hex) : color;
      // The same rule as in internal/canvas/dark.go: white becomes paper, #222222 becomes ink, and
      // a strong colour stays at least as light as it was.
      var u = t + 0.35 * t * (1 - t), grey = 1 - Math.min(1, chroma / 0.02), light = from[0] + u * (to[0] - from[0]);
      light += Math.min(1, Math.max(0, (chroma - 0.05) / 0.05)) * (Math.max(light, Math.min(p[0], 0.75)) - light);
      return rgb([light, p[1] + grey * (from[1] + u * (to[1] - from[1])), p[2] + grey * (from[2] + u * (to[2] - from[2]))]);
    } };
  }

  // themed returns a copy of a part of the option in the colours of the theme. Surfaces keep their
  // colours, which light and shadow have changed already.
  function themed(o, theme, keep) {
    if (!theme || o && o.type === "surface") return o;
    if (typeof o === "string") return o[0] === "#" ? theme.map(o) : o;
    if (Array.isArray(o)) return typeof o[0] === "number" ? o : o.map(function (v) { return themed(v, theme, keep); });
    if (!o || typeof o !== "object") return o;
    var out = {};
    Object.keys(o).forEach(function (k) { out[k] = k === "data" && o.type || k === "visualMap" || k === "image" || k === keep ? o[k] : themed(o[k], theme, keep); });
    return out;
  }

  var ruler = null;
  function widthOf(text, font) {
    ruler = ruler || document.createElement("canvas").getContext("2d");
    ruler.font = font;
    return ruler.measureText(text).width;
  }

  // wrapped breaks a text into lines no wider than width.
  function wrapped(text, font, width) {
    var lines = [""];
    text.split(" ").forEach(function (word) {
      var longer = lines[lines.length - 1] + (lines[lines.length - 1] && " ") + word;
      if (lines[lines.length - 1] && widthOf(longer, font) > width) lines.push(word); else lines[lines.length - 1] = longer;
    });
    return lines;
  }

  function legendRows(option, width) {
    var rows = 1, x = 0;
    (option.legend && option.legend.show && option.legend.data || []).forEach(function (item) {
      var w = 31 + widthOf(item.name, "12px sans-serif");
      if (x > 0 && x + w > width - 10) { rows++; x = 0; }
      x += w + 10;
    });
    return rows;
  }

  // layout fits the panels of a chart into a width. Panels keep their proportions; what is
  // between them keeps its size, because letters do. Panels that would be narrower than 260 pixels
  // go below each other.
  function layout(data, width) {
    var grids = data.option.grid.map(function (g) { return { left: +g.left, top: +g.top, width: +g.width, height: +g.height, shown: g.show }; });
    function room(i) { return grids[i].shown ? (data.option.yAxis[i].nameGap || 0) + 24 : 10; }
    var rows = [];
    grids.forEach(function (g, i) {
      var row = rows.find(function (r) { return Math.abs(grids[r[0]].top - g.top) < 2; });
      if (row) row.push(i); else rows.push([i]);
    });
    // fit returns the factor for the panels of a row, and the spaces before the panels. Spare space
    // shrinks before a panel does.
    function fit(row) {
      var fixed = 0, spare = 0, x = 0, spaces = row.map(function (i) {
        var space = grids[i].left - x, keep = Math.min(space, room(i));
        x = grids[i].left + grids[i].width;
        fixed += keep;
        spare += space - keep;
        return { keep: keep, spare: space - keep };
      });
      var end = data.width - x, last = Math.min(end, 12), panels = data.width - fixed - spare - end;
      fixed += last;
      spare += end - last;
      var factor = width < data.width ? Math.min(1, (width - fixed) / panels) : (width - fixed) / (data.width - fixed);
      var left = spare ? (width - fixed - factor * panels) / spare : 0;
      return { factor: factor, spaces: spaces.map(function (s) { return s.keep + s.spare * left; }) };
    }
    var stacked = rows.some(function (row) {
      var f = fit(row).factor;
      return row.length > 1 && row.some(function (i) { return grids[i].width * f < Math.min(260, grids[i].width); });
    });
    // below is the space between a row and the next, which holds the numbers and the name of the
    // axis and the next title.
    function below(r) {
      if (r + 1 === rows.length) return 0;
      var g = grids[rows[r][0]];
      return stacked ? (g.shown ? 79 : 44) : grids[rows[r + 1][0]].top - g.top - g.height;
    }
    var placed = [], y = grids[0].top;
    if (stacked) rows = [].concat.apply([], rows).map(function (i) { return [i]; });
    rows.forEach(function (row, r) {
      var f = stacked ? null : fit(row), x = 0, high = 0;
      row.forEach(function (i, n) {
        var g = grids[i], w, left;
        if (stacked) {
          w = Math.min(width - room(i) - 12, g.width * 1.25);
          left = room(i) + (width - room(i) - 12 - w) / 2;
        } else {
          left = x + f.spaces[n];
          w = g.width * f.factor;
        }
        placed[i] = { left: left, top: y, width: w, height: g.height * w / g.width };
        x = left + w;
        high = Math.max(high, placed[i].height);
      });
      y += high + below(r);
    });
    var bottom = Math.max.apply(null, grids.map(function (g) { return g.top + g.height; }));
    var more = data.option.legend.type === "scroll" ? 0 : legendRows(data.option, width) - legendRows(data.option, data.width);
    var scale = Math.min.apply(null, placed.map(function (p, i) { return p.width / grids[i].width; }));
    return { grids: grids, placed: placed, below: bottom, end: y, width: width, height: Math.round(data.height - bottom + y + 24 * more),
      shrunk: Math.max(0.65, Math.min(1, scale)), scale: Math.max(0.75, Math.min(1, scale)) };
  }

  // long reports whether the title of the whole figure is so long that it must stand below the
  // tools in the corner.
  function long(t, width) { return widthOf(t.text, "bold " + t.textStyle.fontSize + "px sans-serif") > width - 160; }

  // titles places the titles of a frame; the first, of the whole figure, may take several lines.
  function titles(list, l, shift, below) {
    return list.map(function (t) {
      var out = JSON.parse(JSON.stringify(t)), panel = -1;
      l.grids.forEach(function (g, i) { if (Math.abs(t.left - g.left - g.width / 2) < 12 && Math.abs(t.top + 20 - g.top) < 6) panel = i; });
      if (panel < 0) {
        out.left = l.width / 2;
        if (below) out.top += 18;
        out.text = wrapped(t.text, "bold " + t.textStyle.fontSize + "px sans-serif", l.width - 16).join("\n");
        out.textStyle.lineHeight = 18;
        return out;
      }
      var p = l.placed[panel], fits = widthOf(t.text, "bold 13px sans-serif") / Math.min(l.width, p.width + 40);
      out.left = p.left + p.width / 2;
      out.top = p.top + shift - 20;
      if (fits > 1) out.textStyle.fontSize = Math.max(10, Math.floor(13 / fits));
      return out;
    });
  }

  // ---- one chart: its place ------------------------------------------------------

  function build(place, data) {
    place.innerHTML = "";
    var box = document.createElement("div"), line = document.createElement("div");
    box.style.cssText = "margin:0 auto;max-width:100%;overflow:hidden";
    line.style.cssText = "font:12px sans-serif;opacity:.85;min-height:16px;padding:0 8px;white-space:pre-wrap";
    line.className = "hyperplane-readout";
    place.appendChild(box);
    // echarts stops every wheel over a chart that can be zoomed, also those that do not
    // zoom: they never reach it.
    box.addEventListener("wheel", function (e) { if (!e.shiftKey) e.stopPropagation(); }, { capture: true });
    // echarts takes every movement of a finger, too. With one finger, up and down is the page's: only
    // a movement that begins sideways, or with two fingers, reaches the chart.
    box.style.touchAction = "pan-y";
    var finger = null, swipe = "";
    box.addEventListener("touchstart", function (e) {
      finger = e.touches[0];
      swipe = e.touches.length > 1 ? "chart" : "";
    }, { capture: true, passive: true });
    box.addEventListener("touchmove", function (e) {
      var to = e.touches[0];
      if (!swipe) swipe = Math.abs(to.clientY - finger.clientY) > Math.abs(to.clientX - finger.clientX) ? "page" : "chart";
      if (swipe === "page") e.stopPropagation();
    }, { capture: true, passive: true });
    var at = data.sliders.map(function (s) { return s.start; }), frame, l, theme, shift = 0, below = false, chart = null, shown = "";

    function series() { return frame.parts.map(function (i) { return drawn(themed(data.parts[i], theme), l); }); }
    function title() { return themed(titles(frame.title, l, shift, below), theme); }
    function current() {
      var n = 0;
      data.sliders.forEach(function (s, i) { n = n * s.labels.length + at[i]; });
      return data.frames[n];
    }

    // optionOf returns the option for the current width and theme, without series and titles.
    function optionOf() {
      var option = JSON.parse(JSON.stringify(data.option)), hidden = 0;
      option.grid.forEach(function (g, i) {
        var p = l.placed[i], was = l.grids[i];
        if (!g.show) {
          var g3 = option.grid3D[hidden++];
          g3.left += p.left - was.left;
          g3.top += p.top + shift - was.top;
          g3.width += p.width - was.width;
          g3.height += p.height - was.height;
        }
        g.borderColor = "#cccccc";
        g.left = p.left; g.top = p.top + shift; g.width = p.width; g.height = p.height;
      });
      (option.graphic || []).forEach(function (e) {
        var s = e.shape || e.style, dx = (l.width - data.width) / 2, dy = l.end - l.below + shift;
        l.grids.forEach(function (g, i) {
          if (s.x >= g.left - 1 && s.x <= g.left + 20 && s.y >= g.top && s.y <= g.top + 20) { dx = l.placed[i].left - g.left; dy = l.placed[i].top + shift - g.top; }
        });
        s.x += dx; s.y += dy;
      });
      option.tooltip.confine = true; // the edge of the chart would cut it off
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
          // At the corners the numbers of two axes would meet; those of the heights stay.
          a.axisLabel.formatter = function (v) { return axis !== "zAxis3D" && (v === a.min || v === a.max) ? "" : short(v); };
        });
      });
      ["xAxis", "yAxis"].forEach(function (axis) {
        option[axis].forEach(function (a) {
          if (!a.axisLabel.formatter) a.axisLabel.formatter = function (v) { return String(v).replace("-", "−"); };
        });
      });
      (data.ticks || []).forEach(function (t) {
        option[t.axis][t.index].axisLabel.formatter = function (v) { return t.labels[String(v)] || ""; };
      });
      // The colour bar has the colours of what it explains.
      option = themed(option, theme, data.parts.some(function (p) { return p.type === "surface" || p.shape === "image"; }) ? "colorStops" : "");
      if (theme) {
        option.legend.textStyle = { color: theme.ink };
        option.legend.pageTextStyle = { color: theme.ink };
        option.tooltip.backgroundColor = theme.paper;
        option.tooltip.textStyle = { color: theme.ink };
        if (option.toolbox) option.toolbox.iconStyle = { borderColor: theme.ink, opacity: 0.7 };
      }
      return option;
    }

    // draw draws the chart again if the width of its place or the theme has changed.
    function draw() {
      var width = Math.min(place.clientWidth || data.width, Math.round(1.25 * data.width)), now = themeOf(place), key = width + (now ? now.key : "");
      if (key === shown) return;
      shown = key;
      theme = now;
      l = layout(data, width);
      var lines = 1;
      below = data.frames.some(function (f) { return f.title.length && f.title[0].top < 15 && long(f.title[0], width); });
      data.frames.forEach(function (f) {
        titles(f.title.slice(0, 1), l, 0, false).forEach(function (t) { lines = Math.max(lines, t.text.split("\n").length); });
      });
      shift = 18 * (lines - 1 + (below ? 1 : 0));
      box.style.width = width + "px";
      box.style.height = l.height + shift + "px";
      frame = current();
      var option = optionOf(), kept = chart && chart.getOption().legend;
      if (kept && kept[0]) option.legend.selected = kept[0].selected;
      option.series = series();
      option.title = title();
      if (chart) chart.resize({ width: width, height: l.height + shift });
      else chart = place.hyperplaneChart = g.echarts.init(box, null, { devicePixelRatio: Math.max(2, g.devicePixelRatio || 1) });
      chart.setOption(option, true);
    }
    draw();
    if (g.ResizeObserver) new ResizeObserver(draw).observe(place);
    new MutationObserver(draw).observe(document.documentElement, { attributes: true });
    ["(prefers-color-scheme: dark)", "print"].forEach(function (query) { matchMedia(query).addEventListener("change", draw); });

    function turn() {
      frame = current();
      chart.setOption({ series: series(), title: title() }, { replaceMerge: ["series", "title"] });
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
  }

  // slider is a row with the name, a slider, the value and, to step through a
  // sequence, buttons.
  function slider(s, at, i, turn) {
    var row = document.createElement("div"), input = document.createElement("input"), value = document.createElement("span"), timer = null;
    row.style.cssText = "font:13px sans-serif;display:flex;flex-wrap:wrap;align-items:center;gap:6px;padding:2px 8px";
    row.className = "hyperplane-slider";
    input.type = "range"; input.min = 0; input.max = s.labels.length - 1; input.value = at[i];
    input.style.cssText = "width:220px;max-width:100%;min-height:40px;accent-color:var(--link,auto)";
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

  // said tells the reader that charts answer, in the places that wait for it, once they do.
  function said() {
    document.querySelectorAll(".hyperplane-charts-live").forEach(function (e) { e.textContent = "Charts on this page answer to the mouse."; });
  }

  var libraries = g.hyperplaneLibraries;
  delete g.hyperplaneLibraries; // half a megabyte that nobody needs twice
  var ready = unpack(libraries[0]).then(function () { return unpack(libraries[1]); });
  ready.then(said, function () {});
  g.hyperplaneCharts = { show: show, ready: ready, said: said, lookup: lookup };
})(globalThis);
