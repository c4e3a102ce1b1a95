//! Prints which functions a program calls, each once, in the order of their first calls.
//!
//!     tracer FUNCTIONS PROGRAM ARGUMENT…
//!
//! `FUNCTIONS` has the addresses of the program's functions, as `nm` prints them, one in each line; the output has those that were called.
//! The first line of the output is the program's process id. Ends with the program.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trace;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    trace::run(&std::env::args().skip(1).collect::<Vec<_>>())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {
    eprintln!("for x86-64 Linux only");
    std::process::exit(1);
}
