#!/usr/bin/env bash
# Behaves as the grader does towards an array, for the test of the job script: grades are
# points made from the bytes of each hand-in, slowly.
#
#   stand-in.sh HAND-INS --roster FILE --out DIR [--shard i/n]    grades them, or one shard
#   stand-in.sh --merge --out DIR                                 DIR/grades.csv from the shards
#
# A shard's grades appear whole or not at all, and hand-ins that were graded before a
# shard was interrupted are not graded again.
set -euo pipefail
hand_ins='' out='' shard=1/1 merge=''
while [ $# -gt 0 ]; do
	case $1 in
	--out) out=$2 && shift 2 ;;
	--roster) shift 2 ;;
	--shard) shard=$2 && shift 2 ;;
	--merge) merge=yes && shift ;;
	-*) echo "stand-in.sh: $1" >&2 && exit 2 ;;
	*) hand_ins=$1 && shift ;;
	esac
done
i=${shard%/*} n=${shard#*/}
header='id,exercise,points'

if [ -n "$merge" ]; then
	shopt -s nullglob
	shards=("$out"/shard-*-of-*.csv)
	[ ${#shards[@]} -gt 0 ] || { echo "stand-in.sh: no shard is in $out" >&2 && exit 1; }
	n=${shards[0]##*-of-} && n=${n%.csv}
	for ((i = 1; i <= n; i++)); do
		[ -f "$out/shard-$i-of-$n.csv" ] || { echo "stand-in.sh: shard $i of $n is missing" >&2 && exit 1; }
	done
	[ "${#shards[@]}" = "$n" ] || { echo "stand-in.sh: ${#shards[@]} files of $n shards" >&2 && exit 1; }
	{ echo "$header" && cat "${shards[@]}" | LC_ALL=C sort; } >"$out/grades.csv"
	exit
fi

mkdir -p "$out"
part=$out/.part-$i-of-$n
touch "$part"
number=0
while IFS= read -r file; do
	number=$((number + 1))
	[ $((number % n)) = $((i % n)) ] || continue
	key=${file%.ipynb} && key=${key//\//,}
	# A line that an interruption cut short has no end.
	grep -qxE "$key,[0-9]+" "$part" && continue
	sleep "${STAND_IN_SECONDS:-0.3}"
	printf '%s,%d\n' "$key" $((16#$(sha256sum <"$hand_ins/$file" | cut -c1-4) % 101)) >>"$part"
	echo "$key"
done < <(cd "$hand_ins" && find . -name '*.ipynb' -printf '%P\n' | LC_ALL=C sort)
grep -xE '[^,]+,[^,]+,[0-9]+' "$part" >"$part.whole" || true
mv "$part.whole" "$out/shard-$i-of-$n.csv"
