# Configures a JupyterHub with DockerSpawner for a class on one machine. Each learner gets a container
# of the image, with limits on memory and processors, a persistent folder, and no network access.
#
#   HYPERPLANE_IMAGE     name of the image; default: hyperplane
#   HYPERPLANE_MEMORY    memory limit for each learner; default: 2G (README.md gives the reason)
#   HYPERPLANE_CPU       limit on processor cores for each learner; default: 1
#   HYPERPLANE_IDLE      seconds after which an idle server is stopped; default: 3600
#   HYPERPLANE_ADMINS    names of administrators, separated by commas
#
# Choose an authenticator in the file auth_config.py in this folder, which is loaded last. Without
# this file, nobody can log in.
import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821

c.JupyterHub.spawner_class = "dockerspawner.DockerSpawner"
c.JupyterHub.hub_ip = "0.0.0.0"
c.JupyterHub.hub_connect_ip = os.environ.get("HYPERPLANE_HUB", "hub")

c.DockerSpawner.image = os.environ.get("HYPERPLANE_IMAGE", "hyperplane")
c.DockerSpawner.pull_policy = "never"
# Use an internal network, which has no gateway, because notebooks need no network access.
c.DockerSpawner.network_name = os.environ.get("HYPERPLANE_NETWORK", "hyperplane")
c.DockerSpawner.use_internal_ip = True
c.DockerSpawner.remove = True
c.DockerSpawner.name_template = "hyperplane-{username}"
c.DockerSpawner.volumes = {"hyperplane-{username}": "/work"}
c.DockerSpawner.notebook_dir = "/work"
c.DockerSpawner.cmd = ["hub"]
c.DockerSpawner.extra_host_config = {
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges"],
    "read_only": True,
    "tmpfs": {"/tmp": "exec,size=1g"},
    "pids_limit": 512,
}
c.DockerSpawner.environment = {"GOMAXPROCS": "2", "GOPROXY": "off"}

c.Spawner.mem_limit = os.environ.get("HYPERPLANE_MEMORY", "2G")
c.Spawner.cpu_limit = float(os.environ.get("HYPERPLANE_CPU", "1"))
c.Spawner.start_timeout = 120
c.JupyterHub.concurrent_spawn_limit = 20
c.Authenticator.admin_users = {n for n in os.environ.get("HYPERPLANE_ADMINS", "").split(",") if n}

# jupyterhub-idle-culler stops servers that learners no longer use.
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable, "-m", "jupyterhub_idle_culler",
            "--timeout=" + os.environ.get("HYPERPLANE_IDLE", "3600"), "--cull-every=300",
        ],
    }
]

auth = Path(__file__).with_name("auth_config.py")
if auth.exists():
    load_subconfig(str(auth))  # noqa: F821
