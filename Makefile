# make help lists what there is to make.
.DEFAULT_GOAL := help
.PHONY: help setup demo site notebooks manifest lab quick test class-test browser judge fuzz bench bench-cell image clean

export GOTOOLCHAIN = local
# The generate command is built once and then run: `go run` would hide its exit
# status and keep signals from it.
generate = .tools/bin/generate

help:
	@echo 'make demo       set up, run the tour, two lessons and an exercise, make the course as pages: out/site/index.html'
	@echo 'make site       the same with all lessons and all solved exercises run'
	@echo 'make lab        set up, lay the notebooks into work/, open Jupyter there'
	@echo 'make quick      format, vet, tidy and short tests of what has changed, since BASE or the last commit'
	@echo 'make test       everything that CI runs'
	@echo 'make browser    the notebooks in the classic Notebook and in JupyterLab, in a real browser, with screenshots in out/browser'
	@echo 'make class-test what a class of hostile hand-ins earns, is killed and goes on, in shards'
	@echo 'make judge      how well the exercises tell right answers from wrong ones, by their tests and by mutants'
	@echo 'make bench      the fits beside those of scikit-learn, statsmodels, numpy and R, as far as they are installed (BENCH: flags of docker/bench/run.py)'
	@echo 'make bench-cell how long cells take in the notebook, beside GoNB as it installs itself'
	@echo 'make setup      only the set-up: kernel tools, Jupyter, kernel, warm build cache'
	@echo 'make notebooks  make notebooks/ anew: sources, outputs of the lessons, picture of the README, manifest'
	@echo 'make manifest   make the figures'"'"' manifest anew, against which make test compares them'
	@echo 'make fuzz       every fuzz target for FUZZTIME (30s) each'
	@echo 'make image      build the container image, with docker, podman or buildah'
	@echo 'make clean      remove what the others made, but never work/'

setup:
	@docker/setup.sh
	@go build -buildvcs=false -o $(generate) ./generate

demo: setup
	@docker/demo.sh

site: setup
	@docker/demo.sh all

notebooks: manifest
	@$(generate) notebooks
	@rm -rf .tools/made
	@$(generate) run notebooks/*.ipynb notebooks/lessons --out .tools/made/notebooks
	@$(generate) figures fig-prml-4.4 --out .tools/made
	@mkdir -p notebooks/images
	@cp -r .tools/made/notebooks/. notebooks/
	@cp .tools/made/fig-prml-4.4.png notebooks/images/

# No PNG: its bytes are the most, and its lines are those of the SVG.
manifest: setup
	@rm -rf .tools/manifest
	@$(generate) figures --size page --format svg,pdf,csv,html --gallery=false --out .tools/manifest
	@mkdir -p toolkit/figures/testdata
	@cp .tools/manifest/manifest.json toolkit/figures/testdata/
	@rm -rf .tools/manifest

lab: setup
	@$(generate) notebooks --work work
	@docker/lab.sh

quick:
	@docker/test.sh quick

test: setup
	@docker/setup.sh lint browser
	@[ "$$CI" != true ] || docker/setup.sh hub slurm
	@docker/test.sh

browser: setup
	@docker/setup.sh browser
	@docker/test.sh browser

class-test:
	@docker/test.sh class

# JUDGE: ids of exercises, and flags.
judge:
	@mkdir -p .tools/bin
	@go build -buildvcs=false -o $(generate) ./generate
	@$(generate) judge $(JUDGE)

fuzz:
	@docker/fuzz.sh

# Debian has the peers: python3-sklearn python3-statsmodels libopenblas0-pthread
# r-base-core r-cran-mass r-cran-nnet.
bench:
	@python3 docker/bench/run.py $(BENCH)

bench-cell: setup
	@$$(command -v /usr/bin/python3 || command -v python3) docker/bench/cells.py --stock

image:
	@docker/image.sh build

clean:
	@if [ -x docker/image.sh ]; then docker/image.sh clean; fi
	rm -rf .tools out
