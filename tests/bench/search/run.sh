#!/bin/sh
# Measures every candidate: relevance, speed and memory. PostgreSQL runs in a temporary cluster.
#   tests/bench/search/run.sh [--verbose] [--products=100000]
set -eu
cd "$(dirname "$0")"
cargo build --release
bench="${CARGO_TARGET_DIR:-target}/release/search-bench"

cluster=$(mktemp -d)
as_owner() { sh -c "$1"; }
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
    chown nobody "$cluster"
    as_owner() { runuser -u nobody -- sh -c "cd / && $1"; }
fi
stop() {
    as_owner "pg_ctl -D '$cluster/data' -m immediate stop" >/dev/null 2>&1 || true
    rm -rf "$cluster"
}
trap stop EXIT
as_owner "initdb -D '$cluster/data' -U bench -A trust -E UTF8 --no-locale" >/dev/null
as_owner "pg_ctl -D '$cluster/data' -w -l '$cluster/log' -o \"-c listen_addresses='' -k $cluster\" start" >/dev/null
export DATABASE_URL="host=$cluster user=bench dbname=postgres"

for engine in embedded tantivy sqlite postgres; do
    "$bench" "$engine" "$@"
done
