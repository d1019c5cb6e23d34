#!/usr/bin/env bash
# Opens the learner's folder work/ in JupyterLab, or in the classic Notebook if JupyterLab is not
# installed. `make lab` calls this script after the set-up.
#   LAB_ARGS            more options for Jupyter, such as --no-browser --port=9999
#   HYPERPLANE_WORK     folder to open in place of work/
#   HYPERPLANE_SERVER   server to start, such as jupyter-notebook even if JupyterLab is installed
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
# JupyterLab would otherwise ask each user for permission to load news from the internet.
case ${server[*]} in *jupyter-lab | *jupyterlab) server+=(--LabApp.news_url=None) ;; esac
# Use the style in docker/custom for the classic Notebook, unless the user has a custom style.
if [ "${server[0]}" = jupyter-notebook ] && [ ! -e "${JUPYTER_CONFIG_DIR:-$HOME/.jupyter}/custom" ]; then
	server+=("--NotebookApp.tornado_settings=static_custom_path=$PWD/docker/custom")
fi
[ "$(id -u)" != 0 ] || server+=(--allow-root)

# If a kernel is stopped while it starts, its gopls, which uses hundreds of megabytes, and its
# temporary folder remain. When Jupyter has ended, kill every process that has this TMPDIR.
folder=$(mktemp -d "${TMPDIR:-/tmp}/hyperplane-lab-XXXXXX")
(
	trap '' INT TERM HUP
	while kill -0 $$ 2>/dev/null; do sleep 0.5; done
	grep -lsxz "TMPDIR=$folder" /proc/[0-9]*/environ | cut -d/ -f3 | xargs -r kill -KILL || true
	rm -rf "$folder"
) </dev/null >/dev/null 2>&1 &
export TMPDIR=$folder

cd "${HYPERPLANE_WORK:-work}"
# shellcheck disable=SC2086 # LAB_ARGS contains several options
exec "${server[@]}" ${LAB_ARGS:-} tour.ipynb
