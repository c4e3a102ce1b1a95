//! Which uses of other files are forbidden.

use crate::floors::{self, Place};
use crate::tree::{Edge, SourceFile, Tree};

/// The program, like its commands: it may use whatever it needs, also the demonstration.
const PROGRAM: [&str; 2] = ["server/failpoints.rs", "server/main.rs"];
const COMMANDS: &str = "server/commands/";

/// The assembly of the shop, which may name the whole shop.
const ASSEMBLY: [&str; 6] = [
    "server/admin_routes.rs",
    "server/dev.rs",
    "server/registry.rs",
    "server/router.rs",
    "server/routing.rs",
    "server/serve.rs",
];

/// The whole shop.
const APP: &str = "server/app/";

/// Violations of the rules.
pub fn broken(tree: &Tree, edges: &[Edge]) -> Vec<String> {
    let places: Vec<Place<'_>> = tree.files.iter().map(|file| Place::of(&file.path)).collect();
    let mut problems: Vec<String> = places.iter().filter_map(Place::unknown).collect();
    for edge in edges {
        let (from, to) = (&tree.files[edge.from], &tree.files[edge.to]);
        let is_assembly =
            ASSEMBLY.contains(&from.path.as_str()) || from.path.starts_with(APP) || places[edge.from].is_demo();
        let is_program = PROGRAM.contains(&from.path.as_str()) || from.path.starts_with(COMMANDS);
        let says = if is_program {
            continue;
        } else if let Some(says) = floors::refused(&places[edge.from], &places[edge.to]) {
            says
        } else if to.path.starts_with(APP) && !is_assembly {
            "names the whole shop; take parts of it"
        } else if is_store(to) && !places[edge.to].shares_noun(&places[edge.from]) {
            // Also through re-exports of another file.
            "uses what another noun's store defines; rows and queries are for others"
        } else {
            continue;
        };
        problems.push(format!("{}:{} {says}: {}", from.path, edge.line, to.path));
    }
    for file in &tree.files {
        let is_model = file.path.ends_with("/model.rs");
        for used in &file.used {
            let first = used.path[0].as_str();
            let runs_sql = first == "sqlx" || (used.is_macro && used.path.last().is_some_and(|name| name == "sql"));
            let says = if runs_sql && !may_use_sql(file) {
                "uses SQL outside a store, queries, rows, the database layer or the demonstration's seed"
            } else if is_model && matches!(first, "axum" | "sqlx") {
                "knows HTTP or SQL in a model"
            } else {
                continue;
            };
            problems.push(format!("{}:{} {says}: {}", file.path, used.line, used.path.join("::")));
        }
    }
    problems.extend(tree.files.iter().filter_map(full_root));
    problems.extend(tree.files.iter().filter_map(misplaced_handler));
    problems.extend(tree.files.iter().filter_map(misplaced_list));
    problems.extend(unregistered(tree));
    problems.extend(tree.files.iter().flat_map(off_the_map));
    problems
}

/// Who uses what a crate's root defines is not checked (`Tree::edges`), so it defines nothing.
fn full_root(file: &SourceFile) -> Option<String> {
    let is_root = file.path.ends_with("/lib.rs");
    (is_root && file.defines).then(|| format!("{} defines something; a crate's root only lists its modules", file.path))
}

/// Each screen has the same files: pages in `pages`, a list with its download in `list`, calls in `api`.
fn misplaced_handler(file: &SourceFile) -> Option<String> {
    let names: Vec<&str> = file.path.trim_end_matches(".rs").split('/').rev().take(2).collect();
    let stands_in = |allowed: &[&str]| names.iter().any(|name| allowed.contains(name));
    let is_screen = file.path.starts_with("server/http/admin/") || file.path.starts_with("server/http/storefront/");
    match (file.has_page, file.has_call) {
        (true, _) if is_screen && !stands_in(&["pages", "list"]) => {
            Some(format!("{} has a page; pages stand in pages.rs or list.rs", file.path))
        }
        (_, true) if is_screen && !stands_in(&["api", "list"]) => {
            Some(format!("{} answers a call; calls stand in api.rs, or in list.rs", file.path))
        }
        _ => None,
    }
}

/// A list's definition names columns, and its conditions are SQL.
fn misplaced_list(file: &SourceFile) -> Option<String> {
    let is_named = |name: &str| file.path.ends_with(name);
    if file.has_list && !is_named("/queries.rs") {
        Some(format!("{} defines a list; lists are defined in queries.rs", file.path))
    } else if file.has_list_page && !is_named("/list.rs") {
        Some(format!("{} has the page of a list; it stands in list.rs", file.path))
    } else {
        None
    }
}

/// Kinds of jobs without a registered handler.
fn unregistered(tree: &Tree) -> Vec<String> {
    let registry = tree.files.iter().find(|file| file.path == "server/registry.rs");
    let is_registered =
        |job: &String| registry.is_some_and(|file| file.used.iter().any(|used| used.path.last() == Some(job)));
    let jobs = tree.files.iter().flat_map(|file| file.jobs.iter().map(move |job| (file, job)));
    jobs.filter(|(_, job)| !is_registered(job))
        .map(|(file, job)| format!("{} defines the job {job}, which server/registry.rs gives no handler", file.path))
        .collect()
}

/// Modules that are missing in the overview at the top of their floor.
fn off_the_map(file: &SourceFile) -> Vec<String> {
    const MAPS: [&str; 6] = ["lib", "base/lib", "platform/lib", "domain/lib", "domain/sales/mod", "http/lib"];
    let is_map = MAPS.iter().any(|map| file.path == format!("server/{map}.rs"));
    let missing = file.modules.iter().filter(|name| is_map && !file.docs.contains(&format!("[`{name}`]")));
    missing.map(|name| format!("{} has the module {name}, which its map does not name", file.path)).collect()
}

fn is_store(file: &SourceFile) -> bool {
    file.path.ends_with("/store.rs")
}

/// Stores own the tables of their noun, queries may read any table, rows are the results of both.
fn may_use_sql(file: &SourceFile) -> bool {
    let is_part = ["/store.rs", "/queries.rs", "/rows.rs"].iter().any(|name| file.path.ends_with(name));
    is_part || file.path.starts_with("server/base/db/") || file.path == "server/demo_data/mod.rs"
}

#[cfg(test)]
mod tests {
    use super::broken;
    use crate::tree::{SourceFile, Tree};

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let parsed = files.iter().map(|(path, text)| SourceFile::parse("server", (*path).to_owned(), text).unwrap());
        let tree = Tree::of(parsed.collect());
        broken(&tree, &tree.edges())
    }

    #[test]
    fn only_the_program_knows_the_demonstration() {
        let root = ("server/demo/lib.rs", "mod setup;\npub use setup::config;");
        let setup = ("server/demo/setup.rs", "pub fn config() {}");
        let uses = "fn start() { shop_demo::config(); }";
        for path in ["server/failpoints.rs", "server/commands/demo.rs", "server/main.rs"] {
            assert!(problems(&[root, setup, (path, uses)]).is_empty(), "{path}");
        }
        assert_eq!(
            problems(&[root, setup, ("server/router.rs", uses)]),
            ["server/router.rs:1 reaches into the demonstration from the shop: server/demo/setup.rs"]
        );
    }

    #[test]
    fn a_root_that_defines_something_is_told() {
        assert_eq!(
            problems(&[("server/demo/lib.rs", "//! A demonstration.\npub mod square;\npub fn config() {}")]),
            ["server/demo/lib.rs defines something; a crate's root only lists its modules"]
        );
    }
}
