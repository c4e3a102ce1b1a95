//! Migrations are compiled into this crate: adding one rebuilds it.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}
