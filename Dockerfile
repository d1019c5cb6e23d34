# hyperplane in a container: GoNB, headless Jupyter and JupyterLab, the toolkit
# compiled. docker/README.md tells how to build and run it; docker/image.sh does.
#
# BASE is any Debian trixie with Go 1.26 in /usr/local/go; where no registry is
# reached, docker/base.sh makes one.
ARG BASE=golang:1.26-trixie

# ---- the kernel and what it calls, at the versions of docker/tools/go.mod ----
FROM ${BASE} AS tools
# For a module proxy or certificates of your own. An image's history shows such
# arguments, so no passwords.
ARG GOPROXY
ARG SSL_CERT_FILE
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CGO_ENABLED=0 GOENV=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local
WORKDIR /src/tools
COPY docker/tools/ ./
# The licences of what the tools are made of come with them, a folder a module.
RUN set -eu; \
    GOBIN=/tools/bin ./install.sh -trimpath -ldflags='-s -w' tool; \
    go list -deps -f '{{with .Module}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}' tool | sort -u | while read -r module dir; do \
        [ -n "$dir" ] || continue; \
        mkdir -p "/tools/doc/$module"; \
        find "$dir" -maxdepth 1 -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents*' \) \
            -exec cp {} "/tools/doc/$module/" \;; \
    done; \
    go clean -cache -modcache

# ---- Debian, Jupyter, Go modules: what changes seldom comes first ----
FROM ${BASE}
ARG GOPROXY
ARG SSL_CERT_FILE
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CGO_ENABLED=0 GOENV=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local \
    GOPATH=/opt/go GOCACHE=/opt/gocache LANG=C.UTF-8

# Of the package jupyterlab only the files are wanted: installing it brings 500
# node packages, 0.9 GB, that a server of ready-built pages never reads. So what
# its python part imports is installed, and the package itself only unpacked. So with
# jupyterhub, of which a container at a hub runs the single-user server alone.
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

# Lab asks no other host for news or extensions. The shim is for settings of the
# notebook server of old, and all it does here is warn about itself at each start.
RUN set -eu; \
    rm -f /etc/jupyter/jupyter_server_config.d/notebook_shim.json; \
    mkdir -p /etc/jupyter/labconfig; \
    printf '%s\n' '{"LabApp": {"extension_manager": "readonly", "log_level": "WARN"}}' \
        >/etc/jupyter/jupyter_lab_config.json; \
    printf '%s\n' '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}' \
        >/etc/jupyter/labconfig/page_config.json

COPY --from=tools /tools/bin/ /usr/local/bin/
COPY --from=tools /tools/doc/ /usr/share/doc/hyperplane/tools/

# The modules, without the archives they came in, which no build reads again,
# and without the films in GoNB's documentation: half a gigabyte less.
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
# setup.sh puts the kernel below HYPERPLANE_TOOLS, and Jupyter looks for kernels
# in /usr/local/share/jupyter whoever the user is and wherever the home is.
ENV HYPERPLANE_TOOLS=/usr/local HYPERPLANE_PYTHON=/usr/bin/python3
COPY . /opt/hyperplane/
# Any user may run it, so any user may write to the caches. The command is built of the
# packages without debug data that cells are, which the cache then holds once.
RUN set -eu; \
    docker/setup.sh kernel warm; \
    go build -tags=osusergo,netgo -gcflags=all=-dwarf=false -ldflags='-s -w' -o /usr/local/bin/hyperplane ./generate; \
    hyperplane licences --out /usr/share/doc/hyperplane; \
    rm -rf /usr/local/stamp /usr/local/lock /root/.cache /root/.config; \
    find "$GOPATH/pkg/mod/cache/download" -name '*.zip' -delete; \
    find "$GOPATH/pkg/mod/cache" "$GOCACHE" ! -perm -a+w -exec chmod a+rwX {} +

ENV HOME=/home/jovyan
USER jovyan
# Proof that a notebook needs no network and no root: without it there is no image. So with
# a class; what compiles its answers is in the build cache then, which may be read-only
# where it is graded.
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
# Of a container that serves; one that runs a command has ended before it is asked.
HEALTHCHECK --start-period=30s --interval=30s --timeout=5s CMD ["/opt/hyperplane/docker/entrypoint.sh", "health"]
ENTRYPOINT ["/usr/bin/tini", "-s", "-g", "--", "/opt/hyperplane/docker/entrypoint.sh"]
