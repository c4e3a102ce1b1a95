//! `docs/SPECIFICATION.md` names a place and a test in every row, `docs/PROOFS.md` tests; each of them exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::Test;
use crate::tests;

const FOLDERS: [&str; 5] = ["server/", "app/", "ssr-runtime/", "migrations/", "tests/"];

pub const TESTS: &[Test] = tests![
    every_named_place_and_test_exists,
    every_proof_exists,
    every_test_against_a_threat_exists,
    what_helps_a_test_is_none,
];

async fn every_named_place_and_test_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(root.join("docs/SPECIFICATION.md")).unwrap();
    let mut rows = 0;
    for line in
        document.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Row") && !line.contains("|---"))
    {
        rows += 1;
        let mut cells = line.trim_end_matches('|').rsplit('|');
        let proofs = quoted(cells.next().unwrap());
        assert!(!proofs.is_empty(), "a row names no test: {line}");
        let places = cells.next().unwrap();
        for place in quoted(places).into_iter().filter(|place| FOLDERS.iter().any(|f| place.starts_with(f))) {
            assert!(
                ["sqlite", "postgres"].iter().all(|d| root.join(place.replace('*', d)).exists()),
                "{place} does not exist: {line}"
            );
        }
        for (place, name) in named_within(places) {
            let source = fs::read_to_string(root.join(place)).unwrap_or_default();
            assert!(defines(&source, name), "{place} does not define {name}: {line}");
        }
        proofs.into_iter().for_each(|name| assert_test_exists(root, name, line));
    }
    assert!(rows > 80, "only {rows} rows");
}

async fn every_proof_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(root.join("docs/PROOFS.md")).unwrap();
    let mut proofs = 0;
    for line in document.lines().filter(|line| line.starts_with("| ")) {
        for name in quoted(line).into_iter().filter(|name| name.contains("::")) {
            assert_test_exists(root, name, line);
            proofs += 1;
        }
    }
    assert!(proofs > 20, "only {proofs} proofs");
}

async fn every_test_against_a_threat_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in ["docs/THREATS.md", "docs/ASVS.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let mut tests = 0;
        for line in text.lines().filter(|line| line.starts_with("| ")) {
            for (file, test) in quoted(line).into_iter().filter_map(|name| name.split_once("::")) {
                if !file.contains('.') {
                    continue;
                }
                // Those of `tests/it` are named from there.
                let folder = if root.join(file).exists() { "" } else { "tests/it/" };
                assert_test_exists(root, &format!("{folder}{file}::{test}"), line);
                tests += 1;
            }
        }
        assert!(tests > 40, "only {tests} tests in {document}");
    }
}

async fn what_helps_a_test_is_none() {
    const SOURCE: &str = "const TESTS: &[Test] = tests![\n    it_works,\n];\nasync fn it_works() {}\nasync fn helps() {}\n\
        #[test]\nfn so_does_this() {}\nfn helps_too() {}\npub async fn listed_above() {}\nkills! {\n    early: 1;\n}\n\
        test(\"a title\", () => pattern.test(\"no title\"));\n";
    let names = ["a title", "it_works", "kills!", "listed_above", "so_does_this"].map(str::to_owned);
    assert_eq!(tests_of(SOURCE, "tests![elsewhere, listed_above]"), BTreeSet::from(names));
}

fn assert_test_exists(root: &Path, name: &str, line: &str) {
    let (file, test) = name.split_once("::").unwrap_or_else(|| panic!("'{name}' is not file::test in: {line}"));
    let path = root.join(file);
    let source = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{file} does not exist: {line}"));
    let above = path.parent().and_then(|folder| fs::read_to_string(folder.with_extension("rs")).ok());
    assert!(tests_of(&source, &above.unwrap_or_default()).contains(test), "{file} has no test '{test}': {line}");
}

fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Names in parentheses right after a file, which the file must define.
fn named_within(cell: &str) -> Vec<(&str, &str)> {
    let (mut place, mut is_within, mut named) = ("", false, Vec::new());
    for (at, part) in cell.split('`').enumerate() {
        if at % 2 == 0 {
            is_within = part.starts_with(" (") || (is_within && !part.contains(')'));
        } else if !is_within {
            place = part;
        } else if place.contains('.') {
            named.push((place, part.rsplit("::").next().unwrap_or(part)));
        }
    }
    named
}

/// Whether it is an item there, or at the beginning of a line a field, a variant or a method: a mere use is not enough.
fn defines(source: &str, name: &str) -> bool {
    const ITEMS: [&str; 8] = ["fn", "struct", "enum", "const", "static", "type", "function", "interface"];
    source.match_indices(name).any(|(at, _)| {
        let (before, after) = (&source[..at], &source[at + name.len()..]);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let begins = line.is_empty() || line.ends_with(char::is_whitespace);
        let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_defined = match line.split_whitespace().last() {
            None | Some("async") => !after.starts_with("::"),
            Some(word) => ITEMS.contains(&word) || word.starts_with("pub"),
        };
        begins && ends && is_defined
    })
}

/// Names of the tests in a source file: titled ones, macros that make some, such as `kills!`, and functions that have the attribute or that the
/// file, or the module above it, lists for the harness. Others, which only help, run with no test.
fn tests_of(source: &str, above: &str) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = source
        .match_indices("test(")
        .filter(|(at, _)| !source[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_'))
        .filter_map(|(at, mark)| {
            let rest = source[at + mark.len()..].trim_start();
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
            rest[1..].split(quote).next().map(str::to_owned)
        })
        .collect();
    let listed: BTreeSet<&str> = listed(source).chain(listed(above)).collect();
    let mut is_attributed = false;
    for line in source.lines() {
        let begin = line.trim_start();
        if begin.starts_with("#[") {
            is_attributed |= begin.ends_with("test]") || begin.contains("::test(");
        } else if let Some(name) = function(begin) {
            if is_attributed || listed.contains(name) {
                names.insert(name.to_owned());
            }
            is_attributed = false;
        } else if let Some(name) = line.strip_suffix(" {").filter(|name| name.ends_with('!')) {
            names.insert(name.to_owned());
        }
    }
    names
}

/// What `tests!` lists.
fn listed(source: &str) -> impl Iterator<Item = &str> {
    let lists = source.split("tests![").skip(1).filter_map(|rest| rest.split(']').next());
    lists.flat_map(|list| list.split([',', '\n'])).map(str::trim)
}

/// The name of the function that begins on this line.
fn function(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("pub(super) ").trim_start_matches("pub ");
    line.trim_start_matches("async ").strip_prefix("fn ")?.split('(').next()
}
