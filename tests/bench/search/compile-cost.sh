#!/bin/bash
# What a candidate adds to a clean release build: time and bytes, compared with a binary without it.
#   tests/bench/search/compile-cost.sh
set -euo pipefail
cd "$(dirname "$0")"
TIMEFORMAT='%R s, %U s + %S s of processor'
for features in embedded embedded,tantivy; do
    CARGO_TARGET_DIR=$(mktemp -d)
    export CARGO_TARGET_DIR
    cargo fetch --quiet
    echo "$features"
    time cargo build --quiet --release --no-default-features --features "$features"
    strip "$CARGO_TARGET_DIR/release/search-bench"
    echo "$(wc -c <"$CARGO_TARGET_DIR/release/search-bench") bytes stripped"
    rm -rf "$CARGO_TARGET_DIR"
done
