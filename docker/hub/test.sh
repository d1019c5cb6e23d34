#!/usr/bin/env bash
# Starts a JupyterHub on this machine's loopback interface, with the dummy authenticator and the
# "simple" spawner, which starts local processes. A learner logs in, starts a server, runs a cell in
# the GoNB kernel and stops the server. The test also reads the settings for DockerSpawner, but does
# not run DockerSpawner. At the end it checks that no process is left.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
repo=$(cd "$here/../.." && pwd -P)
python=${HYPERPLANE_PYTHON:-/usr/bin/python3}
dir=$(mktemp -d "${TMPDIR:-/tmp}/hyperplane-hub-XXXXXX")
hub=

say() { printf '%s\n' "$*"; }
fail() {
	say "$*"
	tail -n 15 "$dir/hub.log" 2>/dev/null || true
	exit 1
}
# ours lists the processes that the hub has started, which all have this folder as their TMPDIR.
ours() { grep -lsxz "TMPDIR=$dir/tmp" /proc/[0-9]*/environ | cut -d/ -f3 || true; }
stop_hub() {
	[ -n "$hub" ] || return 0
	kill -TERM "$hub" 2>/dev/null || true
	timeout 20 tail --pid="$hub" -f /dev/null || true
	hub=
}
at_end() {
	local status=$?
	trap - EXIT
	stop_hub
	ours | xargs -r kill -KILL 2>/dev/null || true
	rm -rf "$dir"
	exit $status
}
trap at_end EXIT
trap 'exit 130' INT TERM

# ---- the settings for DockerSpawner -----------------------------------------

"$python" - "$here/jupyterhub_config.py" <<'PYTHON' || fail 'docker/hub/jupyterhub_config.py does not have the expected settings'
import sys
from traitlets.config import Config
c = Config()
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), {"get_config": lambda: c, "__file__": sys.argv[1]})
host = c.DockerSpawner.extra_host_config
assert c.JupyterHub.spawner_class == "dockerspawner.DockerSpawner"
assert c.Spawner.mem_limit == "2G" and c.Spawner.cpu_limit == 1.0
assert host["read_only"] and host["cap_drop"] == ["ALL"] and "exec" in host["tmpfs"]["/tmp"]
assert any(s["name"] == "idle-culler" and "--timeout=3600" in s["command"] for s in c.JupyterHub.services)
assert "delete:servers" in c.JupyterHub.load_roles[0]["scopes"]
assert "authenticator_class" not in c.JupyterHub, "the configuration must not choose an authenticator"
PYTHON

# ---- start the hub ----------------------------------------------------------

port=$((20000 + RANDOM % 10000 * 4))
url=http://127.0.0.1:$port
mkdir -p "$dir/tmp" "$dir/run" "$dir/home"
cat >"$dir/config.py" <<-CONFIG
	c = get_config()
	c.JupyterHub.bind_url = "$url"
	c.JupyterHub.hub_bind_url = "http://127.0.0.1:$((port + 1))"
	c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:$((port + 2))"
	c.ConfigurableHTTPProxy.pid_file = "$dir/run/proxy.pid"
	c.JupyterHub.db_url = "sqlite:///$dir/run/hub.sqlite"
	c.JupyterHub.cookie_secret_file = "$dir/run/cookie_secret"
	c.JupyterHub.authenticator_class = "dummy"
	c.DummyAuthenticator.password = "lambda"
	c.JupyterHub.spawner_class = "simple"
	c.SimpleLocalProcessSpawner.home_dir_template = "$dir/home/{username}"
	c.Spawner.args = ["--allow-root"]
	c.Spawner.ip = "127.0.0.1"
	c.Spawner.env_keep = ["PATH", "TMPDIR", "JUPYTER_PATH", "LANG", "GOCACHE", "GOMODCACHE", "GOPATH", "GOTOOLCHAIN", "GOPROXY"]
	c.Spawner.environment = {"HOME": "$dir/home", "GOPROXY": "off"}
CONFIG
# The learner has a new home folder. Use the existing caches of Go, because new caches in this
# home folder would be empty.
GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE) GOPATH=$(go env GOPATH)
export GOCACHE GOMODCACHE GOPATH GOTOOLCHAIN=local JUPYTER_PATH=$repo/.tools/share/jupyter
# Without NODE_PATH, Debian's proxy finds its modules only if it runs with Debian's node.
export NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs${NODE_PATH:+:$NODE_PATH}
unset CONFIGPROXY_AUTH_TOKEN
(cd "$dir/run" && TMPDIR=$dir/tmp exec jupyterhub --config="$dir/config.py") >"$dir/hub.log" 2>&1 &
hub=$!
for ((i = 0; ; i++)); do
	curl -sf --max-time 5 -o /dev/null "$url/hub/api/" && break
	kill -0 $hub 2>/dev/null && [ $i -lt 200 ] || fail 'JupyterHub does not start'
	sleep 0.2
done

learner() { "$python" "$here/client.py" "$url" "$@" 2>&1; }
cell=$'%noautoget\nimport "fmt"\nimport "gonum.org/v1/gonum/mat"\n%%\nfmt.Println("det is", mat.Det(mat.NewDense(2, 2, []float64{2, 1, 4, 1})))'
said=$(learner ada lambda <<<"$cell") || fail "ada: $said"
[[ $said == *'det is -2'* ]] || fail "ada's cell says: $said"
say 'a learner logs in, starts a server, and a cell runs through GoNB'

# ---- errors must be reported ------------------------------------------------

if said=$(learner eve sigma <<<"$cell"); then fail "a wrong password was accepted: $said"; fi
[[ $said == *'log-in answered'* ]] || fail "a wrong password gives the wrong message: $said"
if said=$(learner ada lambda <<<$'%noautoget\n%%\npanic("no")'); then fail "a cell that panics was not reported: $said"; fi
[[ $said == *'status error'* ]] || fail "a cell that panics gives the wrong message: $said"
say 'a wrong password and a cell that panics are reported'

stop_hub
for ((i = 0; i < 50; i++)); do
	[ -n "$(ours)" ] || break
	sleep 0.2
done
[ -z "$(ours)" ] || fail "the hub left processes behind: $(ours | xargs ps -o pid=,args= -p)"
say 'no process is left'
