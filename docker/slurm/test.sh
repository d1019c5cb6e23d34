#!/usr/bin/env bash
# Tests grade.sbatch: starts a Slurm cluster on this machine's loopback interface and grades a small
# class. One task of the array is killed while it runs, and is then requeued. The merged grades must
# equal the grades of a run without Slurm, byte for byte. The test needs root, the command that
# `make setup` builds, and the programs that `docker/setup.sh slurm` installs. It leaves no files or
# processes behind.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
cd "$here/../.."
generate=.tools/bin/generate
dir=$(mktemp -d "${TMPDIR:-/tmp}/hyperplane-slurm-XXXXXX")
unset HYPERPLANE_GRADE # grade.sbatch must use its default
tasks=3
pids=()

say() { printf '%s\n' "$*"; }
fail() {
	say "$*"
	tail -n 8 "$dir"/*.log 2>/dev/null || true
	exit 1
}

# daemon COMMAND… starts a daemon as a child of this script, in a separate session. To end the daemon
# and the tasks that it has started, at_end kills the processes of this session.
daemon() {
	setsid "$@" >>"$dir/$1.log" 2>&1 &
	pids+=($!)
}
at_end() {
	local status=$? pid
	trap - EXIT
	[ -z "${job:-}" ] || scancel "$job" 2>/dev/null || true
	for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
	for pid in "${pids[@]}"; do
		timeout 5 tail --pid="$pid" -f /dev/null || kill -KILL -- "-$pid" 2>/dev/null || true
	done
	# Every remaining process with this folder in its command line belongs to the test.
	for pid in $(grep -lsF "$dir" /proc/[0-9]*/cmdline | cut -d/ -f3); do
		[ "$pid" = $$ ] || kill -KILL "$pid" 2>/dev/null || true
	done
	rm -rf "$dir"
	exit $status
}
trap at_end EXIT
trap 'exit 130' INT TERM

# until_true SECONDS COMMAND… repeats the command until it succeeds. It fails when the time is over.
until_true() {
	local left=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		((left-- > 0)) || return 1
		sleep 0.1
	done
}

start_slurm() {
	local name port=$((20000 + RANDOM % 20000))
	name=$(hostname -s)
	mkdir -p "$dir"/{state,spool}
	(umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
	chmod 755 "$dir"
	daemon munged --foreground --force --socket="$dir/munge.socket" --key-file="$dir/munge.key" \
		--pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munged.seed"
	until_true 10 test -S "$dir/munge.socket" || fail "munged does not start"
	export SLURM_CONF=$dir/slurm.conf
	# A requeued task waits until its old credential has expired. cred_expire=5 is the shortest
	# possible time in seconds; the default is 120.
	cat >"$SLURM_CONF" <<-CONF
		ClusterName=hyperplane
		SlurmctldHost=$name(127.0.0.1)
		SlurmUser=root
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge.socket,cred_expire=5
		CredType=cred/munge
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerParameters=sched_interval=1,batch_sched_delay=0
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool
		SlurmctldPidFile=$dir/ctld.pid
		SlurmdPidFile=$dir/d.pid
		ReturnToService=2
		MpiDefault=none
		NodeName=$name NodeAddr=127.0.0.1 CPUs=$tasks RealMemory=8000 State=UNKNOWN
		PartitionName=main Nodes=ALL Default=YES State=UP
	CONF
	# Let the node run all tasks at the same time, even if this machine has fewer cores than tasks.
	echo "SlurmdParameters=config_overrides" >>"$SLURM_CONF"
	daemon slurmctld -D
	daemon slurmd -D
	until_true 30 sh -c 'sinfo -h -o %T | grep -q idle' || fail "no node of Slurm became idle: $(sinfo -h 2>&1)"
}

# state TASK prints the state that Slurm reports for a task of the array.
state() { scontrol show job -o "${job}_$1" | grep -o 'JobState=[A-Z]*' | cut -d= -f2; }
has_state() { [ "$(state "$1")" = "$2" ]; }

# same FOLDER FOLDER succeeds if both folders contain the same grades and pages, byte for byte, and at
# least one grade. It ignores the folders named state, which store the progress of a run.
same() { [ -s "$1/grades.csv" ] && diff -rq --exclude=state "$1" "$2"; }

[ "$(id -u)" = 0 ] || fail "root is needed to start Slurm's daemons"
[ -x $generate ] || fail "there is no $generate: run make setup"
course=$dir/course in=$dir/hand-ins one=$dir/one shards=$dir/shards merged=$dir/merged
printf 'id,name\nada,Ada\nbob,Bob\ncyd,Cyd\ndon,Don\neve,Eve\n' >"$dir/roster.csv"
$generate class "$dir/roster.csv" --exercises prml-4.25=2,alpaydin-10.9 --out "$course" >/dev/null
cp -r "$course/key" "$in"
cp "$course/release/cyd/alpaydin-10.9.ipynb" "$in/cyd/" # Cyd submits the unchanged notebook
echo 'no notebook' >"$in/don/alpaydin-10.9.ipynb"
rm "$in/eve/prml-4.25.ipynb"
arguments=("$in" --class "$course")

$generate grade "${arguments[@]}" --out "$one" >"$dir/one.log" 2>&1 || fail "grading without Slurm fails"

start_slurm
submit=(sbatch --parsable --mem=100 "--array=1-$tasks" --output="$dir/grade-%A_%a.log" "$here/grade.sbatch" "${arguments[@]}" --out "$shards")
job=$("${submit[@]}")
until_true 60 grep -q '^\[1/' "$dir/grade-${job}_2.log" || fail "task 2 has graded no submission: $(squeue -h 2>&1)"
victim=$(pgrep -o -f -- "$shards .*--shard 2/$tasks") || true
[ -n "$victim" ] || fail "task 2 had ended before it was killed"
kill -KILL "$victim"
until_true 20 has_state 2 FAILED || fail "task 2 was killed, but Slurm reports the state $(state 2)"
for task in 1 3; do
	until_true 90 has_state "$task" COMPLETED || fail "task $task is not done: $(scontrol show job -o "${job}_$task")"
done
merge=("$generate" grade --merge "$shards" --class "$course" --out "$merged")
if "${merge[@]}" >"$dir/merge.log" 2>&1; then fail "grade --merge accepts a missing shard"; fi
grep -q "shard 2 of $tasks is incomplete" "$dir/merge.log" || fail "grade --merge does not name the missing shard"
scontrol requeue "${job}_2"
until_true 90 has_state 2 COMPLETED || fail "task 2 is not done: $(scontrol show job -o "${job}_2")"
grep -q 'as before' "$dir/grade-${job}_2.log" || fail "task 2 judged all submissions again instead of resuming"
"${merge[@]}" >"$dir/merge.log" 2>&1 || fail "grade --merge fails although all shards are complete"
same "$one" "$merged" || fail "the array's grades differ from the grades of one run"
say "$(find "$in" -name '*.ipynb' | wc -l) submissions of $(($(wc -l <"$merged/grades.csv") - 1)) learners by $tasks tasks, one killed and requeued: the same bytes as in one run"
cat "$merged/grades.csv"

# Check that `same` fails for a missing grade, for a missing page and for no grades.
cp -r "$merged" "$dir/less"
sed -i '$d' "$dir/less/grades.csv"
if same "$one" "$dir/less" >"$dir/same.log" 2>&1; then fail "a missing grade went unnoticed"; fi
cp "$merged/grades.csv" "$dir/less/"
rm "$dir/less/feedback/ada.html"
if same "$one" "$dir/less" >"$dir/same.log" 2>&1; then fail "a missing page went unnoticed"; fi
mkdir "$dir/none"
if same "$dir/none" "$dir/none"; then fail "two folders without grades count as equal"; fi
# The job script must reject an array that does not begin at 1, and a job that is not an array.
if SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_COUNT=3 bash "$here/grade.sbatch" >"$dir/same.log" 2>&1; then
	fail "grade.sbatch accepts an array from 0"
fi
if env -u SLURM_ARRAY_TASK_ID bash "$here/grade.sbatch" >"$dir/same.log" 2>&1; then fail "grade.sbatch accepts a job without an array"; fi
