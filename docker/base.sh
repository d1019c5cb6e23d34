#!/usr/bin/env bash
# Makes the root file system that the Dockerfile starts from (Debian and Go),
# for a machine that reaches no image registry: Debian by debootstrap from the
# mirror this machine itself uses, Go by copying this machine's own.
#
#   docker/base.sh FOLDER        FOLDER is new or empty; needs root
#
# docker/image.sh calls it and turns the folder into an image.
#
#   HYPERPLANE_MIRROR   a Debian mirror; default: the one in apt's configuration
#   HYPERPLANE_SUITE    the Debian release; default: trixie
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }
die() { say "base.sh: $*"; exit 1; }

root=${1:-}
suite=${HYPERPLANE_SUITE:-trixie}
[ -n "$root" ] || die "give the folder to build in: docker/base.sh FOLDER"
[ "$(id -u)" = 0 ] || die "debootstrap needs root; run it as root, or use docker or podman with a registry"
command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"
command -v go >/dev/null || die "Go is not in PATH: the image gets this machine's Go, so install it first"
mkdir -p "$root"
root=$(cd "$root" && pwd)
[ -z "$(ls -A "$root")" ] || die "$root is not empty"

# The mirror of this machine: what apt itself would ask for Debian's main part.
# Security updates are another archive, and not every mirror carries one.
archive() { # archive LABEL -> its address, or nothing
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label && $3 == "main" { print $4; exit }'
}
# apt knows its archives only after its lists were fetched once.
[ -n "${HYPERPLANE_MIRROR:-}$(archive Debian)" ] || apt-get update -qq || true
mirror=${HYPERPLANE_MIRROR:-$(archive Debian)}
security=$(archive Debian-Security)
[ -n "$mirror" ] || die "apt's configuration names no Debian mirror; set HYPERPLANE_MIRROR to one"

# debootstrap mounts proc and sys inside, and leaves them there when it is
# interrupted: a later rm -rf would then reach into this machine.
unmount() {
	awk -v top="$root/" 'index($5, top) == 1 { print $5 }' /proc/self/mountinfo | sort -r |
		while read -r point; do umount "$point" || umount -l "$point"; done
}
trap unmount EXIT
trap 'exit 130' INT TERM

say "base: Debian $suite"
debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
	tail -n 20 "$root.log" >&2
	die "debootstrap failed; its whole log is $root.log"
}
rm -f "$root.log"
unmount

{
	echo "deb $mirror $suite main"
	echo "deb $mirror $suite-updates main"
	[ -z "$security" ] || echo "deb $security $suite-security main"
} >"$root/etc/apt/sources.list"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/var/log/*.log

say "base: $(go env GOVERSION)"
# Go's own tests (test) and the record of its old interfaces (api) are never
# read by a build.
mkdir -p "$root/usr/local/go"
tar -C "$(go env GOROOT)" --exclude=./test --exclude=./api -cf - . | tar -C "$root/usr/local/go" -xf - --no-same-owner
chmod -R u+w,a+rX "$root/usr/local/go"
