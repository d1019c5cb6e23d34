# `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help setup gates ready demo site notebooks manifest lab quick check test test-image test-all judge fuzz bench bench-cell image push release trust clean

export GOTOOLCHAIN = local
# The generate command is built once and then run: `go run` would hide its exit
# status and keep signals from it.
generate = .tools/bin/generate
gates = .tools/bin/gates

help:
	@echo 'make demo       a first look: set up, run the tour, two lessons and an exercise, serve the course as pages'
	@echo 'make site       run all lessons and solved exercises, then make the pages and their compiler in out/site'
	@echo 'make lab        set up, copy the notebooks to work/, open Jupyter there'
	@echo 'make quick      what has changed since BASE or the last commit: format, vet, short tests (a minute)'
	@echo 'make check      before you send a change: lint, unit tests, every recorded answer, figures (10 minutes)'
	@echo 'make test       what CI runs first: check, and commands, race, lessons, class, pages (30 minutes)'
	@echo 'make test-image what CI runs after that: the image, both notebook front ends, a hub, Slurm (20 minutes)'
	@echo 'make test-all   before a release: everything exhaustively, and fuzzing (90 minutes)'
	@echo 'make judge      how well the exercises tell right answers from wrong ones, by their tests and by mutants'
	@echo 'make bench      compare the fits with scikit-learn, statsmodels, numpy and R, as far as they are installed (BENCH: flags of docker/bench/run.py)'
	@echo 'make bench-cell how long cells take in the notebook, compared with GoNB as it installs itself'
	@echo 'make setup      only the set-up: Jupyter, kernel, warm build cache, the generate command'
	@echo 'make notebooks  make notebooks/ again: notebooks, outputs of the lessons, picture of the README, manifest'
	@echo 'make manifest   record all figures again in the manifest, with which make test compares them'
	@echo 'make fuzz       every fuzz target for FUZZTIME (30s) each'
	@echo 'make image      build the container image, with docker, podman or buildah'
	@echo 'make release    make the files of the release TAG in out/release: notes, site, checksum; make push: push the image as IMAGE'
	@echo 'make clean      remove .tools/ and out/, but never work/'

setup:
	@docker/setup.sh

demo: setup
	@docker/demo.sh first

site: setup
	@[ "$$CI" != true ] || docker/setup.sh xz
	@docker/demo.sh all

notebooks: manifest
	@$(generate) notebooks
	@rm -rf .tools/made
	@$(generate) run notebooks/*.ipynb notebooks/lessons --out .tools/made/notebooks
	@$(generate) figures fig-prml-4.4 --out .tools/made
	@mkdir -p notebooks/images
	@cp -r .tools/made/notebooks/. notebooks/
	@cp .tools/made/fig-prml-4.4.png notebooks/images/

# The manifest omits PNG files. They are the largest files, and they show the same lines as the SVG
# files.
manifest: setup
	@rm -rf .tools/manifest
	@$(generate) figures --size page --format svg,pdf,csv,html --gallery=false --out .tools/manifest
	@mkdir -p toolkit/figures/testdata
	@cp .tools/manifest/manifest.json toolkit/figures/testdata/
	@rm -rf .tools/manifest

lab: setup
	@docker/setup.sh lab
	@$(generate) notebooks --work work
	@docker/lab.sh

gates:
	@mkdir -p .tools/bin
	@go build -buildvcs=false -o $(gates) ./docker/gates

quick: gates
	@$(gates) quick

check: setup gates
	@docker/setup.sh lint
	@$(gates) check

ready: setup gates
	@docker/setup.sh lab lint browser

test: ready
	@$(gates) test

test-image: ready
	@[ "$$CI" != true ] || docker/setup.sh hub slurm
	@$(gates) image

test-all: ready
	@$(gates) all

# JUDGE: ids of exercises, and flags.
judge:
	@mkdir -p .tools/bin
	@go build -buildvcs=false -o $(generate) ./generate
	@$(generate) judge $(JUDGE)

fuzz:
	@docker/fuzz.sh

# These Debian packages contain the peers: python3-sklearn python3-statsmodels libopenblas0-pthread
# r-base-core r-cran-mass r-cran-nnet r-cran-glmnet.
bench:
	@python3 docker/bench/run.py $(BENCH)

bench-cell: setup
	@$$(command -v /usr/bin/python3 || command -v python3) docker/bench/cells.py --stock

image:
	@docker/image.sh build

# IMAGE: registry/owner/name:tag.
push:
	@docker/image.sh push "$(IMAGE)"

# TAG: the version with a v.
release: setup
	@[ "$$CI" != true ] || docker/setup.sh xz
	@docker/release.sh "$(TAG)"

# In a container the clone belongs to a different user. git reads such a clone only if it is listed as
# safe.
trust:
	@git config --global --add safe.directory "$(CURDIR)"

clean:
	@if [ -x docker/image.sh ]; then docker/image.sh clean; fi
	rm -rf .tools out
