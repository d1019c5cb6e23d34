#!/usr/bin/env bash
# Sets up everything that notebooks need beside Go, inside this repository:
#
#   docker/setup.sh [STEP…]      steps: packages tools kernel warm lint browser; none = the first four
#
#   packages   Jupyter without a browser (Debian packages, docker/packages.txt)
#   tools      gonb, gopls, goimports at the versions of docker/tools/go.mod → .tools/bin
#   kernel     the GoNB kernel → .tools/share/jupyter (your own kernels stay as they are)
#   warm       the toolkit compiled the way a cell compiles it, so that the first cell is quick
#   lint       staticcheck at the version of docker/lint/go.mod → .tools/bin
#   browser    Chromium and Firefox (Debian packages), in which `make test` looks at the interactive
#              pages and solves exercises, node, which runs the judges as these do, and xz, which
#              makes the compiler in the pages small
#   hub        JupyterHub and its proxy (Debian packages), for the gate hub of docker/test.sh
#   slurm      Slurm and munge (Debian packages), for the gate slurm
#
# A step whose inputs have not changed since it last succeeded does nothing.
# HYPERPLANE_TOOLS puts .tools elsewhere, HYPERPLANE_PYTHON names the python to use.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
tools=${HYPERPLANE_TOOLS:-$repo/.tools}
packages_file=$repo/docker/packages.txt
cells=$tools/libexec/hyperplane # what builds cells: docker/cell/quick
# How a cell is built: without symbols and debug data in the program (panics keep file and
# line), without debug data in the packages that it is linked of, which the linker would
# read for every cell, and with Go's own lookup of users and hosts in place of the C library's.
cell_flags='-buildvcs=false -tags=osusergo,netgo -ldflags=-s -gcflags=all=-dwarf=false'
export GOTOOLCHAIN=local

say() { printf '  %-9s %s\n' "$step" "$*" >&2; }
fail() {
	printf '\n%s\n' "$*" >&2
	exit 1
}

# key hashes what a step depends on: its arguments, then the files on stdin.
key() { { printf '%s\n' "$@"; cat; } | sha256sum | cut -d' ' -f1; }
fresh() { [ "$(cat "$tools/stamp/$step" 2>/dev/null)" = "$1" ]; }
stamp() {
	mkdir -p "$tools/stamp"
	printf '%s\n' "$1" >"$tools/stamp/$step"
}

# counted runs a command that names one package a line (go -v) and shows how
# many it has done: a line that counts on a terminal, every 200th in a log.
counted() {
	local log status=0
	log=$(mktemp)
	"$@" 2>&1 | tee "$log" | awk -v step="$step" -v tty="$([ -t 2 ] && echo 1 || echo 0)" '
		tty            { printf "\r  %-9s %d packages compiled ", step, NR > "/dev/stderr" }
		!tty && NR%200==0 { printf "  %-9s %d packages compiled\n", step, NR > "/dev/stderr" }
		END            { if (tty && NR) printf "\n" > "/dev/stderr" }' || status=$?
	if [ $status -ne 0 ]; then
		tail -n 25 "$log" >&2
	fi
	rm -f "$log"
	return $status
}

# ---- Go ----------------------------------------------------------------

need_go() {
	command -v go >/dev/null 2>&1 ||
		fail "Go is not installed. Install Go 1.26 or newer from https://go.dev/dl/ and put it into PATH."
	local have want
	have=$(go env GOVERSION)
	want=$(sed -n 's/^go //p' "$repo/go.mod")
	[ "$(printf '%s\n' "${want}" "${have#go}" | sort -V | head -n 1)" = "$want" ] ||
		fail "Go $want or newer is needed, found ${have#go} ($(command -v go)). Install it from https://go.dev/dl/."
}

# ---- packages ----------------------------------------------------------

# headless_python prints the first python that can run notebooks headless.
# `python3` in PATH may be another one than Debian's, without Debian's modules.
headless_python() {
	local python
	for python in ${HYPERPLANE_PYTHON:+"$HYPERPLANE_PYTHON"} /usr/bin/python3 python3; do
		if "$python" -c 'import nbclient, nbformat, jupyter_client' >/dev/null 2>&1; then
			command -v "$python"
			return
		fi
		[ "$python" != "${HYPERPLANE_PYTHON:-}" ] || return 1
	done
	return 1
}

# Answers of a class are graded in bubblewrap.
have_sandbox() { command -v bwrap >/dev/null 2>&1; }

have_lab() { command -v jupyter-lab >/dev/null 2>&1 || command -v jupyter-notebook >/dev/null 2>&1; }

# apt_install installs Debian packages, or stops with what apt said.
apt_install() {
	local log
	say "installing with apt: $*"
	log=$(mktemp)
	export DEBIAN_FRONTEND=noninteractive
	if apt-get update >"$log" 2>&1 &&
		apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1; then
		rm -f "$log"
		return
	fi
	tail -n 15 "$log" >&2
	rm -f "$log"
	fail "apt could not install them. Run it by hand to see why:
    apt-get install --no-install-recommends $*"
}

step_packages() {
	local python
	python=$(headless_python) || python=
	if [ -n "$python" ] && have_lab && have_sandbox; then
		say "Jupyter and bubblewrap are there ($python)"
		return
	fi
	local wanted
	wanted=$(awk '!/^#/ && NF { print $1 }' "$packages_file" | paste -sd' ')
	if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
		# shellcheck disable=SC2086 # a list of package names
		apt_install $wanted
		headless_python >/dev/null || fail "The packages are installed, yet no python can import nbclient.
Set HYPERPLANE_PYTHON to the python that can."
		say "installed"
		return
	fi
	if [ -n "$python" ]; then
		have_lab || say "no notebook server found: \`make lab\` needs jupyter-notebook or JupyterLab; all else works"
		have_sandbox || say "no bubblewrap found: \`generate grade\` needs it; all else works"
		return
	fi
	if command -v apt-get >/dev/null 2>&1; then
		fail "Jupyter's headless parts are missing, and installing them takes root. Run this, then try again:
    sudo apt-get update && sudo apt-get install --no-install-recommends $wanted"
	fi
	fail "Jupyter's headless parts are missing, and there is no apt here. Install, by your own means, a python 3
with the modules nbclient, nbformat and jupyter_client (and a notebook server for \`make lab\`),
and set HYPERPLANE_PYTHON to that python if it is not the python3 in PATH.
Or use the container image: \`make image\`."
}

# ---- tools, lint -------------------------------------------------------

# install_tools MODULE BINARY… builds the `tool`s of a module into .tools/bin.
install_tools() {
	local module=$1 now binary there=yes
	shift
	need_go
	now=$(cat "$module/go.mod" "$module/go.sum" "${BASH_SOURCE[0]}" | key "$(go env GOVERSION GOOS GOARCH)")
	for binary; do [ -x "$tools/bin/$binary" ] || there=no; done
	if [ $there = yes ] && fresh "$now"; then
		say "$* are there"
		return
	fi
	say "building $* (a minute or two, once)"
	mkdir -p "$tools/bin"
	GOFLAGS=-buildvcs=false GOBIN=$tools/bin counted go -C "$module" install -v -trimpath tool ||
		fail "Could not build the tools of $module (the lines above say why; it needs the Go module proxy once)."
	stamp "$now"
}

step_tools() { install_tools "$repo/docker/tools" gonb gopls goimports; }
step_lint() { install_tools "$repo/docker/lint" staticcheck; }

# ---- browser -----------------------------------------------------------

step_browser() {
	local wanted=(chromium firefox-esr fonts-dejavu-core nodejs xz-utils)
	one_of() { for name; do command -v "$name" >/dev/null 2>&1 && return; done; return 1; }
	if one_of chromium chromium-browser google-chrome && one_of firefox-esr firefox && one_of node && one_of xz; then
		say "the browsers are there"
		return
	fi
	if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
		apt_install "${wanted[@]}"
		say "installed"
		return
	fi
	fail "Chromium, Firefox, node or xz is missing, with which the interactive pages are tested. Install them and try again:
    sudo apt-get update && sudo apt-get install --no-install-recommends ${wanted[*]}"
}

# ---- hub, slurm ------------------------------------------------------------

# programs WHY PACKAGES PROGRAM…: the Debian packages that hold the programs.
programs() {
	local why=$1 packages=$2 name missing=
	shift 2
	for name; do PATH=$PATH:/usr/sbin:/sbin command -v "$name" >/dev/null 2>&1 || missing=${missing:-$name}; done
	if [ -z "$missing" ]; then
		say "$* are there"
		return
	fi
	# Debian's packages start servers of their own wherever systemd runs.
	if [ "$(id -u)" -eq 0 ] && [ ! -d /run/systemd/system ] && command -v apt-get >/dev/null 2>&1; then
		# shellcheck disable=SC2086 # a list of package names
		apt_install $packages
		say "installed"
		return
	fi
	fail "$missing is missing, $why. Install it and try again:
    sudo apt-get update && sudo apt-get install --no-install-recommends $packages"
}

step_hub() {
	programs "with which a hub is tested" "jupyterhub node-configurable-http-proxy" \
		jupyterhub jupyterhub-singleuser configurable-http-proxy
}
step_slurm() {
	programs "with which a Slurm array is tested" "slurm-wlm munge procps" \
		slurmctld slurmd sbatch scontrol munged pgrep
}

# ---- kernel ------------------------------------------------------------

step_kernel() {
	local now python go_dir quoted data=$tools/share/jupyter
	need_go
	python=$(headless_python) || fail "No python with nbclient: run \`docker/setup.sh packages\` first."
	[ -x "$tools/bin/gonb" ] || fail "No gonb in $tools/bin: run \`docker/setup.sh tools\` first."
	go_dir=$(go env GOROOT)/bin
	case $repo in *,*) fail "GoNB reads a comma in --go_work as a separator: move the repository out of $repo." ;; esac
	case $repo$tools in *:*) fail "PATH cannot hold a folder with a colon: move the repository out of $repo." ;; esac
	now=$(cat "$tools/bin/gonb" "${BASH_SOURCE[0]}" | key "$repo" "$tools" "$go_dir")
	if fresh "$now" && [ -f "$data/kernels/gonb/kernel.json" ] && [ -x "$tools/gowrap/go" ]; then
		say "GoNB is in $data"
		return
	fi

	# GoNB runs a bare `go get` before it builds a cell: a quarter of a second at
	# best, a failed cell without a network at worst. `!*go get pkg@v` still works.
	# What builds a cell lives a tenth of a second: it need not collect its garbage.
	# quick builds what it knows all about (docker/cell/quick), `go build` the rest.
	mkdir -p "$tools/gowrap" "$data"
	quoted=${cells//\'/\'\\\'\'}
	cat >"$tools/gowrap/go.new" <<-WRAP
		#!/bin/sh
		[ "\$*" = get ] || [ "\$*" = "get -t" ] && exit 0
		if [ "\$1" = build ]; then
			export GOGC=off GOMEMLIMIT=1GiB
			[ "\$#\$2" = 3-o ] && [ -x '$quoted/quick' ] && '$quoted/quick' build '$quoted/table' -o "\$3" && exit 0
		fi
		exec '${go_dir//\'/\'\\\'\'}/go' "\$@"
	WRAP
	chmod 755 "$tools/gowrap/go.new"
	mv "$tools/gowrap/go.new" "$tools/gowrap/go"

	local log
	log=$(mktemp)
	PATH=$tools/bin:$go_dir:$PATH JUPYTER_DATA_DIR=$data "$tools/bin/gonb" --install "--go_work=$repo" \
		-raw_error=true -logtostderr=false -log_file=/dev/null -stderrthreshold=3 >"$log" 2>&1 || {
		cat "$log" >&2
		rm -f "$log"
		fail "gonb --install failed."
	}
	rm -f "$log"
	# jupyter_client replaces \${PATH} when it starts the kernel.
	"$python" - "$data/kernels/gonb/kernel.json" "$tools/gowrap:$tools/bin:$go_dir:\${PATH}" "$cell_flags" <<-'PYTHON'
		import json, os, sys
		path, search, flags = sys.argv[1:]
		with open(path) as f:
		    spec = json.load(f)
		spec["env"] = {"GOFLAGS": flags, "GOTOOLCHAIN": "local", "PATH": search}
		with open(path + ".new", "w") as f:
		    json.dump(spec, f, indent=1, sort_keys=True)
		    f.write("\n")
		os.rename(path + ".new", path)
	PYTHON
	stamp "$now"
	say "GoNB registered in $data"
}

# ---- warm --------------------------------------------------------------

# A cell is a package of its own in a go.work beside this repository; in that
# shape the go command reads more go.mod files than in this module alone, so
# only a build of the same shape fetches and compiles all that a cell will want.
step_warm() {
	local now shape packages module
	need_go
	packages=$(go -C "$repo" list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./toolkit/... ./exercises/... | sed '/\/internal/d') ||
		fail "The toolkit does not compile (the lines above say where)."
	module=$(sed -n 's/^module //p' "$repo/go.mod")
	now=$(cat "$repo/go.mod" "$repo/go.sum" "$repo"/docker/cell/quick/*.go "${BASH_SOURCE[0]}" |
		key "$packages" "$(go env GOVERSION GOCACHE GOMODCACHE)" "$repo")
	if fresh "$now" && { [ ! -e "$cells/table" ] || GOFLAGS=$cell_flags "$cells/quick" check "$cells/table"; }; then
		say "compiled packages are in the build cache"
		return
	fi
	say "compiling what cells import (half a minute, once)"
	shape=$(mktemp -d)
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$shape'" EXIT
	(
		cd "$shape"
		export GOFLAGS=$cell_flags GOWORK=
		go mod init gonb_warm && go mod edit "-replace=$module=$repo" && go work init . && go work use "$repo"
	) >/dev/null 2>&1 || fail "go work init failed in $shape."
	packages="$packages bufio bytes cmp context encoding/csv encoding/json errors flag fmt image image/color image/png
		io iter log maps math math/big math/bits math/cmplx math/rand math/rand/v2 os path/filepath regexp runtime
		runtime/debug slices sort strconv strings sync testing text/tabwriter time unicode unicode/utf8
		gonum.org/v1/gonum/floats gonum.org/v1/gonum/mat gonum.org/v1/gonum/optimize gonum.org/v1/gonum/stat
		gonum.org/v1/gonum/stat/distuv gonum.org/v1/plot gonum.org/v1/plot/plotter gonum.org/v1/plot/vg
		gonum.org/v1/plot/vg/vgimg github.com/janpfeifer/gonb/gonbui"
	# shellcheck disable=SC2086 # a list of import paths
	(cd "$shape" && GOFLAGS=$cell_flags GOWORK="$shape/go.work" counted go build -v $packages) ||
		fail "The toolkit does not compile (the lines above say where)."
	GOFLAGS=-buildvcs=false go -C "$repo" build -o "$cells/quick" ./docker/cell/quick ||
		fail "docker/cell/quick does not compile (the lines above say where)."
	# shellcheck disable=SC2086 # a list of import paths
	(cd "$shape" && unset GOWORK && GOFLAGS=$cell_flags "$cells/quick" table "$cells/table" $packages) || {
		rm -f "$cells/table"
		say "cells will be built by go build, which takes longer (the lines above say why)"
	}
	rm -rf "$shape"
	stamp "$now"
}

# ------------------------------------------------------------------------

[ $# -gt 0 ] || set -- packages tools kernel warm
step=setup
mkdir -p "$tools"
if command -v flock >/dev/null 2>&1; then
	exec 9>"$tools/lock"
	flock 9 # two makes at once take turns
fi
for step; do
	case $step in
	packages | tools | kernel | warm | lint | browser | hub | slurm) "step_$step" ;;
	*) fail "unknown step $step: packages, tools, kernel, warm, lint, browser, hub, slurm" ;;
	esac
done
