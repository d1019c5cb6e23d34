#!/usr/bin/env bash
# Makes the files of a release in out/release: the release notes from the changelog, the site with
# its compiler, and the site's checksum.
#
#   docker/release.sh v1.2.3             make all files
#   docker/release.sh v1.2.3 notes FILE  only print the notes of this version from the changelog FILE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
	printf '%s\n' "$*" >&2
	exit 1
}

# notes VERSION FILE prints the section of a version in a changelog.
notes() {
	awk -v head="## [$1]" '
		index($0, "## ") == 1 { on = index($0, head) == 1; next }
		on && (NF || seen)    { seen = 1; print }
		END                   { exit !seen }' "$2" || fail "$2 has no section ## [$1], or the section is empty: write there what users notice"
}

tag=${1:-} what=${2:-all}
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' toolkit/version.go)
[ "$tag" = "v$version" ] || fail "the tag is ${tag:-missing}, want v$version: the version in toolkit/version.go is $version"
if [ "$what" = notes ]; then
	notes "$version" "${3:-CHANGELOG.md}"
	exit
fi
rm -rf out/release
mkdir -p out/release
notes "$version" CHANGELOG.md >out/release/notes.md
docker/demo.sh all
# With these options, equal sites give archives with equal bytes.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C out -cf - site | gzip -9n >out/release/site.tar.gz
(cd out/release && sha256sum site.tar.gz >SHA256SUMS)
