#!/bin/sh
# What a candidate adds to a fresh release build of the binary: seconds and bytes, over one without it.
#   tests/bench/search/compile-cost.sh
set -eu
cd "$(dirname "$0")"
for features in embedded embedded,tantivy; do
    CARGO_TARGET_DIR=$(mktemp -d)
    export CARGO_TARGET_DIR
    cargo fetch --quiet
    started=$(date +%s)
    cargo build --quiet --release --no-default-features --features "$features"
    seconds=$(($(date +%s) - started))
    strip "$CARGO_TARGET_DIR/release/search-bench"
    echo "$features: $seconds s, $(wc -c <"$CARGO_TARGET_DIR/release/search-bench") bytes stripped"
    rm -rf "$CARGO_TARGET_DIR"
done
