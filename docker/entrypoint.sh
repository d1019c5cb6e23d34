#!/bin/sh
# The entrypoint of a container. Its arguments are one of the following:
#
#   (nothing), lab [options]     serve Jupyter on port 8888, with the notebooks in /work
#   hub [options]                serve Jupyter to one learner, for the JupyterHub that started the
#                                container
#   health                       succeed if Jupyter answers in this container
#   figures [options]            write the figures to /out
#   COMMAND [options]            run any other command of generate, such as run, doctor or list
#   PROGRAM [options]            run bash, sh, or any other program
set -eu

root=/opt/hyperplane

if [ "${1:-}" = health ]; then
	exec python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=4)' \
		"http://127.0.0.1:${HYPERPLANE_PORT:-8888}${JUPYTERHUB_SERVICE_PREFIX:-/}api"
fi

say() { printf '%s\n' "$*" >&2; }

# can_write FOLDER succeeds if it can create a file in the folder. `test -w` reads only the permission
# bits, which are misleading for a read-only mount or an unusual user.
can_write() {
	probe=$1/.hyperplane-$$
	(: >"$probe") 2>/dev/null && rm -f "$probe"
}

# runs_programs succeeds if programs can run from the folder for temporary files. The kernel compiles
# cells to this folder and runs them from there.
runs_programs() {
	probe=$(mktemp 2>/dev/null) || return 1
	printf '#!/bin/sh\n' >"$probe" && chmod +x "$probe" && "$probe" 2>/dev/null
	status=$?
	rm -f "$probe"
	return $status
}

if ! runs_programs; then
	say "hyperplane: programs cannot be run from ${TMPDIR:-/tmp}, and every cell is a program."
	say "  Mount a folder that allows it: --tmpfs /tmp:exec"
	exit 1
fi

# The container may run as any user, whose home folder may be read-only or missing. Jupyter, IPython
# and Go need to write to it, so use a temporary folder instead.
if ! can_write "${HOME:-/nonexistent}"; then
	HOME=$(mktemp -d "${TMPDIR:-/tmp}/home.XXXXXX")
	export HOME
fi
export JUPYTER_CONFIG_DIR="${JUPYTER_CONFIG_DIR:-$HOME/.jupyter}"
export JUPYTER_DATA_DIR="${JUPYTER_DATA_DIR:-$HOME/.local/share/jupyter}"
export JUPYTER_RUNTIME_DIR="${JUPYTER_RUNTIME_DIR:-$JUPYTER_DATA_DIR/runtime}"
export IPYTHONDIR="${IPYTHONDIR:-$HOME/.ipython}"
if ! can_write "$GOCACHE"; then
	say "hyperplane: $GOCACHE is read-only: cells work, but each is compiled every time."
fi

# needs FOLDER ends the script with instructions if the container cannot write to the folder.
needs() {
	can_write "$1" && return
	say "hyperplane: user $(id -u) cannot write in $1."
	say "  Mount a folder there, and start the container as its owner: --user \$(id -u):\$(id -g)"
	exit 1
}

lab() {
	needs /work
	# This leaves edited notebooks unchanged, and writes new versions beside them.
	(cd "$root" && hyperplane notebooks --work /work)

	[ -n "${JUPYTER_TOKEN:-}" ] || JUPYTER_TOKEN=$(od -An -N 24 -t x1 /dev/urandom | tr -d ' \n')
	export JUPYTER_TOKEN # do not pass the token as an option, because every user can list the options of processes
	port=${HYPERPLANE_PORT:-8888}
	say ""
	say "Open this in a browser:"
	say ""
	say "    http://127.0.0.1:${HYPERPLANE_PUBLISHED:-$port}/lab/tree/tour.ipynb?token=$JUPYTER_TOKEN"
	say ""
	[ -n "${HYPERPLANE_PUBLISHED:-}" ] ||
		say "(If the container's port $port was published under another number, use that number.)"
	say "The notebooks are in /work, which is your own folder if you mounted one. Ctrl-C stops Jupyter."
	say ""
	[ "$(id -u)" != 0 ] || set -- --allow-root "$@"
	cd /work
	exec jupyter lab -y --no-browser --ip="${HYPERPLANE_IP:-0.0.0.0}" --port="$port" --port-retries=0 \
		--ServerApp.root_dir=/work --log-level=WARN "$@"
}

hub() {
	needs /work
	(cd "$root" && hyperplane notebooks --work /work) >&2
	cd /work
	exec jupyterhub-singleuser "$@"
}

case "${1:-lab}" in
hub)
	shift
	hub "$@"
	;;
lab)
	[ $# = 0 ] || shift
	lab "$@"
	;;
figures)
	case " $* " in
	*" --out "* | *" --out="* | *" --help "* | *" -h "*) ;;
	*)
		needs /out
		set -- "$@" --out /out
		;;
	esac
	cd "$root"
	exec hyperplane "$@"
	;;
progress)
	# In this container the learner's folder is /work, which is not the default of the command.
	case " ${HYPERPLANE_PROGRESS:+--dir} $* " in
	*" --dir "* | *" --dir="* | *" --help "* | *" -h "*) ;;
	*) set -- "$@" --dir /work ;;
	esac
	cd "$root"
	exec hyperplane "$@"
	;;
run)
	# Look for a notebook first in the working directory (by default /work), and then in the
	# repository.
	shift
	for word; do
		shift
		[ -e "$word" ] || [ ! -e "$root/$word" ] || word=$root/$word
		set -- "$@" "$word"
	done
	exec hyperplane run "$@"
	;;
-*)
	say "hyperplane: the first argument must be a word such as lab, hub, figures, run, progress, doctor, list, exercises or bash; options follow it"
	exit 2
	;;
*)
	# Run the program with this name, or, if there is no such program, a command of generate. No
	# command of generate has the name of a program. generate reports an unknown command.
	if command -v "$1" >/dev/null; then
		exec "$@"
	fi
	cd "$root"
	exec hyperplane "$@"
	;;
esac
