#!/usr/bin/env bash
# Installs everything except Go that notebooks need. Most files go into the folder .tools of this
# repository.
#
#   docker/setup.sh [STEP…]      default: the first five steps, which `make demo` needs
#
#   packages   Jupyter without a browser (Debian packages, docker/packages.txt)
#   tools      gonb and goimports at the versions of docker/tools/go.mod → .tools/bin
#   kernel     the GoNB kernel → .tools/share/jupyter (your own kernels stay as they are)
#   warm       compile the toolkit with the flags of cells, so that the first cell starts quickly
#   command    the generate command → .tools/bin
#   lab        for `make lab`: a notebook server, and gopls, with which the kernel completes names
#   lint       staticcheck and actionlint at the versions of docker/lint/go.mod → .tools/bin
#   browser    for `make test` (Debian packages): Chromium and Firefox, in which the tests open pages
#              and solve exercises; node, which runs the judges as WebAssembly; and xz, which
#              compresses the compiler of the pages
#   hub        for the gate `hub` of `make test-image`: JupyterHub and its proxy (Debian packages)
#   slurm      for the gate `slurm`: Slurm and munge (Debian packages)
#   xz         for publishing: xz (Debian package), which makes the pages a third smaller
#
# A step does nothing if its inputs have not changed since the step last succeeded. A step that
# fails prints instructions, and can be repeated: finished work is kept.
# HYPERPLANE_TOOLS names a folder to use in place of .tools. HYPERPLANE_PYTHON names the python to
# use; if it is not the system's python, this script installs no Python packages with apt.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
tools=${HYPERPLANE_TOOLS:-$repo/.tools}
packages_file=$repo/docker/packages.txt
cells=$tools/libexec/hyperplane # folder of docker/cell/quick, which builds cells, and of its table
# The flags with which cells are built. The program has no symbols and no debug data; panics still
# name the file and line. The packages have no debug data, because the linker would read these data
# for every cell. Users and hosts are looked up by Go code instead of the C library.
cell_flags='-buildvcs=false -tags=osusergo,netgo -ldflags=-s -gcflags=all=-dwarf=false'
# stand_ins prints flags for `go work edit`. The flags replace modules that gonbui imports, but that
# no cell needs, by the small modules in docker/cell.
stand_ins() {
	local mod
	for mod in "$repo"/docker/cell/*/go.mod; do
		printf -- '-replace=%s=%s\n' "$(sed -n 's/^module //p' "$mod")" "${mod%/go.mod}"
	done
}
compiled='packages compiled'
export GOTOOLCHAIN=local

say() { printf '  %s %-9s %s\n' "$at" "$step" "$*" >&2; }
fail() {
	printf '\n%s\n' "$*" >&2
	exit 1
}
digest() { if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi | cut -d' ' -f1; }

# key prints a hash of a step's inputs: the arguments of key and the data on its standard input.
key() { { printf '%s\n' "$@"; cat; } | digest; }
fresh() { [ "$(cat "$tools/stamp/$step" 2>/dev/null)" = "$1" ]; }
stamp() {
	mkdir -p "$tools/stamp"
	printf '%s\n' "$1" >"$tools/stamp/$step"
}

# counted MOST WHAT START COMMAND… runs a command and counts the lines of its output that begin with
# START. On a terminal it updates the count in place; in a log it prints every 200th count. The
# lines are read by the shell, because awk may wait until it has received a whole block of them.
counted() {
	local log status=0 most=$1 what=$2 start=$3
	shift 3
	log=$(mktemp)
	"$@" 2>&1 | tee "$log" | count "$most" "$what" "$start" || status=$?
	if [ $status -ne 0 ]; then
		tail -n 25 "$log" >&2
	fi
	rm -f "$log"
	return $status
}

count() {
	local n=0 line
	while IFS= read -r line; do
		case $line in "$3"*) n=$((n + 1)) ;; *) continue ;; esac
		if [ -t 2 ]; then
			printf '\r  %s %-9s %d of at most %d %s ' "$at" "$step" $n "$1" "$2" >&2
		elif [ $((n % 200)) -eq 0 ]; then
			say "$n of at most $1 $2"
		fi
	done
	if [ -t 2 ] && [ $n -gt 0 ]; then echo >&2; fi
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

# headless_python prints the first python that can run notebooks without a browser. It tries
# /usr/bin/python3 before python3 in PATH, which may lack the modules that Debian packages install.
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

# bubblewrap is the sandbox in which `generate grade` runs answers.
have_sandbox() { command -v bwrap >/dev/null 2>&1; }

# have_lab succeeds if a notebook server is installed, either for the user's own python or in PATH.
have_lab() {
	if own_python && { "$HYPERPLANE_PYTHON" -c 'import jupyterlab' || "$HYPERPLANE_PYTHON" -c 'import notebook'; } >/dev/null 2>&1; then
		return
	fi
	command -v jupyter-lab >/dev/null 2>&1 || command -v jupyter-notebook >/dev/null 2>&1
}

# own_python succeeds if HYPERPLANE_PYTHON names a python outside /usr/bin. apt cannot install
# modules for such a python.
own_python() {
	case ${HYPERPLANE_PYTHON:-/usr/bin/python3} in /usr/bin/*) return 1 ;; esac
	"$HYPERPLANE_PYTHON" -c '' >/dev/null 2>&1
}

# missing_modules PYTHON prints the pip names of the modules that the python lacks.
missing_modules() {
	local module
	for module in nbclient nbformat jupyter_client; do
		"$1" -c "import $module" >/dev/null 2>&1 || printf '%s ' "${module/_/-}"
	done
}

# debian [lab] prints packages from packages.txt: with `lab` the packages of a notebook server,
# without an argument all other packages.
debian() { awk -v lab="${1:-}" '!/^#/ && NF && $2 == lab { print $1 }' "$packages_file" | paste -sd' ' -; }

# apt_install PACKAGE… installs Debian packages. If this fails, it prints the output of apt and ends
# the script.
apt_install() {
	local log status=0 apt=(env LC_ALL=C apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300)
	say "installing with apt (usually 1 minute): $*"
	log=$(mktemp)
	export DEBIAN_FRONTEND=noninteractive
	if apt-get update >"$log" 2>&1; then
		counted "$("${apt[@]}" --simulate "$@" 2>/dev/null | grep -c '^Inst ')" 'packages installed' 'Setting up ' "${apt[@]}" "$@" || status=$?
	else
		status=1
		tail -n 15 "$log" >&2
	fi
	rm -f "$log"
	[ $status -eq 0 ] || fail "apt could not install these packages. Run apt by hand to see why, then try again:
    apt-get install --no-install-recommends $*"
}

step_packages() {
	local python wanted missing
	python=$(headless_python) || python=
	if [ -n "$python" ] && { have_sandbox || own_python; }; then
		say "Jupyter is already installed ($python)"
		have_sandbox || say "no bubblewrap found: \`generate grade\` needs it; all else works"
		return
	fi
	wanted=$(debian)
	if own_python; then
		missing=$(missing_modules "$HYPERPLANE_PYTHON")
		fail "HYPERPLANE_PYTHON is $HYPERPLANE_PYTHON, which lacks modules that run notebooks. Install them and try again:
    $HYPERPLANE_PYTHON -m pip install ${missing% }"
	fi
	if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
		# shellcheck disable=SC2086 # a list of package names
		apt_install $wanted
		headless_python >/dev/null || fail "The packages are installed, yet no python can import nbclient.
Set HYPERPLANE_PYTHON to the python that can."
		say "installed"
		return
	fi
	if [ -n "$python" ]; then
		say "no bubblewrap found: \`generate grade\` needs it; all else works"
		return
	fi
	if command -v apt-get >/dev/null 2>&1; then
		fail "Jupyter's headless parts are missing, and installing them needs root. Run this, then try again:
    sudo apt-get update && sudo apt-get install --no-install-recommends $wanted"
	fi
	fail "Jupyter's headless parts are missing, and apt is not available. Create a Python environment for them, and try again:
    python3 -m venv .tools/python
    .tools/python/bin/pip install nbclient nbformat jupyter-client jupyterlab
    export HYPERPLANE_PYTHON=$repo/.tools/python/bin/python
Or use the container image: \`make image\`."
}

# ---- lab ---------------------------------------------------------------

step_lab() {
	if have_lab; then
		say "a notebook server is already installed"
	elif own_python; then
		fail "HYPERPLANE_PYTHON is $HYPERPLANE_PYTHON, which has no notebook server. Install one and try again:
    $HYPERPLANE_PYTHON -m pip install jupyterlab"
	elif [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
		# shellcheck disable=SC2046 # a list of package names
		apt_install $(debian lab)
	else
		fail "No notebook server is installed. Install one and try again:
    sudo apt-get install --no-install-recommends $(debian lab)
or, without apt, set HYPERPLANE_PYTHON to a python that has jupyterlab."
	fi
	install_tools "$repo/docker/tools" '60 s' gopls
}

# ---- tools, lint -------------------------------------------------------

# install_tools MODULE TIME BINARY… builds tools that the go.mod of a module lists, and puts the
# binaries into .tools/bin. TIME is the usual duration, for the message. The tools are built with
# the flags of cells, so that both share the compiled packages of the standard library.
install_tools() {
	local module=$1 usual=$2 now binary there=yes packages install=(go -C "$1" install)
	[ ! -x "$module/install.sh" ] || install=("$module/install.sh")
	shift 2
	need_go
	now=$(cat "$module"/go.* "$repo"/docker/tools/install.sh "$repo"/docker/tools/*/*.go "${BASH_SOURCE[0]}" |
		key "$(go env GOVERSION GOOS GOARCH)")
	for binary; do [ -x "$tools/bin/$binary" ] || there=no; done
	if [ $there = yes ] && fresh "$now"; then
		say "already installed: $*"
		return
	fi
	say "building $* (usually $usual, once)"
	mkdir -p "$tools/bin"
	packages=$(go -C "$module" list -f '{{.ImportPath}}' tool | grep -E "/($(printf '%s|' "$@")none)$")
	# shellcheck disable=SC2086 # a list of import paths
	GOFLAGS=$cell_flags GOBIN=$tools/bin counted "$(packages_of "$module" $packages)" "$compiled" '' "${install[@]}" -v $packages ||
		fail "Could not build the tools of $module (the lines above say why; the first build needs the Go module proxy).
Fix that and run the same command again; what is compiled is kept."
	stamp "$now"
}

# packages_of FOLDER PACKAGE… prints the number of packages on which the given packages depend,
# including themselves.
packages_of() { local dir=$1; shift; GOFLAGS=$cell_flags go -C "$dir" list -deps "$@" | wc -l | tr -d ' '; }

step_tools() { install_tools "$repo/docker/tools" '40 s' gonb goimports; }
step_lint() { install_tools "$repo/docker/lint" '60 s' staticcheck actionlint; }

# The command is built with the flags of cells, so that both share compiled packages.
step_command() {
	need_go
	local made=$tools/bin/generate most=50
	if [ ! -x "$made" ]; then
		say "building the generate command (usually 40 s, once)"
		most=$(packages_of "$repo" ./generate)
	fi
	GOFLAGS=$cell_flags counted "$most" "$compiled" '' go -C "$repo" build -v -o "$made" ./generate ||
		fail "The generate command does not compile (the lines above say where)."
	say "the generate command is built"
}

# ---- browser -----------------------------------------------------------

step_browser() {
	local wanted=(chromium firefox-esr fonts-dejavu-core nodejs xz-utils)
	one_of() { for name; do command -v "$name" >/dev/null 2>&1 && return; done; return 1; }
	if one_of chromium chromium-browser google-chrome && one_of firefox-esr firefox && one_of node && one_of xz; then
		say "the browsers, node and xz are already installed"
		return
	fi
	if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
		apt_install "${wanted[@]}"
		say "installed"
		return
	fi
	fail "Chromium, Firefox, node or xz is missing; the tests of interactive pages need them. Install them and try again:
    sudo apt-get update && sudo apt-get install --no-install-recommends ${wanted[*]}"
}

# ---- hub, slurm, xz ----------------------------------------------------------

# programs WHY PACKAGES PROGRAM… installs the Debian packages if one of the programs is missing. If
# it may not install them, it ends the script with instructions and the reason WHY.
programs() {
	local why=$1 packages=$2 name missing=
	shift 2
	for name; do PATH=$PATH:/usr/sbin:/sbin command -v "$name" >/dev/null 2>&1 || missing=${missing:-$name}; done
	if [ -z "$missing" ]; then
		say "already installed: $*"
		return
	fi
	# Do not install the packages where systemd runs, because Debian would then start the servers.
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
	programs "which the test of a hub needs" "jupyterhub node-configurable-http-proxy" \
		jupyterhub jupyterhub-singleuser configurable-http-proxy
}
step_slurm() {
	programs "which the test of a Slurm array needs" "slurm-wlm munge procps" \
		slurmctld slurmd sbatch scontrol munged pgrep
}
step_xz() { programs "which compresses the compiler of the pages" xz-utils xz; }

# ---- kernel ------------------------------------------------------------

step_kernel() {
	local now python go_dir quoted light data=$tools/share/jupyter
	need_go
	python=$(headless_python) || fail "No python with nbclient: run \`docker/setup.sh packages\` first."
	[ -x "$tools/bin/gonb" ] || fail "No gonb in $tools/bin: run \`docker/setup.sh tools\` first."
	go_dir=$(go env GOROOT)/bin
	case $repo in *,*) fail "GoNB reads a comma in --go_work as a separator: move the repository out of $repo." ;; esac
	case $repo$tools in *:*) fail "PATH cannot hold a folder with a colon: move the repository out of $repo." ;; esac
	now=$(cat "$tools/bin/gonb" "${BASH_SOURCE[0]}" | key "$repo" "$tools" "$go_dir")
	if fresh "$now" && [ -f "$data/kernels/gonb/kernel.json" ] && [ -x "$tools/gowrap/goimports" ]; then
		say "GoNB is in $data"
		return
	fi

	# This wrapper replaces the go command in cells:
	# - It ignores `go get` without arguments, which GoNB runs before it builds a cell. The command
	#   takes a quarter of a second, and fails without a network. `!*go get pkg@v` still works.
	# - It switches the garbage collector off for builds, which take only a tenth of a second.
	# - It builds a cell with docker/cell/quick if possible, and otherwise with `go build`.
	# - It adds the replacements from docker/cell to the Go workspace that GoNB makes for the cells.
	mkdir -p "$tools/gowrap" "$data"
	quoted=${cells//\'/\'\\\'\'}
	light=$(stand_ins | sed "s/'/'\\\\''/g; s/.*/'&'/" | paste -sd' ' -)
	cat >"$tools/gowrap/go.new" <<-WRAP
		#!/bin/sh
		[ "\$*" = get ] || [ "\$*" = "get -t" ] && exit 0
		if [ "\$1" = build ]; then
			export GOGC=off GOMEMLIMIT=1GiB
			[ "\$#\$2" = 3-o ] && [ -x '$quoted/quick' ] && '$quoted/quick' build '$quoted/table' -o "\$3" && exit 0
		fi
		if [ "\$1 \$2" = "work use" ]; then
			'${go_dir//\'/\'\\\'\'}/go' "\$@" || exit
			set -- work edit $light
		fi
		exec '${go_dir//\'/\'\\\'\'}/go' "\$@"
	WRAP
	# If the only use of an import is misspelt (math.exp), goimports removes the import. The compiler
	# would then report a missing package. quick restores such imports.
	cat >"$tools/gowrap/goimports.new" <<-WRAP
		#!/bin/sh
		'${tools//\'/\'\\\'\'}/bin/goimports' "\$@" || exit
		[ "\$#\$1" != 2-w ] || [ ! -x '$quoted/quick' ] || '$quoted/quick' imports '$quoted/table' "\$2" || :
	WRAP
	local program
	for program in go goimports; do
		chmod 755 "$tools/gowrap/$program.new"
		mv "$tools/gowrap/$program.new" "$tools/gowrap/$program"
	done

	local log
	log=$(mktemp)
	# --force_deps installs the kernel even if gopls is missing; the step lab installs gopls.
	PATH=$tools/bin:$go_dir:$PATH JUPYTER_DATA_DIR=$data "$tools/bin/gonb" --install --force_deps "--go_work=$repo" \
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

# step_warm downloads and compiles everything that a cell may import. A cell is a separate module in
# a go.work that also lists this repository. For such a workspace the go command reads more go.mod
# files than for this module alone. Therefore step_warm builds in a workspace of the same form.
step_warm() {
	local now shape packages module flag light=()
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
	say "compiling what cells import (usually 40 s, once)"
	while IFS= read -r flag; do light+=("$flag"); done < <(stand_ins)
	shape=$(mktemp -d)
	# shellcheck disable=SC2064 # the trap must remove the folder that $shape names now
	trap "rm -rf '$shape'" EXIT
	(
		cd "$shape"
		export GOFLAGS=$cell_flags GOWORK=
		go mod init gonb_warm && go mod edit "-replace=$module=$repo" && go work init . && go work use "$repo" &&
			go work edit "${light[@]}"
	) >/dev/null 2>&1 || fail "go work init failed in $shape."
	packages="$packages bufio bytes cmp context encoding/csv encoding/json errors flag fmt image image/color image/png
		io iter log maps math math/big math/bits math/cmplx math/rand math/rand/v2 os path/filepath regexp runtime
		runtime/debug slices sort strconv strings sync testing text/tabwriter time unicode unicode/utf8
		gonum.org/v1/gonum/floats gonum.org/v1/gonum/mat gonum.org/v1/gonum/optimize gonum.org/v1/gonum/stat
		gonum.org/v1/gonum/stat/distuv gonum.org/v1/plot gonum.org/v1/plot/plotter gonum.org/v1/plot/vg
		gonum.org/v1/plot/vg/vgimg github.com/janpfeifer/gonb/gonbui"
	# shellcheck disable=SC2086 # a list of import paths
	(cd "$shape" && GOFLAGS=$cell_flags GOWORK="$shape/go.work" counted "$(packages_of . $packages)" "$compiled" '' go build -v $packages) ||
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

[ $# -gt 0 ] || set -- packages tools kernel warm command
step=setup at="0/$#"
mkdir -p "$tools"
if command -v flock >/dev/null 2>&1; then
	exec 9>"$tools/lock"
	flock 9 # if two set-ups run at the same time, the second waits for the first
fi
of=$# n=0
for step; do
	n=$((n + 1)) at=$n/$of
	case $step in
	packages | tools | kernel | warm | command | lab | lint | browser | hub | slurm | xz) "step_$step" ;;
	*) fail "unknown step $step: want packages, tools, kernel, warm, command, lab, lint, browser, hub, slurm, xz" ;;
	esac
done
