#!/usr/bin/env bash
# Makes a root file system with Debian and Go, which can replace the base image of the Dockerfile on
# a machine that cannot reach an image registry. debootstrap installs Debian from the mirror that
# this machine uses. Go is a copy of this machine's Go.
#
#   docker/base.sh FOLDER        FOLDER must be new or empty; needs root
#
# docker/image.sh calls this script and makes an image from the folder.
#
#   HYPERPLANE_MIRROR   a Debian mirror; default: the mirror in apt's configuration
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

# archive LABEL prints the address from which apt loads the section main of the archive with this
# label, or nothing. The archive of security updates is separate, and some mirrors lack it.
archive() {
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label && $3 == "main" { print $4; exit }'
}
# apt can list its archives only after `apt-get update` has run once.
[ -n "${HYPERPLANE_MIRROR:-}$(archive Debian)" ] || apt-get update -qq || true
mirror=${HYPERPLANE_MIRROR:-$(archive Debian)}
security=$(archive Debian-Security)
[ -n "$mirror" ] || die "apt's configuration names no Debian mirror; set HYPERPLANE_MIRROR to one"

# unmount unmounts everything below the folder. debootstrap mounts proc and sys there, and does not
# unmount them if it is interrupted. A later rm -rf could then delete files of this machine.
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
# Omit the folders test (Go's own tests) and api (a record of old interfaces), which no build reads.
mkdir -p "$root/usr/local/go"
tar -C "$(go env GOROOT)" --exclude=./test --exclude=./api -cf - . | tar -C "$root/usr/local/go" -xf - --no-same-owner
chmod -R u+w,a+rX "$root/usr/local/go"
