//! The program.

mod allocator;
mod commands;
mod failpoints;
mod telemetry;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use commands::{Arguments, stopping};
use telemetry::Telemetry;

fn main() -> ExitCode {
    allocator::set_up();
    let command = Arguments::parse().command;
    let telemetry = match Telemetry::start(&command) {
        Ok(telemetry) => telemetry,
        Err(error) => {
            // There is no log yet.
            let _ = writeln!(io::stderr(), "the log could not be set up: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = match commands::run(command) {
        Ok(code) => code,
        // Whoever read the output has enough of it, such as `head`.
        Err(error) if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::FAILURE
        }
        Err(error) => {
            tracing::error!(target: telemetry::FAILED, "{error}");
            stopping::failed()
        }
    };
    telemetry.end();
    code
}
