//! A breakpoint stands at the start of each function until it is reached.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{Write, stdout};
use std::os::unix::fs::FileExt;
use std::process::Command;

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Stops the thread that reaches it.
const BREAKPOINT: u8 = 0xcc;

pub fn run(arguments: &[String]) -> Result<()> {
    let [functions, program, ..] = arguments else { return Err("tracer FUNCTIONS PROGRAM ARGUMENT…".into()) };
    let starts = fs::read_to_string(functions)?
        .lines()
        .map(|line| u64::from_str_radix(line, 16))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let process = begin(&arguments[1..])?;
    writeln!(stdout(), "{process}")?;
    let mut program = Program::open(process, program, &starts)?;
    ptrace::cont(process, None)?;
    program.follow(process)
}

/// A process that has just become the program, with nothing of it run.
fn begin(command: &[String]) -> Result<Pid> {
    let shell = Command::new("sh").args(["-c", "kill -STOP $$; exec \"$@\"", "sh"]).args(command).spawn()?;
    let process = Pid::from_raw(i32::try_from(shell.id())?);
    waitpid(process, Some(WaitPidFlag::WUNTRACED))?;
    ptrace::attach(process)?;
    waitpid(process, None)?;
    ptrace::setoptions(process, Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_EXITKILL)?;
    let mut signal = Some(Signal::SIGCONT);
    loop {
        ptrace::cont(process, signal.take())?;
        match waitpid(process, None)? {
            WaitStatus::PtraceEvent(..) => break,
            WaitStatus::Stopped(..) => {}
            ended => return Err(format!("the program did not start: {ended:?}").into()),
        }
    }
    ptrace::setoptions(process, Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL)?;
    Ok(process)
}

struct Program {
    memory: File,
    /// Where the program begins in memory.
    base: u64,
    /// What stands there in the program, and whether the breakpoint is still there.
    starts: BTreeMap<u64, (u8, bool)>,
}

impl Program {
    fn open(process: Pid, path: &str, starts: &[u64]) -> Result<Self> {
        let path = fs::canonicalize(path)?;
        let maps = fs::read_to_string(format!("/proc/{process}/maps"))?;
        let first =
            maps.lines().find(|line| line.ends_with(&*path.to_string_lossy())).ok_or("the program has no memory")?;
        let base = u64::from_str_radix(first.split('-').next().unwrap_or_default(), 16)?;
        let memory = File::options().read(true).write(true).open(format!("/proc/{process}/mem"))?;
        let mut original = BTreeMap::new();
        for start in starts {
            let mut byte = [0];
            memory.read_exact_at(&mut byte, base + start)?;
            memory.write_all_at(&[BREAKPOINT], base + start)?;
            original.insert(*start, (byte[0], true));
        }
        Ok(Self { memory, base, starts: original })
    }

    /// Runs it and its threads to the end.
    fn follow(&mut self, process: Pid) -> Result<()> {
        loop {
            match waitpid(None, Some(WaitPidFlag::__WALL))? {
                WaitStatus::Exited(ended, _) | WaitStatus::Signaled(ended, ..) if ended == process => return Ok(()),
                WaitStatus::Stopped(thread, Signal::SIGTRAP) => {
                    self.reached(thread)?;
                    ptrace::cont(thread, None)?;
                }
                // So begins a thread.
                WaitStatus::Stopped(thread, Signal::SIGSTOP) | WaitStatus::PtraceEvent(thread, ..) => {
                    ptrace::cont(thread, None)?
                }
                WaitStatus::Stopped(thread, signal) => ptrace::cont(thread, signal)?,
                _ => {}
            }
        }
    }

    /// Takes the breakpoint away. Others may have reached it in the same moment.
    fn reached(&mut self, thread: Pid) -> Result<()> {
        let mut registers = ptrace::getregs(thread)?;
        let start = registers.rip - 1 - self.base;
        let Some((original, stands)) = self.starts.get_mut(&start) else { return Ok(()) };
        if std::mem::take(stands) {
            self.memory.write_all_at(&[*original], self.base + start)?;
            writeln!(stdout(), "{start:x}")?;
        }
        registers.rip -= 1;
        Ok(ptrace::setregs(thread, registers)?)
    }
}
