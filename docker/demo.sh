#!/usr/bin/env bash
# Runs notebooks through the kernel, and makes the site in out/site from them. `make demo` and
# `make site` call this script after the set-up. A notebook that has passed runs again only after a
# change.
#
#   docker/demo.sh first  run the tour, two lessons and one solved exercise; for all other notebooks
#                         the site shows the committed outputs. On a terminal, then serve the site,
#                         and build its compiler in the background
#   docker/demo.sh some   run the same notebooks, build the compiler, and do not serve the site
#   docker/demo.sh all    run the tour, all lessons and all solved exercises, and build the compiler
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=${1:-first}
generate=.tools/bin/generate
reuse=.tools/reuse
made=.tools/stamp/site
step() { printf '  %s %-9s %s\n' "$1" "$2" "$3" >&2; }
trap 'printf "\nThat step failed; the lines above say why. Fix that and run the same command again; what is done is kept.\n" >&2' ERR

# serve serves out/site if it runs on a terminal in the mode `first`. Otherwise it prints the command
# that serves the site.
serve() {
	if [ "$what" = first ] && [ -t 1 ]; then
		trap - ERR
		exec $generate site --out out/site --reuse $reuse --serve --as-is
	fi
	cat <<-DONE

		The pages are in out/site. To read them and to have answers judged in them:
		  $generate site --serve --as-is
		  make lab                               to work through the tour and the exercises in Jupyter
	DONE
	exit
}

# tree prints a checksum of all files from which the site is made.
tree() {
	find . \( -name .git -o -name .tools -o -path ./out -o -path ./work \) -prune -o -type f -print0 |
		LC_ALL=C sort -z | { printf '%s ' "$what"; xargs -0 cksum; } | cksum
}
if [ "$(cat $made 2>/dev/null)" = "$(tree)" ] && [ -e out/site/index.html ]; then
	step 3/3 site 'is up to date'
	serve
fi

step 1/3 notebooks 'from their sources (usually 3 s)'
$generate notebooks >/dev/null
if [ "$what" = all ]; then
	run=(notebooks/*.ipynb notebooks/lessons notebooks/exercises/solutions) usual='10 minutes'
else
	run=(notebooks/tour.ipynb notebooks/lessons/04-*.ipynb notebooks/lessons/07-*.ipynb notebooks/exercises/solutions/prml4/25-*.ipynb) usual='20 s'
fi
step 2/3 run "${#run[@]} files and folders of notebooks/, through the kernel (usually $usual)"
rm -rf out/notebooks out/site $made
mkdir -p $reuse
find $reuse -type f -mtime +14 -delete
$generate run "${run[@]}" --out out/notebooks --charts --reuse $reuse --brief
if [ "$what" = first ]; then
	step 3/3 site 'figures, pages, search (usually 20 s)'
	$generate site --out out/site --executed out/notebooks --reuse $reuse --compiler=false
else
	step 3/3 site 'figures, pages, search, compiler (usually 3 minutes, the first time)'
	$generate site --out out/site --executed out/notebooks --reuse $reuse
fi
tree >$made
serve
