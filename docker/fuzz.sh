#!/usr/bin/env bash
# Runs every fuzz target, one after the other. `make fuzz` calls this script.
#
#   docker/fuzz.sh [PACKAGE…]     run the targets of these packages;
#                                 default ./toolkit/... ./exercises/... ./generate/...
#   FUZZTIME=5m docker/fuzz.sh    run each target for this time, or for a number of executions such as
#                                 1000x; default 30s
#
# If a target fails, the go command stores the failing input in testdata/fuzz beside the test. Commit
# the input together with the fix; `go test` then runs the input every time. The exit status is 1 if
# a target fails, if a package does not compile, or if there is no target.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export GOTOOLCHAIN=local GOFLAGS=-buildvcs=false
time=${FUZZTIME:-30s}
if ! [[ $time =~ ^([0-9]+x|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$ ]]; then
	echo "FUZZTIME is '$time': it must be a duration such as 30s or 5m, or a number of executions such as 1000x"
	exit 2
fi

packages=("$@")
if [ ${#packages[@]} -eq 0 ]; then
	for dir in toolkit exercises generate; do
		if [ -d "$dir" ]; then packages+=("./$dir/..."); fi
	done
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

failed=0 targets=0 seeds=()
row() { printf '%-62s %12s %6s  %s\n' "$@"; }
# seen DIR lists the stored inputs of the package in the folder DIR.
seen() { find "$1/testdata/fuzz" -type f 2>/dev/null | sort; }

list=$(go list -f '{{.ImportPath}} {{.Dir}}' "${packages[@]}") || exit 1
row target execs new result
while read -r package dir; do
	# -list compiles the tests, but does not run them.
	if ! names=$(go test -list '^Fuzz' "$package" 2>&1); then
		printf '%s\n' "$names"
		row "${package#*/*/*/}" - - 'does not compile'
		failed=$((failed + 1))
		continue
	fi
	mapfile -t names < <(grep -E '^Fuzz[^[:space:]]*$' <<<"$names")
	for name in "${names[@]}"; do
		targets=$((targets + 1))
		before=$(seen "$dir")
		for _ in 1 2; do
			status=0
			go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 1s "$package" >"$log" 2>&1 || status=$?
			# Before Go 1.27, a target sometimes fails when its time is over
			# (go.dev/issue/75804). Such a failure stores no input, so run the target a
			# second time.
			if [ "$status" -eq 0 ] || ! grep -qE '^ +context deadline exceeded$' "$log" ||
				[ "$(seen "$dir")" != "$before" ]; then break; fi
		done
		last=$(grep -E '^fuzz: elapsed: .*execs: ' "$log" | tail -n 1)
		execs=$(sed -nE 's/.*execs: ([0-9]+).*/\1/p' <<<"$last")
		new=$(sed -nE 's/.*new interesting: ([0-9]+).*/\1/p' <<<"$last")
		result=ok
		# A target that passes without any execution has tested nothing.
		if [ "$status" -eq 0 ] && [ "${execs:-0}" -eq 0 ]; then result='NOT RUN'; fi
		if [ "$status" -ne 0 ]; then result=FAILED; fi
		row "${package#*/*/*/} $name" "${execs:--}" "${new:--}" "$result"
		if [ "$result" != ok ]; then
			failed=$((failed + 1))
			sed 's/^/    /' "$log" | tail -n 60
			mapfile -t -O ${#seeds[@]} seeds < <(comm -13 <(printf '%s\n' "$before") <(seen "$dir"))
		fi
	done
done <<<"$list"

if [ $targets -eq 0 ]; then
	echo "no fuzz target in ${packages[*]}"
	exit 1
fi
echo "$targets targets, $failed failed, $time each"
if [ ${#seeds[@]} -gt 0 ]; then
	echo 'failing inputs that were stored; commit them with the fix:'
	printf '  %s\n' "${seeds[@]#"$PWD"/}"
fi
[ $failed -eq 0 ]
