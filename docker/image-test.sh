# shellcheck shell=bash disable=SC2154 # image.sh defines these functions and settings
# Tests of the image. docker/image.sh sources this file for its argument `test`.

passed=0
ok() {
	passed=$((passed + 1))
	say "  ok: $*"
}
wrong() { die "  WRONG: $*"; }

# same FOLDER FOLDER succeeds if both folders contain the same files with the same bytes, and the first
# folder contains at least one file.
same() { [ -n "$(find "$1" -type f)" ] && diff -rq "$1" "$2" >"$scratch/diff" 2>&1; }

# open_folder NAME makes a folder in $scratch to which every user of a container may write.
open_folder() { mkdir -p "$scratch/$1" && chmod a+rwx "$scratch/$1"; }

check_figures() {
	command -v go >/dev/null || die "Comparing figures needs Go outside the container too."
	open_folder figures-inside
	inside --offline --mount "$scratch/figures-inside:/out" -- figures >"$scratch/figures.log" 2>&1 ||
		wrong "figures: $(tail -n 5 "$scratch/figures.log")"
	go run ./generate figures --out "$scratch/figures-outside" >"$scratch/figures.log" 2>&1 ||
		wrong "figures outside: $(tail -n 5 "$scratch/figures.log")"
	same "$scratch/figures-outside" "$scratch/figures-inside" || {
		[ "$(inputs)" = "$(labelled "$name")" ] || die "The sources have changed since the image was built: test again."
		wrong "figures differ: $(cat "$scratch/diff")"
	}
	ok "$(find "$scratch/figures-inside" -type f | wc -l) files of figures, the same bytes inside and outside"
}

# check_comparison checks that `same` fails for a changed file, for a missing file and for no files.
check_comparison() {
	local victim
	cp -r "$scratch/figures-inside" "$scratch/tampered"
	victim=$(find "$scratch/tampered" -type f -name '*.svg' | LC_ALL=C sort | head -n 1)
	[ -n "$victim" ] || wrong "no figure is an SVG"
	printf ' ' >>"$victim"
	! same "$scratch/figures-outside" "$scratch/tampered" || wrong "one byte more in ${victim##*/} went unnoticed"
	ok "one byte more in ${victim##*/} is noticed"
	rm "$victim"
	! same "$scratch/figures-outside" "$scratch/tampered" || wrong "the loss of ${victim##*/} went unnoticed"
	ok "a missing figure is noticed"
	mkdir "$scratch/none" "$scratch/nothing"
	! same "$scratch/none" "$scratch/nothing" || wrong "a folder without figures went unnoticed"
	ok "a folder without figures is noticed"
}

# one_cell FILE CODE writes a notebook with one cell.
one_cell() {
	cat >"$1" <<-NOTEBOOK
		{"cells": [{"cell_type": "code", "execution_count": null, "id": "one", "metadata": {}, "outputs": [],
		  "source": ["%noautoget\n", "import \"fmt\"\n", "import \"gonum.org/v1/gonum/mat\"\n", "%%\n", "$2"]}],
		 "metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}},
		 "nbformat": 4, "nbformat_minor": 5}
	NOTEBOOK
}

# check_offline checks that a container with --offline has no network. Later tests rely on this.
check_offline() {
	inside --offline -- python3 -c 'import socket; socket.create_connection(("192.0.2.1", 9), 5)' >"$scratch/run.log" 2>&1 || true
	grep -q 'Network is unreachable' "$scratch/run.log" || wrong "a container with --offline did not report that the network is unreachable: $(tail -n 3 "$scratch/run.log")"
	ok "a container with --offline has no network"
}

# check_notebooks USER [OPTION…] runs the tour and a notebook with one cell, without a network.
check_notebooks() {
	local user=$1 out=run-${1%%:*}
	shift
	open_folder "$out"
	set -- --offline --env GOPROXY=off --user "$user" --mount "$scratch/$out:/out" --mount "$scratch/cells:/cells:ro" "$@"
	inside "$@" -- run --out /out /opt/hyperplane/notebooks/tour.ipynb >"$scratch/run.log" 2>&1 ||
		wrong "the tour as user $user: $(tail -n 15 "$scratch/run.log")"
	ok "the tour runs without a network as user $user"
	inside "$@" -- run --out /out /cells/right.ipynb >"$scratch/run.log" 2>&1 ||
		wrong "one cell as user $user: $(tail -n 15 "$scratch/run.log")"
	grep -q 'det is -2' "$scratch/$out/right.ipynb" || wrong "the cell's output is not in the executed notebook"
	ok "one cell runs without a network as user $user"
	inside "$@" -- doctor >"$scratch/run.log" 2>&1 || wrong "doctor as user $user: $(cat "$scratch/run.log")"
	ok "doctor finds all that notebooks need as user $user"
}

# environment contains the image's environment variables, for containers that read_only starts without
# an engine.
environment=(PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/jovyan LANG=C.UTF-8
	CGO_ENABLED=0 GOENV=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local GOPATH=/opt/go GOCACHE=/opt/gocache
	HYPERPLANE_TOOLS=/usr/local HYPERPLANE_PYTHON=/usr/bin/python3 GOPROXY=off)

# read_only WORD… runs a command in a container as user 4321 of group 0. Only /tmp and /shared are
# writable. buildah has no option for a read-only root, so this function enters the folder of the
# container itself, with chroot. In a chroot the kernel does not allow new namespaces, which a sandbox
# needs. With namespace=yes, the function uses pivot_root instead of chroot, which allows them.
read_only() {
	if [ "$engine" != buildah ]; then
		"$engine" run --rm --network none --read-only --tmpfs /tmp:exec --user 4321:0 --volume "$scratch/cells:/cells:ro" \
			--volume "$scratch/shared:/shared" --name "$(new_name)" "$name" "$@"
		return
	fi
	local container folder status=0
	container=$(b from --pull=never --name "$(new_name)" "$name")
	folder=$(b mount "$container")
	mkdir -p "$folder/cells" "$folder/shared"
	set -- env -i "${environment[@]}" "HYPERPLANE_CONTAINER=$container" /opt/hyperplane/docker/entrypoint.sh "$@"
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount --net --pid --fork --kill-child sh -c '
		folder=$1 scratch=$2 namespace=$3 && shift 3
		ip link set lo up
		mount --rbind "$folder" "$folder"
		mount --bind "$scratch/cells" "$folder/cells"
		mount --bind "$scratch/shared" "$folder/shared"
		mount -t proc proc "$folder/proc"
		mount --rbind /dev "$folder/dev"
		mount -o remount,bind,ro "$folder"
		mount -t tmpfs -o mode=1777,exec tmpfs "$folder/tmp"
		[ "$namespace" = yes ] || exec chroot --userspec=4321:0 "$folder" "$@"
		cd "$folder"
		pivot_root . .
		umount -l .
		cd /
		exec setpriv --reuid=4321 --regid=0 --clear-groups "$@"' sh "$folder" "$scratch" "${namespace:-}" "$@" || status=$?
	end_processes "$container"
	b umount "$container" >/dev/null
	b rm "$container" >/dev/null
	return $status
}

# earned FOLDER succeeds if the grades in the folder show that the only learner, Ada, got all points.
earned() { grep -qx 'ada,Ada,,1,1,1,0' "$scratch/shared/$1/grades.csv" 2>/dev/null; }

# check_grading grades a class in containers with a read-only root.
check_grading() {
	local grade=(grade /shared/course/key --class /shared/course) server
	printf 'id,name\nada,Ada\n' >"$scratch/shared/roster.csv"
	read_only class /shared/roster.csv --exercises prml-4.25 --out /shared/course >"$scratch/run.log" 2>&1 ||
		wrong "a class: $(tail -n 5 "$scratch/run.log")"
	if [ "$engine" = buildah ]; then
		namespace=yes read_only "${grade[@]}" --out /shared/confined >"$scratch/run.log" 2>&1 && earned confined ||
			wrong "grading with bubblewrap in the image: $(tail -n 5 "$scratch/run.log")"
		ok "a class is graded in the image, by its bubblewrap"
		! read_only "${grade[@]}" --out /shared/refused >"$scratch/run.log" 2>&1 && grep -q 'this machine cannot isolate answers' "$scratch/run.log" ||
			wrong "grading without namespaces must fail and say why: $(tail -n 5 "$scratch/run.log")"
		ok "a container that cannot create namespaces refuses to grade without a second container"
	fi
	set -m # start a process group, so that one signal can end all of its processes
	read_only answers /shared/answers.sock >"$scratch/answers.log" 2>&1 </dev/null &
	server=$!
	set +m
	undo+=("kill -TERM -- -$server")
	for _ in $(seq 300); do
		[ ! -S "$scratch/shared/answers.sock" ] && kill -0 $server 2>/dev/null || break
		sleep 0.2
	done
	read_only "${grade[@]}" --out /shared/apart --answers /shared/answers.sock >"$scratch/run.log" 2>&1 && earned apart ||
		wrong "grading with the answers in a second container: $(tail -n 5 "$scratch/run.log") $(tail -n 5 "$scratch/answers.log")"
	ok "a class is graded by two containers that share a socket"
	kill -TERM -- -$server
	wait $server 2>/dev/null || true
}

check_read_only() {
	read_only sh -c 'id -u; id -g; touch /opt/x 2>&1 || true' >"$scratch/run.log" 2>&1 || true
	grep -q 'Read-only file system' "$scratch/run.log" || wrong "the root is not read-only: $(tail -n 5 "$scratch/run.log")"
	read_only run --out /tmp/made /cells/right.ipynb >"$scratch/run.log" 2>&1 ||
		wrong "one cell with a read-only root: $(tail -n 15 "$scratch/run.log")"
	ok "one cell runs with a read-only root, as user 4321 of group 0"
	read_only doctor >"$scratch/run.log" 2>&1 || true
	grep -q 'gonb .*v[0-9]' "$scratch/run.log" && grep -q 'go1\.' "$scratch/run.log" || wrong "doctor does not print the versions: $(cat "$scratch/run.log")"
	ok "doctor prints the versions of Go and GoNB"
}

check_hub_and_health() {
	inside --offline -- jupyterhub-singleuser --version >"$scratch/run.log" 2>&1 || wrong "the single-user server: $(tail -n 5 "$scratch/run.log")"
	grep -qE '^[0-9]+\.' "$scratch/run.log" || wrong "the single-user server does not print its version: $(cat "$scratch/run.log")"
	ok "there is a single-user server for a hub"
	! inside --offline -- health >"$scratch/run.log" 2>&1 || wrong "a container without Jupyter is healthy"
	ok "a container without Jupyter is not healthy"
}

check_failure() {
	! inside --offline --mount "$scratch/cells:/cells:ro" -- run --out /out /cells/wrong.ipynb >"$scratch/run.log" 2>&1 ||
		wrong "a cell that panics passed"
	ok "a cell that panics fails the run"
}

# answer STATUS PATH [OPTION…] requests PATH from the server. The reply must have the given status.
answer() {
	local want=$1 path=$2 got
	shift 2
	got=$(curl -s -o "$scratch/answer" -w '%{http_code}' --max-time 20 "$@" "http://127.0.0.1:$port$path") || true
	[ "$got" = "$want" ] || wrong "$path answered $got, not $want: $(head -c 300 "$scratch/answer")"
}

# check_jupyter USER [OPTION…] starts Jupyter and uses the server at the address that it prints.
check_jupyter() {
	local user=$1 server token='' tries
	shift
	port=$((20000 + RANDOM % 20000))
	set -m # start a process group, so that one signal can end all of its processes
	inside --user "$user" --port "$port" --mount "$scratch/work:/work" "$@" -- >"$scratch/lab.log" 2>&1 </dev/null &
	server=$!
	set +m
	undo+=("kill -KILL -- -$server")
	for ((tries = 0; tries < 120; tries++)); do
		token=$(sed -n "s/.*127.0.0.1:$port.*token=//p" "$scratch/lab.log" | head -n 1)
		[ -z "$token" ] || ! curl -s -o "$scratch/answer" "http://127.0.0.1:$port/api" || break
		kill -0 $server 2>/dev/null || break
		sleep 0.5
	done
	[ -n "$token" ] || wrong "Jupyter as user $user printed no address: $(tail -n 15 "$scratch/lab.log")"
	local key=(-H "Authorization: token $token")
	answer 200 /api/status "${key[@]}"
	answer 200 /lab "${key[@]}"
	answer 200 /api/contents/tour.ipynb "${key[@]}"
	answer 403 /api/status
	answer 201 /api/kernels "${key[@]}" -H 'Content-Type: application/json' -d '{"name": "gonb"}'
	if [ "$engine" = buildah ]; then # with docker and podman, a second container could not reach the loopback interface of the first
		inside --env "HYPERPLANE_PORT=$port" -- health >"$scratch/answer" 2>&1 || wrong "Jupyter serves, but the health check fails: $(tail -n 3 "$scratch/answer")"
	fi
	answer 200 /api/shutdown "${key[@]}" -X POST
	for ((tries = 0; tries < 60; tries++)); do
		kill -0 $server 2>/dev/null || break
		sleep 0.25
	done
	! kill -0 $server 2>/dev/null || wrong "Jupyter as user $user does not stop on request"
	wait $server || wrong "Jupyter as user $user ended with status $?: $(tail -n 15 "$scratch/lab.log")"
	ok "Jupyter serves as user $user: it answers requests with the printed token, refuses requests without a token, starts a GoNB kernel, and stops on request"
}

check_edited() {
	grep -q 'edited by a learner' "$scratch/work/tour.ipynb" || wrong "an edited notebook was overwritten"
	ok "a notebook edited in /work is kept when the container starts again"
}

scratch=$(mktemp -d "$state/test.XXXXXX")
chmod a+rx "$scratch"
undo+=("rm -rf --one-file-system '$scratch'")
open_folder work
open_folder shared
mkdir "$scratch/home" "$scratch/cells"
chmod 755 "$scratch/home" "$scratch/cells"
one_cell "$scratch/cells/right.ipynb" 'fmt.Println(\"det is\", mat.Det(mat.NewDense(2, 2, []float64{2, 1, 4, 1})))'
one_cell "$scratch/cells/wrong.ipynb" 'fmt.Println(mat.Det(mat.NewDense(2, 3, nil)))'

# A user who does not exist in the image, with a home folder that belongs to a different user.
stranger=(4321:4321 --mount "$scratch/home:/home/jovyan:ro")
step "figures inside and outside" check_figures
step "the comparison of figures can fail" check_comparison
step "a container without a network" check_offline
step "notebooks, as the image's own user" check_notebooks 1000:1000
step "notebooks, as an unknown user with a read-only home" check_notebooks "${stranger[@]}"
step "a notebook that fails" check_failure
step "a read-only root" check_read_only
step "grading" check_grading
step "a hub's server, health" check_hub_and_health
step "notebooks, as an unknown user of group 0" check_notebooks 4321:0
step "Jupyter, as the image's own user" check_jupyter 1000:1000
sed -i '0,/"source": \[/s//"source": [\n    "edited by a learner\\n",/' "$scratch/work/tour.ipynb"
chmod -R a+rwX "$scratch/work"
step "Jupyter, as an unknown user with a read-only home" check_jupyter "${stranger[@]}"
check_edited
say "image: $passed checks passed"
