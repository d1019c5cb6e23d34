#!/usr/bin/env bash
# What `make demo` and `make site` do after the set-up: notebooks run through the
# kernel, and the site made of them in out/site. What has not changed since it last
# passed is not run again.
#
#   docker/demo.sh        the tour, two lessons and one solved exercise; of the rest the
#                         site shows the outputs that are committed
#   docker/demo.sh all    all lessons and all solved exercises
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

generate=.tools/bin/generate
reuse=.tools/reuse
step() { printf '  %-9s %s\n' "$1" "$2" >&2; }

step notebooks 'from their sources'
$generate notebooks >/dev/null
if [ "${1:-}" = all ]; then
	run=(notebooks/*.ipynb notebooks/lessons notebooks/exercises/solutions)
else
	run=(notebooks/tour.ipynb notebooks/lessons/04-*.ipynb notebooks/lessons/07-*.ipynb notebooks/exercises/solutions/prml4/25-*.ipynb)
fi
step run "${#run[@]} of notebooks/, through the kernel"
rm -rf out/notebooks out/site
mkdir -p $reuse
find $reuse -type f -mtime +14 -delete
$generate run "${run[@]}" --out out/notebooks --charts --reuse $reuse --brief
step site 'figures, pages, search'
$generate site --out out/site --executed out/notebooks --reuse $reuse

cat <<DONE

Open it, no server and no network is needed:
  xdg-open out/site/index.html           (or drag the file into a browser)
  make lab                               to work through the tour and the exercises yourself
DONE
