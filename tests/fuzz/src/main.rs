//! Coverage-guided tests of what strangers can send: `FUZZ_TARGET=query target/debug/fuzz corpus/query`. A panic anywhere in the
//! process is a finding. `make fuzz` builds it with coverage and runs all targets; `tests/fuzz/run.mjs` says how to repeat a finding.

#![no_main]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::allow_attributes,
    reason = "a failure is a finding"
)]

mod shop;
mod targets;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(init: targets::prepare(), |data: &[u8]| -> Corpus { targets::run(data) });
