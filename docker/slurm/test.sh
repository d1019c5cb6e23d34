#!/usr/bin/env bash
# Runs grade.sbatch on a Slurm of its own, on this machine's loopback: one task of the
# array is killed in the middle and requeued, and the merged grades must be those of a
# run without Slurm, byte for byte. Takes root; leaves nothing behind.
#
#   HYPERPLANE_GRADE   the command that grades; default: stand-in.sh
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
dir=$(mktemp -d "${TMPDIR:-/tmp}/hyperplane-slurm-XXXXXX")
export HYPERPLANE_GRADE=${HYPERPLANE_GRADE:-$here/stand-in.sh}
read -ra grade <<<"$HYPERPLANE_GRADE"
tasks=3
pids=()

say() { printf '%s\n' "$*"; }
fail() {
	say "$*"
	tail -n 8 "$dir"/*.log 2>/dev/null || true
	exit 1
}

# The daemons here are children of this script, each in a session of its own: with it go
# the tasks that they started.
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
	# Who still has this folder in its command line belongs to the test.
	for pid in $(grep -lsF "$dir" /proc/[0-9]*/cmdline | cut -d/ -f3); do
		[ "$pid" = $$ ] || kill -KILL "$pid" 2>/dev/null || true
	done
	rm -rf "$dir"
	exit $status
}
trap at_end EXIT
trap 'exit 130' INT TERM

# until_true SECONDS COMMAND…
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
	# A requeued task waits until its old credential has expired: 120 s by default, 5 at
	# the least.
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
	# More tasks at once than this machine has cores, where it has few.
	echo "SlurmdParameters=config_overrides" >>"$SLURM_CONF"
	daemon slurmctld -D
	daemon slurmd -D
	until_true 30 sh -c 'sinfo -h -o %T | grep -q idle' || fail "no node of Slurm became idle: $(sinfo -h 2>&1)"
}

# state TASK: what Slurm says of a task of the array.
state() { scontrol show job -o "${job}_$1" | grep -o 'JobState=[A-Z]*' | cut -d= -f2; }
has_state() { [ "$(state "$1")" = "$2" ]; }

# same GRADES GRADES: the same bytes, and not none.
same() { [ -s "$1" ] && cmp "$1" "$2"; }

[ "$(id -u)" = 0 ] || fail "root is needed to start Slurm's daemons"
for i in $(seq 1 15); do
	mkdir -p "$dir/hand-ins/learner-$i"
	echo "$i" >"$dir/hand-ins/learner-$i/prml-4.25.ipynb"
done
printf 'id,name\n' >"$dir/roster.csv"
arguments=("$dir/hand-ins" --roster "$dir/roster.csv")

STAND_IN_SECONDS=0 "${grade[@]}" "${arguments[@]}" --out "$dir/one" >/dev/null
"${grade[@]}" --merge --out "$dir/one"

start_slurm
out=$dir/array
job=$(cd "$dir" && STAND_IN_SECONDS=1 sbatch --parsable --mem=100 "--array=1-$tasks" "$here/grade.sbatch" "${arguments[@]}" --out "$out")
until_true 30 test -s "$dir/grade-${job}_2.log" || fail "task 2 graded nothing: $(squeue -h 2>&1)"
victim=$(pgrep -o -f -- "$out --shard 2/$tasks") || true
[ -n "$victim" ] || fail "found no process of task 2"
kill -KILL "$victim"
until_true 20 has_state 2 FAILED || fail "task 2 was killed, and Slurm says $(state 2)"
[ ! -e "$out/shard-2-of-$tasks.csv" ] || [ "${grade[0]}" != "$here/stand-in.sh" ] || fail "task 2 had ended before it was killed"
if "${grade[@]}" --merge --out "$out" >"$dir/merge.log" 2>&1; then fail "a shard is missing, and was merged all the same"; fi
scontrol requeue "${job}_2"
for task in $(seq 1 $tasks); do
	until_true 60 has_state "$task" COMPLETED || fail "task $task is not done: $(scontrol show job -o "${job}_$task")"
done
"${grade[@]}" --merge --out "$out"
same "$dir/one/grades.csv" "$out/grades.csv" || fail "the array's grades differ from those of one run"
say "$(($(wc -l <"$out/grades.csv") - 1)) grades of $tasks tasks, one killed and requeued: the same bytes as in one run"

# The comparison would be worth nothing if it could not fail.
sed '$d' "$out/grades.csv" >"$dir/less.csv"
if same "$dir/one/grades.csv" "$dir/less.csv" >"$dir/same.log" 2>&1; then fail "a grade less went unnoticed"; fi
: >"$dir/none.csv"
if same "$dir/none.csv" "$dir/none.csv"; then fail "no grades at all went unnoticed"; fi
# The job script stops an array that does not begin at 1, and a run that is no array.
if SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_COUNT=3 bash "$here/grade.sbatch" >"$dir/same.log" 2>&1; then
	fail "an array from 0 went unnoticed"
fi
if env -u SLURM_ARRAY_TASK_ID bash "$here/grade.sbatch" >"$dir/same.log" 2>&1; then fail "a job without an array went unnoticed"; fi
