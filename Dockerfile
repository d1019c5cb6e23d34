# The container image: GoNB, headless Jupyter, JupyterLab and the compiled toolkit. docker/image.sh
# builds, tests and runs the image; docker/README.md explains how.
#
# BASE is an image of Debian trixie with Go 1.26 in /usr/local/go. If no registry can be reached,
# docker/image.sh makes such an image with docker/base.sh.
ARG BASE=golang:1.26-trixie

# ---- the kernel and the tools that it calls, at the versions of docker/tools/go.mod ----
FROM ${BASE} AS tools
# These arguments can name your own module proxy and a file with your own certificates. They must not
# contain passwords, because the image's history shows them.
ARG GOPROXY
ARG SSL_CERT_FILE
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CGO_ENABLED=0 GOENV=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local
WORKDIR /src/tools
COPY docker/tools/ ./
# Install the tools, and copy the licences of all modules that they contain, one folder per module.
RUN set -eu; \
    GOBIN=/tools/bin ./install.sh -trimpath -ldflags='-s -w' tool; \
    go list -deps -f '{{with .Module}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}' tool | sort -u | while read -r module dir; do \
        [ -n "$dir" ] || continue; \
        mkdir -p "/tools/doc/$module"; \
        find "$dir" -maxdepth 1 -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents*' \) \
            -exec cp {} "/tools/doc/$module/" \;; \
    done; \
    go clean -cache -modcache

# ---- Debian, Jupyter and Go modules come first, because they rarely change ----
FROM ${BASE}
ARG GOPROXY
ARG SSL_CERT_FILE
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CGO_ENABLED=0 GOENV=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local \
    GOPATH=/opt/go GOCACHE=/opt/gocache LANG=C.UTF-8

# Unpack the package jupyterlab, but do not install it: that would add 500 node packages (0.9 GB),
# which a server of ready-built pages never reads. Install only the packages that its Python code
# imports. Treat jupyterhub in the same way, because a container at a hub runs only its single-user
# server.
COPY docker/packages.txt /opt/hyperplane/docker/
RUN set -eu; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt="apt-get -q -o APT::Sandbox::User=root ${SSL_CERT_FILE:+-o Acquire::https::CAInfo=$SSL_CERT_FILE}"; \
    $apt update; \
    $apt install -y --no-install-recommends \
        $(awk '!/^#/ && NF && $2 != "lab" { print $1 }' /opt/hyperplane/docker/packages.txt) \
        ca-certificates tini jupyter-core python3-jupyter-server python3-jupyterlab-server \
        python3-notebook-shim python3-async-lru python3-httpx; \
    $apt install -y --no-install-recommends \
        $(apt-cache depends jupyterhub | awk '$1 == "Depends:" && $2 ~ /^python3-/ && !/notebook/ { print $2 }'); \
    cd /tmp; \
    $apt download jupyterlab jupyterhub; \
    dpkg-deb -x jupyterlab_*.deb /; \
    dpkg-deb -x jupyterhub_*.deb /; \
    python3 -m compileall -q /usr/lib/python3/dist-packages/jupyterlab /usr/lib/python3/dist-packages/jupyterhub; \
    rm -rf jupyterlab_*.deb jupyterhub_*.deb /etc/jupyterhub /lib/systemd/system/jupyterhub.service /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/*.log /var/log/apt \
        /usr/share/jupyter/lab/static/*.map /usr/share/nodejs /usr/share/man /usr/share/info /usr/share/locale; \
    find /usr/share/doc -type f ! -name copyright -delete; \
    mkdir -p /usr/share/doc/hyperplane; \
    dpkg-query --show >/usr/share/doc/hyperplane/packages.txt

# Prevent JupyterLab from asking other hosts for news or extensions. Remove the notebook shim: it
# reads settings of the old notebook server, and here it only prints a warning at each start.
RUN set -eu; \
    rm -f /etc/jupyter/jupyter_server_config.d/notebook_shim.json; \
    mkdir -p /etc/jupyter/labconfig; \
    printf '%s\n' '{"LabApp": {"extension_manager": "readonly", "log_level": "WARN"}}' \
        >/etc/jupyter/jupyter_lab_config.json; \
    printf '%s\n' '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}' \
        >/etc/jupyter/labconfig/page_config.json

COPY --from=tools /tools/bin/ /usr/local/bin/
COPY --from=tools /tools/doc/ /usr/share/doc/hyperplane/tools/

# Download the modules. Then delete their archives, which no build reads again, and the videos in
# GoNB's documentation. This saves half a gigabyte.
WORKDIR /opt/hyperplane
COPY go.mod go.sum ./
RUN set -eu; \
    go mod download; \
    find "$GOPATH/pkg/mod/cache/download" -name '*.zip' -delete; \
    rm -rf "$GOPATH"/pkg/mod/github.com/janpfeifer/gonb@*/docs; \
    mkdir -p "$GOCACHE"; \
    chmod -R a+rwX "$GOPATH" "$GOCACHE"; \
    useradd --uid 1000 --create-home --shell /bin/bash jovyan; \
    mkdir -p /work /out; \
    chmod a+rwx /home/jovyan /work /out

# ---- the toolkit ----
# setup.sh puts the kernel into the folder share/jupyter of HYPERPLANE_TOOLS. In /usr/local, Jupyter
# finds this folder for every user and every home folder.
ENV HYPERPLANE_TOOLS=/usr/local HYPERPLANE_PYTHON=/usr/bin/python3
COPY . /opt/hyperplane/
# Any user may run the image, so every user may write to the caches. The command is built without
# debug data, like the cells, so that both share the compiled packages in the build cache.
RUN set -eu; \
    docker/setup.sh kernel warm; \
    go build -tags=osusergo,netgo -gcflags=all=-dwarf=false -ldflags='-s -w' -o /usr/local/bin/hyperplane ./generate; \
    hyperplane licences --out /usr/share/doc/hyperplane; \
    rm -rf /usr/local/stamp /usr/local/lock /root/.cache /root/.config; \
    find "$GOPATH/pkg/mod/cache/download" -name '*.zip' -delete; \
    find "$GOPATH/pkg/mod/cache" "$GOCACHE" ! -perm -a+w -exec chmod a+rwX {} +

ENV HOME=/home/jovyan
USER jovyan
# Build the image only if a notebook runs without root and without a module proxy, and if a class can
# be graded. Grading also puts the packages of the answers' programs into the build cache, which may be
# read-only later.
RUN set -eu; \
    proof=$(find notebooks/exercises/solutions -name '*.ipynb' | sort | head -n 1); \
    test -n "$proof"; \
    GOPROXY=off hyperplane run --out /tmp/proof "$proof"; \
    rm -rf /tmp/proof; \
    mkdir /tmp/proof; \
    printf 'id,name\nada,Ada\n' >/tmp/proof/roster.csv; \
    hyperplane class /tmp/proof/roster.csv --exercises prml-4.25 --out /tmp/proof/course; \
    hyperplane grade /tmp/proof/course/key --class /tmp/proof/course --out /tmp/proof/grades --no-isolation; \
    grep -x 'ada,Ada,,1,1,1,0' /tmp/proof/grades/grades.csv; \
    rm -rf /tmp/proof

WORKDIR /work
EXPOSE 8888
# For a container that serves Jupyter. A container that runs a command has usually ended before the
# first health check.
HEALTHCHECK --start-period=30s --interval=30s --timeout=5s CMD ["/opt/hyperplane/docker/entrypoint.sh", "health"]
ENTRYPOINT ["/usr/bin/tini", "-s", "-g", "--", "/opt/hyperplane/docker/entrypoint.sh"]
