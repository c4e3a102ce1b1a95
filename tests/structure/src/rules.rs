//! What a file may not use.

use crate::tree::{Edge, SourceFile, Tree};

/// What puts the shop together, and so knows all of it.
const ASSEMBLY: [&str; 7] = [
    "server/admin_routes.rs",
    "server/dev.rs",
    "server/failpoints.rs",
    "server/main.rs",
    "server/registry.rs",
    "server/router.rs",
    "server/serve.rs",
];

/// Places that break a rule.
pub fn broken(tree: &Tree, edges: &[Edge]) -> Vec<String> {
    let mut problems = Vec::new();
    for edge in edges {
        let (from, to) = (&tree.files[edge.from], &tree.files[edge.to]);
        if noun(to) == "demo" && noun(from) != "demo" && from.path != "server/main.rs" {
            let says = "reaches into the demonstration from the shop";
            problems.push(format!("{}:{} {says}: {}", from.path, edge.line, to.path));
        }
        if to.path == "server/app.rs" && !ASSEMBLY.contains(&from.path.as_str()) && noun(from) != "demo" {
            problems.push(format!("{}:{} names the whole shop; take parts of it", from.path, edge.line));
        }
        // Also by way of what another file offers.
        if is_store(to) && noun(to) != noun(from) {
            let says = "uses what another noun's store defines; rows and queries are for others";
            problems.push(format!("{}:{} {says}: {}", from.path, edge.line, to.path));
        }
    }
    for file in &tree.files {
        let is_model = file.path.ends_with("/model.rs");
        for used in &file.used {
            let first = used.path[0].as_str();
            let runs_sql = first == "sqlx" || (used.is_macro && used.path.last().is_some_and(|name| name == "sql"));
            let names_store = matches!(used.path.as_slice(), [root, owner, part, ..]
                if root == "crate" && part == "store" && owner != noun(file));
            let says = if names_store {
                "calls another noun's store; call its service"
            } else if runs_sql && !may_use_sql(file) {
                "uses SQL outside a store, queries, rows, the database layer or the demonstration's seed"
            } else if is_model && matches!(first, "axum" | "sqlx") {
                "knows HTTP or SQL in a model"
            } else {
                continue;
            };
            problems.push(format!("{}:{} {says}: {}", file.path, used.line, used.path.join("::")));
        }
    }
    problems.extend(unregistered(tree));
    problems
}

/// Kinds of jobs that nobody registers a handler for.
fn unregistered(tree: &Tree) -> Vec<String> {
    let registry = tree.files.iter().find(|file| file.path == "server/registry.rs");
    let is_registered =
        |job: &String| registry.is_some_and(|file| file.used.iter().any(|used| used.path.last() == Some(job)));
    let jobs = tree.files.iter().flat_map(|file| file.jobs.iter().map(move |job| (file, job)));
    jobs.filter(|(_, job)| !is_registered(job))
        .map(|(file, job)| format!("{} defines the job {job}, which server/registry.rs gives no handler", file.path))
        .collect()
}

/// The first folder of the path.
fn noun(file: &SourceFile) -> &str {
    file.path.split('/').nth(1).unwrap_or_default()
}

fn is_store(file: &SourceFile) -> bool {
    file.path.ends_with("/store.rs")
}

/// Stores own the tables of their noun, queries read any, rows are what both answer with.
fn may_use_sql(file: &SourceFile) -> bool {
    let is_part = ["/store.rs", "/queries.rs", "/rows.rs"].iter().any(|name| file.path.ends_with(name));
    is_part || noun(file) == "db" || file.path == "server/demo/seed.rs"
}
