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

use crate::shop::shop;

/// Returns whether the input is worth being kept, if it reaches something new.
type Target = fn(&[u8]) -> Corpus;

struct Chosen {
    run: Target,
    prepare: fn(),
}

const TARGETS: [(&str, Chosen); 8] = [
    ("cookies", in_shop(cookies::run)),
    ("imports", in_shop(imports::run)),
    ("legal", alone(legal::run)),
    ("pictures", alone(pictures::run)),
    ("query", alone(query::run)),
    ("requests", Chosen { run: requests::run, prepare: requests::check_seeds }),
    ("tokens", in_shop(tokens::run)),
    ("webhooks", in_shop(webhooks::run)),
];

const fn in_shop(run: Target) -> Chosen {
    Chosen { run, prepare: open_shop }
}

const fn alone(run: Target) -> Chosen {
    Chosen { run, prepare: || {} }
}

fn open_shop() {
    shop();
}

/// The target that `FUZZ_TARGET` names.
static CHOSEN: LazyLock<Chosen> = LazyLock::new(|| {
    let wanted = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.into_iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("FUZZ_TARGET must be one of {:?}", TARGETS.map(|(name, _)| name))).1
});

/// Opens the shop, if the target needs it, and looks at the seeds: that takes longer than any input may take.
pub fn prepare() {
    (CHOSEN.prepare)();
}

pub fn run(data: &[u8]) -> Corpus {
    (CHOSEN.run)(data)
}
