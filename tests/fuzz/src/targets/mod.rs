//! What is tested, each under its name.

mod cookies;
mod imports;
mod legal;
mod pictures;
mod query;
mod requests;
mod tokens;
mod webhooks;

use std::sync::LazyLock;

use libfuzzer_sys::Corpus;

/// Returns whether the input is worth being kept, if it reaches something new.
type Target = fn(&[u8]) -> Corpus;

const TARGETS: [(&str, Target); 8] = [
    ("cookies", cookies::run),
    ("imports", imports::run),
    ("legal", legal::run),
    ("pictures", pictures::run),
    ("query", query::run),
    ("requests", requests::run),
    ("tokens", tokens::run),
    ("webhooks", webhooks::run),
];

/// The target that `FUZZ_TARGET` names.
pub fn chosen() -> Target {
    static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
        let wanted = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let found = TARGETS.into_iter().find(|(name, _)| *name == wanted);
        found.unwrap_or_else(|| panic!("FUZZ_TARGET must be one of {:?}", TARGETS.map(|(name, _)| name))).1
    });
    *CHOSEN
}
