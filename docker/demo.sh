#!/usr/bin/env bash
# What `make demo` does after the set-up: notebooks made from their sources, the
# figures drawn, the lessons and the solved exercises run through the kernel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

generate=.tools/bin/generate
step() { printf '  %-9s %s\n' "$1" "$2" >&2; }

step notebooks 'from their sources'
$generate notebooks >/dev/null
step figures 'drawing'
$generate figures --out out/figures >/dev/null
step run 'the lessons and the solved exercises, through the kernel'
$generate run notebooks/*.ipynb notebooks/exercises/solutions --out out/notebooks --html --trust

cat <<DONE

Made in out/:
  notebooks/  $(find out/notebooks -name '*.ipynb' | wc -l) executed notebooks, each also as a page (.html)
  figures/    $(find out/figures -name '*.svg' | wc -l) figures as SVG, PNG and PDF, with their numbers
Open them:
  xdg-open out/notebooks/tour.html       (or drag the file into a browser)
  xdg-open out/figures/index.html        every figure, with what to look for and how to draw it
  make lab                               to work through the tour and the exercises yourself
DONE
