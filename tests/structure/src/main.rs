//! Checks the dependencies between the server's files: `cargo run -p structure`, part of `make check`.
//!
//! It parses each file, without tests, and resolves every path, through nested `use` trees, macros and re-exports, to the file that defines
//! its target.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to who runs it")]

mod circles;
mod floors;
mod paths;
mod rules;
mod tree;

use std::process::ExitCode;

use tree::Tree;

fn main() -> ExitCode {
    let tree = match Tree::read("server") {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let edges = tree.edges();
    let mut problems = rules::broken(&tree, &edges);
    let circles = circles::find(&edges);
    // Two files in the same folder may depend on each other.
    let is_pair = |circle: &[usize]| circle.len() == 2 && tree.folder(circle[0]) == tree.folder(circle[1]);
    for circle in circles.iter().filter(|circle| !is_pair(circle)) {
        let files: Vec<&str> = circle.iter().map(|at| tree.files[*at].path.as_str()).collect();
        problems.push(format!("these use one another in a circle: {}", files.join(" ")));
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    println!("{} files checked, {} problems; {} circles", tree.files.len(), problems.len(), circles.len());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
