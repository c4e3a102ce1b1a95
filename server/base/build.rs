//! The migrations are part of this crate: a new one builds it again.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}
