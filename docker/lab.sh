#!/usr/bin/env bash
# What `make lab` does after the set-up: opens JupyterLab, or the classic notebook
# where there is no JupyterLab, on the learner's folder work/.
#   LAB_ARGS            more options for Jupyter, such as --no-browser --port=9999
#   HYPERPLANE_WORK     another folder than work/
#   HYPERPLANE_SERVER   another server: jupyter-notebook where there is JupyterLab too
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export JUPYTER_PATH=$PWD/.tools/share/jupyter${JUPYTER_PATH:+:$JUPYTER_PATH}
python=${HYPERPLANE_PYTHON:-}
if [ -n "${HYPERPLANE_SERVER:-}" ]; then
	server=("$HYPERPLANE_SERVER")
elif [ -n "$python" ] && "$python" -c 'import jupyterlab' >/dev/null 2>&1; then
	server=("$python" -m jupyterlab)
elif [ -n "$python" ] && "$python" -c 'import notebook' >/dev/null 2>&1; then
	server=("$python" -m notebook)
elif command -v jupyter-lab >/dev/null 2>&1; then
	server=(jupyter-lab)
elif command -v jupyter-notebook >/dev/null 2>&1; then
	server=(jupyter-notebook)
else
	echo 'No notebook server is installed: run docker/setup.sh lab.' >&2
	exit 1
fi
# JupyterLab asks nobody for news, and no reader whether it may.
case ${server[*]} in *jupyter-lab | *jupyterlab) server+=(--LabApp.news_url=None) ;; esac
# The classic Notebook in the style of docker/custom, unless you have one of your own.
if [ "${server[0]}" = jupyter-notebook ] && [ ! -e "${JUPYTER_CONFIG_DIR:-$HOME/.jupyter}/custom" ]; then
	server+=("--NotebookApp.tornado_settings=static_custom_path=$PWD/docker/custom")
fi
[ "$(id -u)" != 0 ] || server+=(--allow-root)

# A kernel that is stopped while it starts leaves its gopls behind, with hundreds
# of megabytes, and its folder. Whoever outlives Jupyter here is ended.
folder=$(mktemp -d "${TMPDIR:-/tmp}/hyperplane-lab-XXXXXX")
(
	trap '' INT TERM HUP
	while kill -0 $$ 2>/dev/null; do sleep 0.5; done
	grep -lsxz "TMPDIR=$folder" /proc/[0-9]*/environ | cut -d/ -f3 | xargs -r kill -KILL || true
	rm -rf "$folder"
) </dev/null >/dev/null 2>&1 &
export TMPDIR=$folder

cd "${HYPERPLANE_WORK:-work}"
# shellcheck disable=SC2086 # several options
exec "${server[@]}" ${LAB_ARGS:-} tour.ipynb
