#!/usr/bin/env bash
# Builds, tests and runs the container image of this repository, with docker, podman or buildah.
# buildah is used if neither docker nor podman runs; apt then installs it, which needs root.
#
#   docker/image.sh build           build the image hyperplane, unless it is up to date
#   docker/image.sh test            build the image and test it
#   docker/image.sh run [ARG…]      build the image and run it with ./work and ./out mounted. Without
#                                   ARG it serves Jupyter; docker/entrypoint.sh lists the arguments
#   docker/image.sh push NAME       build the image and push it to a registry as host/owner/name:tag.
#                                   If REGISTRY_USER is set, log in with REGISTRY_PASSWORD first
#   docker/image.sh clean           remove the files of buildah in .tools/image
#
#   HYPERPLANE_ENGINE    docker, podman or buildah; default: the first that works
#   HYPERPLANE_BASE      base image; default: golang:1.26-trixie from a registry, or, if no registry
#                        can be reached, an image that docker/base.sh makes
#   HYPERPLANE_PORT      port on which `run` serves Jupyter; default: 8888
#   HYPERPLANE_WORK      the learner's folder that `run` mounts; default: ./work
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
state=$repo/.tools/image # images of buildah, logs, and temporary folders of the tests
label=hyperplane.inputs
suite=1.26-trixie
cd "$repo"

say() { printf '%s\n' "$*" >&2; }
die() {
	printf '\n%s\n' "$*" >&2
	exit 1
}

# Commands to run when the script ends or is interrupted, last command first.
undo=()
at_end() {
	local status=$? i
	for ((i = ${#undo[@]} - 1; i >= 0; i--)); do eval "${undo[i]}" >/dev/null 2>&1 || true; done
	exit $status
}
trap at_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# step TITLE COMMAND… prints the title, runs the command and prints its duration.
step() {
	local title=$1 from=$SECONDS
	shift
	say "· $title"
	"$@"
	say "  $((SECONDS - from)) s"
}

# ---- engines -------------------------------------------------------------

# works ENGINE succeeds if the engine answers. An installed client alone is not enough.
works() { command -v "$1" >/dev/null 2>&1 && timeout 20 "$1" info >/dev/null 2>&1; }

find_engine() {
	engine=${HYPERPLANE_ENGINE:-}
	if [ -z "$engine" ]; then
		if works docker; then
			engine=docker
		elif works podman; then
			engine=podman
		else
			engine=buildah
		fi
	fi
	case $engine in
	docker | podman) name=hyperplane ;;
	buildah)
		name=localhost/hyperplane
		[ "$(id -u)" = 0 ] || die "Neither docker nor podman answers. Start one of them, or run this as root: buildah then builds without an engine."
		install_buildah
		choose_storage
		;;
	*) die "invalid HYPERPLANE_ENGINE=$engine: want docker, podman or buildah" ;;
	esac
	undo+=(remove_containers)
	say "engine: $engine${driver:+ ($driver)}"
}

install_buildah() {
	local missing='' tool
	for tool in buildah debootstrap curl ip; do command -v $tool >/dev/null || missing+=" $tool"; done
	[ -n "$missing" ] || return 0
	command -v apt-get >/dev/null || die "Missing:$missing. Install them, or docker or podman, with your system's package manager."
	mkdir -p "$state"
	step "installing by apt:$missing" apt_install buildah debootstrap debian-archive-keyring curl iproute2
}
apt_install() {
	{ DEBIAN_FRONTEND=noninteractive apt-get update &&
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"; } \
		>"$state/apt.log" 2>&1 || {
		tail -n 15 "$state/apt.log" >&2
		die "apt could not install $*"
	}
}

# choose_storage uses the storage driver overlay if the file system supports it. With overlay, images
# share their common layers. Otherwise (for example on a different overlay) it uses the driver vfs,
# which copies about a gigabyte for each image.
choose_storage() {
	local probe
	mkdir -p "$state"
	probe=$(mktemp -d "$state/probe.XXXXXX")
	mkdir "$probe"/{lower,upper,work,merged}
	driver=vfs
	if mount -t overlay overlay -o "lowerdir=$probe/lower,upperdir=$probe/upper,workdir=$probe/work" "$probe/merged" 2>/dev/null; then
		umount "$probe/merged"
		driver=overlay
	fi
	rm -rf "$probe"
	buildah=(env BUILDAH_ISOLATION=chroot "STORAGE_DRIVER=$driver" buildah --root "$state/$driver" --runroot "$state/$driver.run")
}

b() { "${buildah[@]}" "$@"; }

# remove_containers removes all containers of this process, whose names contain its process id.
remove_containers() {
	local container
	case $engine in
	buildah) b containers --format '{{.ContainerName}}' ;;
	*) "$engine" ps --all --format '{{.Names}}' ;;
	esac | grep "^hyperplane-$$-" | while read -r container; do
		case $engine in
		buildah)
			end_processes "$container"
			b umount "$container"
			b rm "$container"
			;;
		*) "$engine" rm --force "$container" ;;
		esac
	done
}
# end_processes CONTAINER kills the processes of a container of buildah, which can outlive the
# container's first process. It finds them by the container's name in their environment.
end_processes() {
	local process
	for process in /proc/[0-9]*; do
		if grep -qzx "HYPERPLANE_CONTAINER=$1" "$process/environ" 2>/dev/null; then
			kill -KILL "${process#/proc/}" 2>/dev/null || true
		fi
	done
}
new_name() { echo "hyperplane-$$-$RANDOM$RANDOM"; }

# labelled IMAGE prints the hash of the image's inputs from its label, or nothing.
labelled() {
	case $engine in
	buildah) b inspect --type image --format "{{index .OCIv1.Config.Labels \"$label\"}}" "$1" 2>/dev/null || true ;;
	*) "$engine" image inspect --format "{{index .Config.Labels \"$label\"}}" "$1" 2>/dev/null || true ;;
	esac
}

# digest IMAGE prints the image's digest in a registry. For an image made on this machine it prints
# the image's id.
digest() {
	local found=''
	case $engine in
	buildah) found=$(b inspect --type image --format '{{.FromImageDigest}}' "$1" 2>/dev/null) ;;
	*) found=$("$engine" image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$1" 2>/dev/null | sed -n 's/.*@//p;q') ||
		found='' ;;
	esac
	if [ -z "$found" ] && [ "$engine" = buildah ]; then
		found=sha256:$(b images --no-trunc --format '{{.ID}}' "$1" 2>/dev/null | sed 's/^sha256://;q')
	elif [ -z "$found" ]; then
		found=$("$engine" image inspect --format '{{.Id}}' "$1" 2>/dev/null) || true
	fi
	printf '%s' "$found"
}

# ---- build ---------------------------------------------------------------

# inputs prints the hash of the base image and of all files that the build can copy into the image.
# .dockerignore first lists the files and folders that are included, and then exceptions.
inputs() {
	local admitted
	mapfile -t admitted < <(sed -n 's/^!//p' .dockerignore)
	{
		echo "$base $(labelled "$base")"
		find "${admitted[@]}" Dockerfile .dockerignore -type f -not -path '*/.ipynb_checkpoints/*' \
			-not -name 'progress.json*' -not -name '.progress.json.*' |
			awk 'NR == FNR { if (/^(docker|generate)\//) out[$0]; next }
				{ for (o in out) if ($0 == o || index($0, o "/") == 1) next; print }' .dockerignore - |
			LC_ALL=C sort | xargs -d '\n' sha256sum
	} | sha256sum | cut -d' ' -f1
}

find_base() {
	base=${HYPERPLANE_BASE:-}
	[ -z "$base" ] || return 0
	base=golang:$suite
	if [ "$engine" != buildah ]; then
		"$engine" image inspect "docker.io/library/$base" >/dev/null 2>&1 && return
		say "· pulling $base"
		if timeout 600 "$engine" pull -q "docker.io/library/$base" >/dev/null; then
			return
		fi
		say "  not found in a registry"
	fi
	base=localhost/golang:$suite
	local want
	want=$({ go version && cat docker/base.sh; } | sha256sum | cut -d' ' -f1)
	[ "$(labelled "$base")" = "$want" ] || step "making $base from this machine's Go and Debian's packages" make_base "$want"
}

make_base() {
	if [ "$engine" = buildah ]; then
		local container folder
		container=$(b from --name "$(new_name)" scratch)
		folder=$(b mount "$container")
		docker/base.sh "$folder"
		b umount "$container" >/dev/null
		b config --label "$label=$1" "$container"
		b commit -q "$container" "$base" >/dev/null
		b rm "$container" >/dev/null
		return
	fi
	local folder
	mkdir -p "$state"
	folder=$(mktemp -d "$state/base.XXXXXX")
	undo+=("rm -rf --one-file-system '$folder'")
	docker/base.sh "$folder"
	tar -C "$folder" -cf - . | "$engine" import --change "LABEL $label=$1" - "$base" >/dev/null
	rm -rf --one-file-system "$folder"
}

build() {
	local now stale='' options=()
	find_base
	now=$(inputs)
	if [ "$(labelled "$name")" = "$now" ]; then
		say "image: $name is up to date"
		return
	fi
	mkdir -p "$state"
	[ "$engine" != buildah ] || stale=$(b images -q "$name" 2>/dev/null || true)
	# The build uses this machine's Go module proxy and certificates, because the network may only be
	# reachable through a proxy with its own certificate.
	options=(--build-arg "BASE=$base" --build-arg "GOPROXY=$(go env GOPROXY 2>/dev/null || true)" --label "$label=$now" -t "$name"
		--label "org.opencontainers.image.base.name=$base" --label "org.opencontainers.image.base.digest=$(digest "$base")"
		--label "hyperplane.modules=$(awk '/gonb v|gopls v|gonum v|plot v/ { print $1 "@" $2 }' go.mod docker/tools/go.mod | sort -u | paste -sd' ')"
		--label "hyperplane.packages=/usr/share/doc/hyperplane/packages.txt"
		--label "org.opencontainers.image.licenses=MIT, and those in /usr/share/doc/hyperplane/LICENSES.txt")
	local certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
	if [ "$engine" != docker ] && [ -f "$certificates" ]; then
		# Do not mount over /etc/ssl/certs in the image, because apt must install certificates there.
		options+=(--volume "$(dirname "$certificates"):/hostcerts:ro" --build-arg "SSL_CERT_FILE=/hostcerts/$(basename "$certificates")")
	fi
	case $engine in
	docker) step "building $name" logged docker build --progress=plain "${options[@]}" . ;;
	podman) step "building $name" logged podman build --layers "${options[@]}" . ;;
	buildah) # with vfs, each cached layer would be a full copy of the layers below it
		[ "$driver" = vfs ] || options+=(--layers)
		step "building $name" logged b bud "${options[@]}" .
		;;
	esac
	case $engine in
	buildah)
		# Remove the previous image, except for the layers that the new image shares with it.
		[ -z "$stale" ] || b rmi "$stale" >/dev/null 2>&1 || true
		b images --format '{{.Name}}:{{.Tag}} {{.Size}}' "$name" >&2
		;;
	*) "$engine" images --format '  {{.Repository}}:{{.Tag}} {{.Size}}' "$name" >&2 ;;
	esac
}

# logged COMMAND… runs a build and writes its output to a file. It prints the steps of the build with
# the elapsed seconds and, if the build fails, the end of the output.
logged() {
	local log=$state/build.log from=$SECONDS line
	"$@" 2>&1 | tee "$log" | while IFS= read -r line; do
		case $line in
		*"STEP "*[0-9]:*" RUN "* | *"STEP "*[0-9]:*" FROM "* | *"STEP "*[0-9]:*" COPY "* | '#'*' ['*'/'*'] '*)
			printf '  %4d s  %.100s\n' $((SECONDS - from)) "$line" >&2
			;;
		esac
	done || {
		tail -n 40 "$log" >&2
		die "The build failed; its whole log is ${log#"$repo"/}."
	}
}

# ---- containers ----------------------------------------------------------

# inside [--offline] [--user U] [--mount HOST:INSIDE[:ro]] [--env K=V] [--port P] -- ARG…
# runs the image's entrypoint with the arguments and returns its exit status.
inside() {
	local offline='' user='' port='' status=0 options=()
	while [ "$1" != -- ]; do
		case $1 in
		--offline) offline=yes && shift && continue ;;
		--user) user=$2 ;;
		--mount) options+=(--volume "$2") ;;
		--env) options+=(--env "$2") ;;
		--port) port=$2 ;;
		*) die "inside: $1" ;;
		esac
		shift 2
	done
	shift
	[ -z "$user" ] || options+=(--user "$user")
	if [ "$engine" != buildah ]; then
		[ -z "$offline" ] || options+=(--network none)
		[ -z "$port" ] || options+=(--publish "127.0.0.1:$port:8888" --env "HYPERPLANE_PUBLISHED=$port")
		[ ! -t 0 ] || [ ! -t 1 ] || options+=(--tty)
		if [ "$engine" = podman ]; then
			options+=(--security-opt label=disable)
			[ -z "$user" ] || [ "$(id -u)" = 0 ] || options+=(--userns keep-id)
		fi
		"$engine" run --rm --interactive --name "$(new_name)" "${options[@]}" "$name" "$@"
		return
	fi
	# With buildah's chroot isolation, the container uses this machine's network. A server in it
	# listens on this machine's loopback interface. With --offline, the container gets a network
	# namespace in which only the loopback interface is up.
	[ -z "$port" ] || options+=(--env "HYPERPLANE_PORT=$port" --env "HYPERPLANE_PUBLISHED=$port" --env HYPERPLANE_IP=127.0.0.1)
	local container
	container=$(b from --pull=never --name "$(new_name)" "$name")
	set -- "${buildah[@]}" run "${options[@]}" --env "HYPERPLANE_CONTAINER=$container" \
		"$container" /usr/bin/tini -s -g -- /opt/hyperplane/docker/entrypoint.sh "$@"
	# shellcheck disable=SC2016 # expanded by the inner shell
	[ -z "$offline" ] || set -- unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"
	"$@" || status=$?
	end_processes "$container"
	b rm "$container" >/dev/null
	return $status
}

# ---- run, clean ----------------------------------------------------------

run() {
	local work=${HYPERPLANE_WORK:-$repo/work}
	local options=(--user "$(id -u):$(id -g)" --mount "$work:/work" --mount "$repo/out:/out")
	build
	mkdir -p "$work" out
	say ""
	case ${1:-lab} in
	lab) options+=(--port "${HYPERPLANE_PORT:-8888}") ;;
	esac
	inside "${options[@]}" -- "$@"
}

# clean unmounts everything below .tools/image before it deletes the folder. Otherwise it could delete
# folders of this machine that are mounted there.
clean() {
	local point
	[ -d "$state" ] || return 0
	awk -v top="$state/" 'index($5, top) == 1 { print $5 }' /proc/self/mountinfo | sort -r |
		while read -r point; do umount "$point"; done
	rm -rf --one-file-system "$state"
}

push() {
	local tool=("$engine")
	[ "$engine" != buildah ] || tool=("${buildah[@]}")
	if [ -n "${REGISTRY_USER:-}" ]; then
		printf '%s' "${REGISTRY_PASSWORD:-}" | "${tool[@]}" login --username "$REGISTRY_USER" --password-stdin "${1%%/*}"
	fi
	"${tool[@]}" tag "$name" "$1"
	"${tool[@]}" push "$1"
}

case "${1:-}" in
build)
	find_engine
	build
	;;
test)
	find_engine
	build
	# shellcheck source=docker/image-test.sh
	. docker/image-test.sh
	;;
run)
	shift
	find_engine
	run "$@"
	;;
push)
	[[ "${2:-}" == */*:* ]] || die "push wants a name such as registry.example/owner/hyperplane:v1.2.3, found \"${2:-}\""
	find_engine
	build
	push "$2"
	;;
clean) clean ;;
*)
	sed -n '2,/^set -/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	[ "${1:-help}" = help ] || exit 2
	;;
esac
