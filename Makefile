# The two main commands are `make run` and `make test`. They install whatever is missing: Debian packages by apt, test
# tools in .venv. Swift itself must be installed (https://swift.org/install).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
.NOTPARALLEL:

LISTEN ?= $(or $(TOASTD_LISTEN),127.0.0.1:8080)
STORE ?= $(or $(TOASTD_STORE),sqlite:data/toastd.db)

BUILD_PACKAGES := libcurl4-openssl-dev libmicrohttpd-dev libnats-dev libsqlite3-dev libwslay-dev pkg-config zlib1g-dev
COUNT_PACKAGES := gcc binutils valgrind
DEB_PACKAGES := debhelper dpkg-dev esbuild
CHECK_PACKAGES := curl debootstrap lintian mandoc podman python3
IMAGE_PACKAGES := buildah
DIST_PACKAGES := esbuild
SOAK_PACKAGES := slowhttptest
TEST_PACKAGES := bootstrap-icons chromium chromium-headless-shell $(DIST_PACKAGES) firefox-esr fonts-dejavu-core nodejs php-cli php-symfony-http-client php-symfony-mercure prometheus prometheus-alertmanager python3-venv at-spi2-core gir1.2-atspi-2.0 python3-gi dbus xvfb
CLUSTER_PACKAGES := binutils iproute2 nftables util-linux
PROXY_PACKAGES := caddy curl nginx openssl
IMPORTS := --explicit-target-dependency-import-check error

VENV := .venv
REQUIREMENTS := $(wildcard Tests/requirements*.txt)
FRAMEWORKS := Tests/frameworks.txt
OLD_NATS := Tests/nats-old.txt
AIONTFY := Tests/aiontfy.txt
PYTEST := $(VENV)/bin/python -m pytest -p no:cacheprovider
# The number of test files that run side by side: more than there are cores, because most tests mostly wait. The tests
# of one file share its fixtures.
WORKERS ?= 5
IN_PARALLEL := --numprocesses $(WORKERS) --dist loadfile
# Browsers use the processor more than they wait, so fewer of them run side by side. Tests that measure run alone.
BROWSERS := --numprocesses 3 --dist loadfile
STAMPS := .build/stamps
SWIFT_CLIENT := $(addprefix clients/swift/,Package.swift Sources Tests)
SWIFT_FILES := Package.swift $(shell find Sources Tests $(SWIFT_CLIENT) -name '*.swift' 2>/dev/null)
PAGE_FILES := $(shell find public -type f 2>/dev/null)
PAGE_MODULES := $(patsubst public/%,%,$(filter-out public/vendor/%,$(filter %.js,$(PAGE_FILES))))

export DENO_NO_UPDATE_CHECK := 1
# The number of Swift tests at a time: if all thousand ran at once, each would take as long as the whole run.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := 16
export PYTHONDONTWRITEBYTECODE := 1
export RUFF_CACHE_DIR := $(VENV)/ruff

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- Run --------------------------------------------------------------------------------------------------------

.PHONY: run
run: packages ## Build a release and serve on LISTEN (127.0.0.1:8080)
	@echo 'Building .build/release/toastd. The first time takes several minutes.'
	swift build --configuration release --product toastd
	mkdir -p data
	@printf '\n  Viewer  http://%s/?channel=ops\n' '$(LISTEN)'
	@printf "  Post    curl -d 'Deployed' http://%s/v1/channels/ops/toasts\n\n" '$(LISTEN)'
	@exec .build/release/toastd serve --listen '$(LISTEN)' --store '$(STORE)' --public public

.PHONY: cluster
cluster: packages $(VENV)/.stamp ## Run three NATS servers and three nodes on this machine, from LISTEN (127.0.0.1:8080) on
	swift build --configuration release --product toastd
	@exec scripts/cluster .build/release/toastd $(VENV)/bin/nats-server '$(LISTEN)'

.PHONY: static
static: packages ## Build a binary that runs on machines without Swift
	@echo 'Building a release. The first time takes several minutes.'
	swift build --configuration release --product toastd --static-swift-stdlib

# Installs the binary, the files that it serves, and the licences. `make install UNITS=/etc/systemd/system` also installs
# systemd's unit.
PREFIX ?= /usr/local
BINARY ?= .build/release/toastd
INSTALLED = $(DESTDIR)$(PREFIX)
UNITS ?=

.PHONY: install
install: ## Install what `make static` built under PREFIX (/usr/local); DESTDIR is put before it
	@test -x '$(BINARY)' || { echo 'There is no $(BINARY) yet: run make static first, not as root.' >&2; exit 1; }
	install -d '$(INSTALLED)/bin' '$(INSTALLED)/share/toastd'
	install --strip -m 0755 '$(BINARY)' '$(INSTALLED)/bin/toastd'
	rm -rf '$(INSTALLED)/share/toastd/public'
	cp -R public '$(INSTALLED)/share/toastd/'
	rm -f '$(INSTALLED)/share/toastd/public/biome.json' '$(INSTALLED)/share/toastd/public/deno.json'
	chmod -R a+rX,go-w '$(INSTALLED)/share/toastd'
	install -m 0644 openapi.yaml LICENSE THIRD-PARTY-NOTICES.md '$(INSTALLED)/share/toastd/'
	@if [ -n '$(UNITS)' ]; then \
		install -d '$(DESTDIR)$(UNITS)'; \
		sed 's|/usr/local|$(PREFIX)|g' deploy/systemd/toastd.service > '$(DESTDIR)$(UNITS)/toastd.service'; \
		chmod 0644 '$(DESTDIR)$(UNITS)/toastd.service'; \
	fi

.PHONY: deb
deb: static ## Build a Debian package into release/
	@scripts/install-packages $(DEB_PACKAGES)
	rm -f release/toastd_*.deb
	scripts/deb .build/release/toastd release

.PHONY: release
release: static tools ## Gather all that is published in release/: packages, clients, API descriptions, a bill of materials, checksums
	@scripts/install-packages $(DEB_PACKAGES)
	rm -rf release
	scripts/deb .build/release/toastd release
	scripts/release .build/release/toastd release $(VENV)/bin/python

# IMAGE_OPTIONS are further options of buildah. Where no registry can be reached, but Debian's packages can, make the base
# images first: `scripts/base-images`, then
# `make image IMAGE_OPTIONS='--build-arg SWIFT_IMAGE=localhost/swift --build-arg DEBIAN_IMAGE=localhost/debian'`.
IMAGE ?= localhost/toastd
IMAGE_OPTIONS ?=

.PHONY: image
image: ## Build the container image with buildah
	@scripts/install-packages $(IMAGE_PACKAGES)
	buildah build --isolation chroot --format docker --tag '$(IMAGE)' $(IMAGE_OPTIONS) .

.PHONY: check-packages
check-packages: deb image ## Install the Debian package in a fresh Debian, run what it contains, and run the image; needs root
	@scripts/install-packages $(CHECK_PACKAGES)
	scripts/check-deb release/toastd_*.deb
	scripts/check-image '$(IMAGE)'

.PHONY: packages
packages:
	@command -v swift >/dev/null || { echo 'Swift 6.2 or later is needed: https://swift.org/install' >&2; exit 1; }
	@scripts/install-packages $(BUILD_PACKAGES)

.PHONY: dist
dist: ## Minify the page's files for production into dist/: `toastd serve --public dist`
	@scripts/install-packages $(DIST_PACKAGES)
	scripts/dist public dist

# --- Test -------------------------------------------------------------------------------------------------------

.PHONY: test
test: packages ## Run everything: lint, unit tests, tests of the real server and its pages, instruction counts
	@# The release build runs beside downloads and linters, which use one processor at most.
	@mkdir -p .build
	swift build --configuration release --product toastd >.build/release.log 2>&1 & build=$$!; \
		trap 'kill $$build 2>/dev/null || true' EXIT; \
		$(MAKE) --no-print-directory tools lint; \
		wait $$build || { cat .build/release.log >&2; exit 1; }; \
		trap - EXIT
	@$(MAKE) --no-print-directory unit accept count

.PHONY: lint
lint: $(STAMPS)/swift $(STAMPS)/python $(STAMPS)/contract $(STAMPS)/image $(STAMPS)/kubernetes $(STAMPS)/page $(STAMPS)/javascript ## Check formatting, lint rules and the API description
	scripts/gate
	scripts/layers

# Builds only the product of the tests, because no test imports the commands.
.PHONY: unit
unit: packages tools ## Run the unit tests
	swift test --test-product toastdPackageTests $(IMPORTS)
	node --test $(wildcard Tests/public/*.test.js)
	node Tests/public/size.js

# A release build, because people run one, and because the tests take a third of the time of a debug build.
.PHONY: accept
accept: export TOASTD_BIN ?= .build/release/toastd
accept: packages tools ## Run the tests of the real server, a release build
	swift build --configuration release --product toastd
	swift build --configuration release --product websocket-echo
	$(PYTEST) $(IN_PARALLEL) --no-loadscope-reorder Tests/API
	$(PYTEST) $(BROWSERS) -m 'not alone' Tests/Browser
	$(PYTEST) -m alone Tests/Browser
	$(PYTEST) clients/python/tests
	node --test $(wildcard clients/js/test/*.test.js)
	swift test --package-path clients/swift

.PHONY: count
count: packages ## Compare the instruction counts of three hot paths with Benchmarks/instructions.json
	@scripts/install-packages $(COUNT_PACKAGES)
	swift build --configuration release --product toastd
	Benchmarks/instructions

.PHONY: soak
soak: packages tools ## Run the long tests on a release build: 200 kills, 200 power cuts, 10,000 streams, slow attacks, loop time, ten minutes of a disturbed cluster
	@scripts/install-packages $(SOAK_PACKAGES)
	swift build --configuration release --product toastd
	swift build --configuration release --product websocket-echo
	TOASTD_BIN=.build/release/toastd $(PYTEST) --soak -s \
		Tests/API/test_history.py Tests/API/test_durability.py Tests/API/test_idle_streams.py Tests/API/test_contract.py \
		Tests/API/test_power_cut.py Tests/API/test_autobahn.py Tests/API/test_slow_clients.py \
		Tests/API/test_stalled_readers.py Tests/API/test_bounds_of_replays.py Tests/API/test_loop_time.py \
		Tests/API/test_cluster_chaos.py
	TOASTD_BIN=.build/release/toastd TOASTD_SOAK=1 $(PYTEST) Tests/Browser/test_load.py

# Builds the targets of Tests/Fuzz with Swift's libFuzzer and AddressSanitizer. Findings stay in .build/findings.
FUZZ_TARGETS = $(notdir $(wildcard Tests/Fuzz/Seeds/*))
FUZZ_SECONDS ?= 60
FUZZER = .build/fuzz/debug/fuzz
TOOLCHAIN = $(dir $(realpath $(shell command -v swift)))../lib/clang

.PHONY: fuzz
fuzz: packages ## Fuzz every parser, FUZZ_SECONDS (60) each, two at a time; FUZZ_TARGETS names some
	TOASTD_FUZZER_RUNTIME=$$(ls $(TOOLCHAIN)/*/lib/linux/libclang_rt.fuzzer_no_main-$$(uname -m).a) \
		swift build --product fuzz --scratch-path .build/fuzz --sanitize=address \
		-Xswiftc -O -Xswiftc -use-ld=lld
	mkdir -p .build/findings $(addprefix .build/corpus/,$(FUZZ_TARGETS))
	printf '%s\n' $(FUZZ_TARGETS) | ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
		xargs --max-procs 2 --replace=NAME sh -c '$(FUZZER) NAME \
		-max_total_time=$(FUZZ_SECONDS) -timeout=10 -max_len=4096 \
		-artifact_prefix=.build/findings/NAME- .build/corpus/NAME Tests/Fuzz/Seeds/NAME \
		> .build/findings/NAME.log 2>&1 || { tail -40 .build/findings/NAME.log; exit 1; }'
	grep --only-matching --with-filename 'Done [0-9]* runs' .build/findings/*.log

# Each sanitizer has a build of its own. Needs everything that the tests of the real server need, except a browser.
SANITIZERS ?= address thread

.PHONY: sanitize
sanitize: packages tools ## Run unit and API tests under AddressSanitizer, then ThreadSanitizer
	failed=0; for name in $(SANITIZERS); do scripts/sanitize "$$name" || failed=1; done; exit "$$failed"

.PHONY: bench
bench: packages ## Measure a release build in ten minutes; ARGUMENTS=--write-docs writes the figures to docs/performance.md
	swift build --configuration release --product toastd
	$(MAKE) -C Benchmarks bench ARGUMENTS='$(ARGUMENTS)'

# The tools are the same on every machine: Debian's browser, the rest pinned in Tests/requirements*.txt.
.PHONY: tools
tools: $(VENV)/.stamp
	@scripts/install-packages $(PROXY_PACKAGES) $(CLUSTER_PACKAGES) \
		$(if $(shell command -v node),$(filter-out nodejs,$(TEST_PACKAGES)),$(TEST_PACKAGES))

$(VENV)/.stamp: $(REQUIREMENTS) $(FRAMEWORKS) $(OLD_NATS) $(AIONTFY)
	python3 -c 'import ensurepip' 2>/dev/null || scripts/install-packages python3-venv
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes \
		$(addprefix --requirement ,$(REQUIREMENTS))
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-compile --upgrade \
		--target $(VENV)/frameworks --requirement $(FRAMEWORKS)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --upgrade \
		--target $(VENV)/nats-old --requirement $(OLD_NATS)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --ignore-requires-python \
		--requirement $(AIONTFY)
	touch $@

$(STAMPS)/swift: $(SWIFT_FILES) .swift-format | $(STAMPS)
	swift format lint --strict --recursive --parallel Package.swift Sources Tests $(SWIFT_CLIENT)
	touch $@

# The digests of all files of each version, so that the pins are valid on every platform with Python 3.11 or later.
.PHONY: requirements
requirements: ## Pin the packages of Tests/*.in and their dependencies, with digests
	scripts/requirements

PYTHON_FILES := $(wildcard Tests/API/*.py Tests/Browser/*.py Benchmarks/run Benchmarks/instructions Benchmarks/harness/*.py Benchmarks/scenarios/*.py scripts/settings scripts/openapi scripts/layers scripts/cluster scripts/sbom clients/python/src/toastd/*.py clients/python/tests/*.py)
$(STAMPS)/python: $(PYTHON_FILES) .ruff.toml Tests/API/ruff.toml clients/python/pyproject.toml $(VENV)/.stamp | $(STAMPS)
	$(VENV)/bin/ruff check --quiet $(PYTHON_FILES)
	$(VENV)/bin/ruff format --quiet --check Tests/API clients/python
	cd clients/python && ../../$(VENV)/bin/mypy --no-error-summary --cache-dir ../../$(VENV)/mypy src
	touch $@

$(STAMPS)/contract: openapi.yaml Tests/API/vacuum.yaml $(VENV)/.stamp | $(STAMPS)
	$(VENV)/bin/openapi-spec-validator openapi.yaml
	$$(find $(VENV) -type f -path '*/vacuum/lib/vacuum') lint --details --no-banner --no-style \
		--ruleset Tests/API/vacuum.yaml --timeout 60 --fail-severity warn openapi.yaml
	touch $@

$(STAMPS)/image: Dockerfile $(VENV)/.stamp | $(STAMPS)
	$(VENV)/bin/hadolint --no-color Dockerfile
	touch $@

# The oldest and the newest version whose schemas the manifest is checked against.
KUBERNETES_VERSIONS := 1.29 1.37
MANIFESTS := $(wildcard deploy/kubernetes/*.yaml)
$(STAMPS)/kubernetes: $(MANIFESTS) $(VENV)/.stamp | $(STAMPS)
	for version in $(KUBERNETES_VERSIONS); do \
		$(VENV)/bin/kubernetes-validate --strict --quiet --kubernetes-version "$$version" $(MANIFESTS) || exit; \
	done
	touch $@

$(STAMPS)/page: $(PAGE_FILES) Tests/public/types.ts $(VENV)/.stamp | $(STAMPS)
	cd public && DENO_DIR=$(CURDIR)/$(VENV)/deno ../$(VENV)/bin/deno check --no-remote --no-npm \
		$(PAGE_MODULES) ../Tests/public/types.ts
	cd public && ../$(VENV)/bin/biome lint .
	touch $@

JAVASCRIPT_FILES := $(wildcard clients/js/*.json clients/js/copy-viewer clients/js/src/* clients/js/test/*)
$(STAMPS)/javascript: $(JAVASCRIPT_FILES) $(PAGE_FILES) $(VENV)/.stamp | $(STAMPS)
	clients/js/copy-viewer
	cd clients/js && DENO_DIR=$(CURDIR)/$(VENV)/deno ../../$(VENV)/bin/deno check --no-remote --no-npm \
		src/index.js test/types.ts
	cd clients/js && ../../$(VENV)/bin/biome lint .
	touch $@

$(STAMPS):
	mkdir -p $@

# --- Keep -------------------------------------------------------------------------------------------------------

.PHONY: format
format: ## Format the Swift sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests $(SWIFT_CLIENT)

.PHONY: settings
settings: packages ## Write the tables of settings in docs/ from the declarations in Sources/toastd
	swift build $(IMPORTS) --product toastd
	scripts/settings

.PHONY: openapi
openapi: $(VENV)/.stamp ## Write public/openapi.json from openapi.yaml
	$(VENV)/bin/python scripts/openapi

.PHONY: clean
clean: ## Remove everything that was built and installed in this directory, except data/
	rm -rf .build dist release $(VENV) Benchmarks/out clients/js/viewer clients/swift/.build
