#!/bin/sh
# Installs tools that go.mod lists. The arguments are the arguments of `go install`:
#
#   docker/tools/install.sh [FLAG…] PACKAGE…
#
# The script builds gonb from a copy of its sources, to which it adds calls of the package
# uncompiled. Without these calls, the program of a cell could not know that an earlier cell did not
# compile.
set -eu
cd "$(dirname "$0")"
go mod download github.com/janpfeifer/gonb
gonb=$(go list -m -f '{{.Dir}}' github.com/janpfeifer/gonb)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/gonb"
for part in "$gonb"/*; do
	case $part in */docs | */examples) continue ;; esac # omit videos and notebooks of 60 MB
	cp -R "$part" "$copy/gonb/"
done
chmod -R u+w "$copy/gonb"
file=internal/goexec/execcode.go
awk '
	/^import \($/ {
		print $0 "\n\t\"github.com/hyperplane-notebooks/hyperplane/docker/tools/uncompiled\""; n++; next
	}
	/err := s\.executeCellImpl\(params/ {
		print "\t\t\tbefore := s.Definitions\n" $0
		print "\t\t\tif s.Definitions == before {\n\t\t\t\tuncompiled.Add(s.TempDir, params.lines)\n\t\t\t}"; n++; next
	}
	/^\ts\.Definitions = updatedDecls$/ {
		print "\tuncompiled.Remove(s.TempDir, lines)\n" $0; n++; next
	}
	{ print }
	END { exit n != 3 }' "$gonb/$file" >"$copy/gonb/$file" || {
	echo "docker/tools/install.sh: GoNB's $file has changed: adapt the lines that this script adds to the file" >&2
	exit 1
}
cp go.mod "$copy/go.mod"
cp go.sum "$copy/go.sum"
go mod edit "-replace=github.com/janpfeifer/gonb=$copy/gonb" "$copy/go.mod"
go install "-modfile=$copy/go.mod" "$@"
