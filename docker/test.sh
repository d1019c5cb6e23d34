#!/usr/bin/env bash
# Everything that CI runs, after the set-up: `make test`. Each gate is run though
# one before it failed; the last line counts Go tests and gates.
#
#   docker/test.sh [GATE…]     only these gates
# shellcheck disable=SC2030,SC2031 # counts is set aside in a subshell on purpose
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
repo=$PWD
export GOTOOLCHAIN=local GOFLAGS=-buildvcs=false PATH=$repo/.tools/bin:$PATH
generate=$repo/.tools/bin/generate
scratch=$(mktemp -d)
counts=$scratch/counts
group= # the process group of a go test that runs
trap '[ -z "$group" ] || kill -KILL -- "-$group" 2>/dev/null; rm -rf "$scratch"' EXIT

# ---- gates: each succeeds or prints why not ------------------------------

# gofmt itself exits 0 on a file that it would change.
gate_gofmt() {
	local bad
	bad=$(find . -name '.?*' -prune -o -type f -name '*.go' -print0 | xargs -0 gofmt -s -l 2>&1)
	[ -z "$bad" ] || {
		printf 'not formatted as gofmt -s does:\n%s\n' "$bad"
		return 1
	}
}

gate_vet() { go vet ./...; }
# Messages may begin with a letter of a formula: "N = 0: …".
gate_staticcheck() { staticcheck -checks inherit,-ST1005 ./...; }

# go.mod and go.sum of every module here are what its imports need.
gate_tidy() {
	local mod bad=0
	while IFS= read -r mod; do
		(cd "$(dirname "$mod")" && go mod tidy -diff) || {
			echo "$mod is not tidy: go mod tidy, in its folder"
			bad=1
		}
	done < <(find . -name '.?*' -prune -o -name go.mod -print)
	return $bad
}

# nested: the folders of the modules within this one that have tests.
nested() {
	find . -name '.?*' -prune -o -path './*/*' -name go.mod -print | while IFS= read -r mod; do
		[ -z "$(find "$(dirname "$mod")" -name '*_test.go' -print -quit)" ] || dirname "$mod"
	done | sort
}

# go_test ARG…: a line per package and whole output of those that fail. A skipped
# test fails it too, but for tests that root cannot run: in CI a skip hides that
# the kernel is missing. Counts go to $counts.
# The log goes through a file: a process that a test left behind would keep a pipe
# open for ever.
go_test() {
	local log=$scratch/log read=0 status=0
	: >"$log"
	set -m # a group of its own, to be ended as a whole
	HYPERPLANE_REQUIRE_KERNEL=1 go test -v "$@" >"$log" 2>&1 &
	group=$!
	set +m
	tail -n +1 -f -s 0.2 --pid=$group "$log" | awk -v counts="$counts" '
		/^=== (RUN|PAUSE|CONT|NAME)/ { next }
		/^[ \t]*--- PASS/ { passed++; next }
		/^[ \t]*--- FAIL/ { failed++ }
		/_test\.go:[0-9]+: (root may|\/proc is writable|only as a child of)/ { asRoot++; next } # the reason comes before the line that says SKIP
		/^[ \t]*--- SKIP/ && asRoot > 0 { asRoot--; next }
		/^[ \t]*--- SKIP/ { failed++; red = 1; print "SKIPPED, which is not allowed here: " $3 " " last; next }
		{ last = $0; kept[n++] = $0 }
		/\[no tests to run\]$/ { red = 1; print "NO TESTS to run in " $2 }
		/^(ok|\?|FAIL)[ \t]+[^ \t]/ {
			if ($1 == "FAIL") for (i = 0; i < n - 1; i++) print kept[i]
			print; n = asRoot = 0; last = ""
		}
		END {
			for (i = 0; i < n; i++) print kept[i]
			print passed + 0, failed + 0 >> counts
			exit red
		}' || read=1
	wait $group || status=1
	group=
	[ $((status + read)) -eq 0 ]
}

# The exercises' own tests are left to gate_judge, if that is to come.
gate_test() {
	local packages=(./...)
	[[ " ${gates[*]} " != *' judge '* ]] || mapfile -t packages < <(go list ./... | grep -vE '/exercises/(prml4/ex|alpaydin10/ex|lessons/lesson)[0-9]+$')
	go_test "${packages[@]}"
}
# The modules within this one, which bring what the toolkit must not depend on.
gate_modules() {
	local dir bad=0 n=0
	while IFS= read -r dir; do
		n=$((n + 1))
		(cd "$dir" && go vet ./... && staticcheck -checks inherit,-ST1005 ./... && go_test ./...) || {
			echo "the tests of the module in $dir fail"
			bad=1
		}
	done < <(nested)
	echo "$n modules"
	return $bad
}
# The exercises once more, judged as a class is graded: by the seed of a personal variant,
# with every recorded answer at the other end of a connection.
gate_variants() { HYPERPLANE_SEED=7 HYPERPLANE_PIPE=1 go_test ./exercises/...; }

# The models once more, with fuzz targets' seeds, on each path of the vector kernels but
# the processor's own, which gate_test takes.
gate_kernels() {
	local path bad=0
	for path in generic avx2; do
		HYPERPLANE_KERNEL=$path go_test ./toolkit/classify ./toolkit/internal/... || {
			echo "the path $path fails"
			bad=1
		}
	done
	return $bad
}

# How well the exercises' checks tell right answers from wrong ones.
gate_judge() { "$generate" judge --records "$scratch/native.json"; }
# And compiled for a browser, run by node: each right and each wrong answer of the tests
# earns the verdicts that it earns here, and nearly always the report, byte for byte.
gate_wasm() {
	here node || return 0
	local packages=(./exercises/prml4/... ./exercises/alpaydin10/... ./exercises/lessons/...)
	# Here is what gate_judge has recorded, if it was run before.
	{ [ -s "$scratch/native.json" ] || HYPERPLANE_JUDGE=$scratch/native.json go_test -count=1 "${packages[@]}"; } &&
		HYPERPLANE_JUDGE=$scratch/wasm.json GOOS=js GOARCH=wasm go_test -count=1 -timeout 40m -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" "${packages[@]}" &&
		same_reports "$scratch/native.json" "$scratch/wasm.json" 3000 20
}
# same_reports NATIVE WASM LEAST MOST: the records of the same tests, at least so many, in
# any order. In at most so many the words may differ: processors round the last digit of
# exp and of sums in their own ways, and a message names the worst of nearly equal faults.
same_reports() {
	local n differ others verdicts='s/,"(message|html)":"([^"\\]|\\.)*"//g'
	n=$(wc -l <"$1")
	others=$(diff <(sed -E "$verdicts" "$1" | sort) <(sed -E "$verdicts" "$2" | sort)) || {
		printf '%s\na verdict in a browser is another one than here\n' "$others"
		return 1
	}
	differ=$(comm -23 <(sort "$1") <(sort "$2") | wc -l)
	echo "$n verdicts are the same, and so are $((n - differ)) reports"
	if [ "$n" -lt "$3" ] || [ "$differ" -gt "$4" ]; then
		echo "want at least $3 verdicts, and at most $4 reports that differ"
		return 1
	fi
}

gate_race() (
	if ! command -v gcc >/dev/null && [ "${CI:-}" != true ]; then
		echo 'NOT RUN: the race detector needs gcc'
		return
	fi
	export CGO_ENABLED=1
	# Drawing is one goroutine, and slow under the detector; figures are drawn by several.
	go test -race -timeout 30m ./toolkit/datasets ./toolkit/internal/... ./toolkit/verify &&
		go_test -race -timeout 30m -run '^TestTogether$' ./generate/internal/manifest && go test -race -c -o "$scratch/race" ./toolkit/classify || return 1
	# The models' tests in two halves at a time: most of a test keeps one processor busy.
	local half halves=() bad=0 initials='^(Test|Fuzz|Example)[A-L]'
	for half in run skip; do
		(cd toolkit/classify && "$scratch/race" "-test.$half=$initials" -test.timeout 30m >"$scratch/race.$half" 2>&1) &
		halves+=($!)
	done
	for half in "${halves[@]}"; do wait "$half" || bad=1; done
	cat "$scratch"/race.{run,skip}
	return $bad
)
gate_sources() { "$generate" notebooks --check; }

# same_figures MANIFEST [ID…]: drawn anew, the figures are what it says.
same_figures() {
	"$generate" figures --check "$@" || {
		echo 'If the figures are to be as they are now: make manifest'
		return 1
	}
}
gate_figures() { same_figures toolkit/figures/testdata/manifest.json; }

# same_notebook COMMITTED FRESH: outputs and all.
same_notebook() {
	cmp -s "$1" "$2" || {
		diff -u "$1" "$2" | cut -c1-200 | head -n 40
		echo "$1 does not hold the outputs of a fresh run: make notebooks"
		return 1
	}
}
# The tour, the map and the lessons, run afresh, put out what is committed.
gate_lessons() {
	local lesson bad=0
	mapfile -t lessons < <(find notebooks -path notebooks/exercises -prune -o -name '*.ipynb' -print | sort)
	"$generate" run "${lessons[@]}" --out "$scratch/lessons" --brief || return 1
	for lesson in "${lessons[@]}"; do
		same_notebook "$lesson" "$scratch/lessons/${lesson#notebooks/}" || bad=1
	done
	return $bad
}

# Every solved exercise is Right in all its parts.
gate_solutions() { "$generate" run notebooks/exercises/solutions --brief; }

# What `make demo` does after the set-up. The site is made only if all its links lead
# somewhere, all formulas are set, and nothing is loaded from elsewhere.
gate_site() {
	docker/demo.sh || return 1
	grep -q 'class="hyperplane-chart"' out/site/tour.html && grep -q 'assets/charts/.*\.js' out/site/tour.html || {
		echo 'the tour on the site has no interactive chart'
		return 1
	}
}

# The README's commands, as they stand there, on folders of their own.
gate_readme() {
	local line status bad=0 n=0
	"$generate" notebooks --work "$scratch/work" >/dev/null || return 1
	mkdir -p "$scratch/out"
	printf 'id,name\nada,Ada Lovelace\n' >"$scratch/out/roster.csv"
	printf 'func LambdaSquared() float64 { return math.Pi / 8 }\n' >"$scratch/work/answer.go"
	while IFS= read -r line; do
		line=${line// out\// $scratch/out/}
		line=${line// work\// $scratch/work/}
		line=${line/go run .\/generate/$generate}
		status=0
		[[ $line != *' grade '* ]] || cp -r "$scratch/out/course/release" "$scratch/out/hand-ins"
		# shellcheck disable=SC2086 # the words of a command
		$line >"$scratch/said" 2>&1 || status=$?
		n=$((n + 1))
		# A learner's notebook that nobody has worked on is not passed.
		if [ $status -ne 0 ] && ! { [[ $line == *' run '* ]] && [ $status -eq 1 ]; }; then
			printf '%s: exit status %d\n%s\n' "$line" $status "$(cat "$scratch/said")"
			bad=1
		fi
	done < <(grep -oE '^go run \./generate [^#]*' README.md)
	[ $n -gt 0 ] || { echo 'the README has no command'; return 1; }
	echo "$n commands of the README"
	return $bad
}

# A learner's notebook as it comes: every part not attempted, never a pass, and no
# cell that ends otherwise than well.
gate_stubs() {
	local learner other verdicts status=0
	mapfile -t learner < <(find notebooks/exercises -path '*/solutions' -prune -o -name '*.ipynb' -print | sort)
	"$generate" run --json "${learner[@]}" >"$scratch/stubs.json" || status=$?
	other=$(grep -o '"outcome": "[A-Za-z]*"' "$scratch/stubs.json" | sort | uniq -c)
	if [ $status -ne 1 ] || [[ $other != *NotAttempted* ]] || [ "$(wc -l <<<"$other")" -ne 1 ]; then
		printf 'want exit status 1 and nothing but NotAttempted, found %d and\n%s\n' $status "$other"
		return 1
	fi
	verdicts=$(grep -o '"verdict": "[A-Za-z]*"' "$scratch/stubs.json" | cut -d'"' -f4 | sort -u | paste -sd' ')
	if [ "$verdicts" != 'NotPassed OK' ]; then
		printf 'want no verdict but NotPassed and OK, found %s\n' "$verdicts"
		return 1
	fi
	echo "${#learner[@]} notebooks not passed, every part not attempted: ${other//  /}"
}

# A class of hostile hand-ins, graded, and what that takes: throughput and memory are
# shown, and no bound is set to them.
gate_class() {
	local status=0
	HYPERPLANE_FIGURES=$scratch/class-figures go_test -tags classtest -timeout 40m -run '^Test(ClassOf(HandIns|Exercises)|Given|MessagesGiveNothingAway)$' ./generate || status=1
	cat "$scratch/class-figures"
	return $status
}
# here PROGRAM… reports whether all are installed; in CI they must be.
here() {
	local name
	for name; do
		if ! command -v "$name" >/dev/null && [ "${CI:-}" != true ]; then
			echo "NOT RUN: no $name here (docker/setup.sh hub slurm)"
			return 1
		fi
	done
}
# A learner at a hub on this machine; what must fail there does.
gate_hub() { ! here jupyterhub configurable-http-proxy || docker/hub/test.sh; }
# An array on a Slurm of its own; what must fail there does.
gate_slurm() { ! PATH=$PATH:/usr/sbin here sbatch munged slurmctld || PATH=$PATH:/usr/sbin docker/slurm/test.sh; }

gate_image() {
	if [ "${CI:-}" != true ] && ! command -v podman >/dev/null && ! command -v buildah >/dev/null && ! docker info >/dev/null 2>&1; then
		echo 'NOT RUN: no docker, podman or buildah here to build the image with'
		return
	fi
	docker/image.sh test
}

# Answers judged in the pages of exercises, by the compiler in the page, in Chromium.
# Without its tag the package tests nothing of that.
solved_in() { HYPERPLANE_PLAY_SITE=$1 HYPERPLANE_PLAY_CACHE=$repo/.tools/reuse HYPERPLANE_SCREENSHOTS=$repo/out/play-shots go_test -tags playtest -count=1 -timeout 40m ./generate/internal/play; }
gate_play() {
	mkdir -p .tools/reuse
	"$generate" site --out out/play --reuse .tools/reuse && solved_in "$repo/out/play"
}

# A reader's way through the notebooks, in both front ends, and through the site, seen
# by Chromium.
gate_browser() {
	if [ "${CI:-}" != true ] && ! command -v podman >/dev/null && ! command -v buildah >/dev/null && ! docker info >/dev/null 2>&1; then
		echo 'NOT RUN: no docker, podman or buildah here for the image with JupyterLab'
		return
	fi
	local before status=0
	before=$(cat "$counts" 2>/dev/null | wc -l)
	rm -rf out/browser
	docker/image.sh build && docker/demo.sh >/dev/null || return 1
	HYPERPLANE_FRONTENDS=1 HYPERPLANE_SITE=$repo/out/site HYPERPLANE_SCREENSHOTS=$repo/out/browser go_test -count=1 -timeout 40m ./generate/internal/frontends || status=1
	# Without its variable the package passes and tests nothing.
	tail -n +$((before + 1)) "$counts" | awk '$1 < 5 { exit 1 }' || {
		echo 'hardly a test was run'
		status=1
	}
	echo "$(find out/browser -name '*.png' 2>/dev/null | wc -l) screenshots in out/browser"
	return $status
}

# What a change asks for while one works, in about two minutes: the format of the
# changed files, vet and the short tests of their packages, go.mod. Changed is what
# differs from BASE, or from the last commit, or on a clean tree from the one before.
gate_quick() {
	local base=${BASE:-HEAD} file dir files formatted=() packages=() modules
	mapfile -t modules < <(nested)
	git rev-parse -q --verify "$base^{commit}" >/dev/null || base=$(git hash-object -t tree /dev/null)
	[ -n "$(git status --porcelain)" ] || [ -n "${BASE:-}" ] || base=HEAD~1
	mapfile -t files < <({ git diff --name-only --diff-filter=d "$base" && git ls-files -o --exclude-standard; } | sort -u)
	for file in "${files[@]}"; do
		[[ $file == *.go && $file != *testdata* ]] && formatted+=("$file")
		dir=$(dirname "$file")
		# A text or a file of testdata belongs to the package above it.
		while [ "$dir" != . ] && { [[ $dir == *testdata* ]] || ! compgen -G "$dir/*.go" >/dev/null; }; do dir=$(dirname "$dir"); done
		[[ " ${modules[*]} " == *" ./$dir "* ]] && continue # a module of its own: gate_modules
		compgen -G "$dir/*.go" >/dev/null && packages+=("./$dir")
	done
	mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u | grep .)
	echo "${#files[@]} files differ from $base, of ${#packages[@]} packages"
	file=$(printf '%s\n' "${formatted[@]}" | xargs -r gofmt -s -l)
	[ -z "$file" ] || { printf 'not formatted as gofmt -s does:\n%s\n' "$file" && return 1; }
	go mod tidy -diff || return 1
	if [ ${#packages[@]} -gt 0 ]; then
		go vet "${packages[@]}" && go test -short "${packages[@]}" || return 1
	fi
	go run ./generate notebooks --check # the pages name lines of the sources
}

# Gates that cannot fail are worth nothing: each goes red, and says the right
# thing, on what it is there to stop.
gate_red() {
	local dir=$scratch/red bad=0
	red() { # NAME WANT FILE LINES COMMAND…
		local name=$1 want=$2 file=$3 lines=$4 said
		shift 4
		mkdir -p "$dir/$name"
		printf 'module red\n\ngo 1.26\n' >"$dir/$name/go.mod"
		printf '%s\n' "$lines" >"$dir/$name/$file"
		if said=$(cd "$dir/$name" && counts=/dev/null && "$@" 2>&1) || [[ $said != *$want* ]]; then
			printf '%s did not stop what it is there to stop; it said:\n%s\n' "$name" "$said"
			bad=1
		fi
	}
	red gofmt red.go red.go $'package red\n\nvar  X = 1' gate_gofmt
	red vet 'wrong type' red.go $'package red\n\nimport "fmt"\n\nfunc F() { fmt.Printf("%d", "x") }' gate_vet
	red staticcheck U1000 red.go $'package red\n\nfunc unused() {}' gate_staticcheck
	red tidy '-require gonum.org/v1/gonum v0.17.0' go.mod $'module red\n\ngo 1.26\n\nrequire gonum.org/v1/gonum v0.17.0' gate_tidy
	red test 'not this' red_test.go $'package red\n\nimport "testing"\n\nfunc TestX(t *testing.T) { t.Error("not this") }' gate_test
	red skip 'SKIPPED, which is not allowed here: TestX' red_test.go \
		$'package red\n\nimport "testing"\n\nfunc TestX(t *testing.T) { t.Skip("kernel: no GoNB") }' gate_test
	red subtest 'SKIPPED, which is not allowed here: TestX/y' red_test.go \
		$'package red\n\nimport "testing"\n\nfunc TestX(t *testing.T) {\n\tt.Run("y", func(t *testing.T) { t.Skip("needs a Python") })\n}' gate_test
	red none 'NO TESTS to run in red' red_test.go $'package red\n\nimport "testing"\n\nfunc TestX(t *testing.T) {}' go_test -run '^TestY$' .
	inner() {
		mkdir inner && printf 'module inner\n\ngo 1.26\n' >inner/go.mod
		printf 'package inner\n\nimport "testing"\n\nfunc TestX(t *testing.T) { t.Error("not this") }\n' >inner/red_test.go
		gate_modules
	}
	red modules 'the tests of the module in ./inner fail' red.go 'package red' inner
	kernels() { # a model that is wrong on one path
		mkdir -p toolkit/classify toolkit/internal/x && mv red_test.go toolkit/classify && printf 'package x\n' >toolkit/internal/x/x.go && gate_kernels
	}
	red kernels 'the path avx2 fails' red_test.go \
		$'package classify\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestX(t *testing.T) {\n\tif os.Getenv("HYPERPLANE_KERNEL") == "avx2" {\n\t\tt.Error("not this")\n\t}\n}' kernels
	quick() { git init -q . && gate_quick; }
	red quick 'not this' red_test.go $'package red\n\nimport "testing"\n\nfunc TestX(t *testing.T) { t.Error("not this") }' quick
	red quickvet 'wrong type' red.go $'package red\n\nimport "fmt"\n\nfunc F() { fmt.Printf("%d", "x") }' quick
	red quickformat red.go red.go $'package red\n\nvar  X = 1' quick
	red tour 'does not hold the outputs' tour.ipynb 'other outputs' same_notebook tour.ipynb "$repo/notebooks/tour.ipynb"
	unplayable() { (cd "$repo" && go_test -tags playtest -run '^TestBuild$' ./generate/internal/play); }
	red wasm 'a verdict in a browser is another one' page.json '{"passed":true,"html":"1"}' same_reports page.json <(echo '{"passed":false,"html":"1"}') 1 1
	red words 'at most 0 reports that differ' page.json '{"passed":true,"html":"\"1"}' same_reports page.json <(echo '{"passed":true,"html":"2\\"}') 1 0
	red few 'at least 2 verdicts' page.json '{"passed":true}' same_reports page.json page.json 2 0
	HYPERPLANE_PLAY_SITE=$dir/play red play 'play.json: no such file' index.html 'a site without a compiler' unplayable
	local manifest=$repo/toolkit/figures/testdata/manifest.json
	red figures 'fig-prml-4.9.svg: bytes differ' manifest.json \
		"$(sed 's/"sha256": "[0-9a-f]\{8\}/"sha256": "00000000/' "$manifest")" same_figures manifest.json fig-prml-4.9
	red numbers 'fig-prml-4.9: numbers differ' manifest.json \
		"$(sed 's/"numbers": "[0-9a-f]\{8\}/"numbers": "00000000/' "$manifest")" same_figures manifest.json fig-prml-4.9
	red catalogue 'fig-prml-4.9: is not in the manifest' manifest.json \
		"$(sed 's/"fig-prml-4\.9/"fig-prml-4.99/' "$manifest")" same_figures manifest.json fig-prml-4.9
	return $bad
}

# The set-up says what to install where it may not or cannot, and a second one
# does nothing.
gate_setup() {
	local fake=$scratch/fake tool bad=0
	mkdir -p "$fake"/{all,user,root}
	for tool in bash env dirname id awk paste mkdir cat flock sed sort head tail sha256sum cut mktemp rm; do
		ln -sf "$(command -v "$tool")" "$fake/all/$tool"
	done
	printf '#!/bin/sh\necho 1000\n' >"$fake/user/id"
	printf '#!/bin/sh\nexit 1\n' >"$fake/user/apt-get"
	printf '#!/bin/sh\necho 0\n' >"$fake/root/id"
	printf '#!/bin/sh\necho the mirror is gone\nexit 100\n' >"$fake/root/apt-get"
	chmod +x "$fake"/{user,root}/*
	stops() { # WANT PATH STEP
		local said
		if said=$(env -i "PATH=$2" HYPERPLANE_PYTHON=/nonexistent "HYPERPLANE_TOOLS=$fake/tools" docker/setup.sh "$3" 2>&1) || [[ $said != *$1* ]]; then
			printf 'want a set-up that stops with "%s", got:\n%s\n' "$1" "$said"
			bad=1
		fi
	}
	stops 'sudo apt-get update && sudo apt-get install --no-install-recommends python3-nbclient' "$fake/user:$fake/all" packages
	stops 'the mirror is gone' "$fake/root:$fake/all" packages
	stops 'apt-get install --no-install-recommends python3-nbclient' "$fake/root:$fake/all" packages
	stops 'there is no apt here' "$fake/all" packages
	stops 'sudo apt-get update && sudo apt-get install --no-install-recommends chromium' "$fake/user:$fake/all" browser
	stops 'the mirror is gone' "$fake/root:$fake/all" browser
	stops 'sudo apt-get update && sudo apt-get install --no-install-recommends jupyterhub' "$fake/user:$fake/all" hub
	stops 'install --no-install-recommends slurm-wlm' "$fake/user:$fake/all" slurm
	stops 'Go is not installed' "$fake/all" tools
	stops 'unknown step' "$fake/all" everything
	local said
	if ! docker/setup.sh >"$scratch/setup.log" 2>&1; then
		cat "$scratch/setup.log"
		bad=1
	elif ! said=$(docker/setup.sh 2>&1) || grep -qE 'building|registered|compiling|installing' <<<"$said"; then
		printf 'a second set-up fails, or does something again:\n%s\n' "$said"
		bad=1
	fi
	return $bad
}

# ---- run them ------------------------------------------------------------

[ $# -gt 0 ] || set -- gofmt vet staticcheck tidy red setup sources figures test modules kernels variants judge wasm race class lessons solutions site readme stubs hub slurm play image browser
passed=0 failed=0 wrong=()
for gate; do
	printf '\n== %s\n' "$gate"
	began=$SECONDS
	if "gate_$gate"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		wrong+=("$gate")
		echo "FAILED: $gate"
	fi
	echo "($((SECONDS - began)) s)"
done
while read -r p f; do passed=$((passed + p)) failed=$((failed + f)); done < <(cat "$counts" 2>/dev/null)
printf '\n'
[ ${#wrong[@]} -eq 0 ] || echo "failed: ${wrong[*]}"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
