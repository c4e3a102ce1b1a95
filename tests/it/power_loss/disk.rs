//! What may be on a disk after a power loss: everything that was flushed, and of what was written since then any part, in sectors.

use std::fs;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// What a disk writes as a whole.
const SECTOR: usize = 512;
const HEAD: usize = 24;
/// Of the database: itself, its log, its journal.
const FILES: [&str; 3] = ["", "-wal", "-journal"];
const FOLDER: usize = 3;

/// Something that the program did to a file.
pub struct Step<'a> {
    pub file: usize,
    pub kind: Kind<'a>,
    /// Where the record ends.
    pub end: usize,
}

#[derive(Clone, Copy)]
pub enum Kind<'a> {
    Write { offset: usize, data: &'a [u8] },
    Cut { length: usize },
    Flush,
}

impl Step<'_> {
    pub fn is_flush_of_log(&self) -> bool {
        self.file == 1 && matches!(self.kind, Kind::Flush)
    }

    pub fn is_write_of(&self, file: usize) -> bool {
        self.file == file && matches!(self.kind, Kind::Write { .. })
    }
}

/// Reads what `record.c` has recorded.
pub fn steps(record: &[u8]) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < record.len() {
        let number = |from: usize| {
            usize::try_from(u64::from_ne_bytes(record[at + from..at + from + 8].try_into().unwrap())).unwrap()
        };
        let (offset, length) = (number(8), number(16));
        let end = at + HEAD + length;
        let kind = match record[at] {
            b'w' => Kind::Write { offset, data: &record[at + HEAD..end] },
            b't' => Kind::Cut { length: offset },
            b's' => Kind::Flush,
            other => panic!("an unknown record {other}"),
        };
        steps.push(Step { file: record[at + 1].into(), kind, end });
        at = end;
    }
    steps
}

/// What survives of the writes since the last flush.
#[derive(Clone, Copy, Debug)]
pub enum Survives {
    Nothing,
    Everything,
    /// The first ones; the last of them in part.
    Beginning,
    /// Any sectors of any of them.
    Anything,
}

impl Survives {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Everything, Self::Beginning, Self::Anything];
}

#[derive(Clone, Default)]
struct File {
    bytes: Vec<u8>,
    exists: bool,
}

#[derive(Clone)]
pub struct Disk<'a> {
    /// As flushed.
    files: [File; FILES.len()],
    /// Whether a new file's name is flushed, too.
    is_named: [bool; FILES.len()],
    pending: Vec<(usize, Kind<'a>)>,
}

impl<'a> Disk<'a> {
    pub fn new(database: Vec<u8>) -> Self {
        let mut files = [File::default(), File::default(), File::default()];
        files[0] = File { bytes: database, exists: true };
        Self { files, is_named: [true, false, false], pending: Vec::new() }
    }

    pub fn take(&mut self, step: &Step<'a>) {
        match step.kind {
            Kind::Flush if step.file == FOLDER => {
                for (named, file) in self.is_named.iter_mut().zip(0..) {
                    *named |= self.files[file].exists || self.pending.iter().any(|(other, _)| *other == file);
                }
            }
            Kind::Flush => {
                let file = &mut self.files[step.file];
                self.pending.retain(|(other, kind)| {
                    if *other == step.file {
                        file.apply(kind);
                    }
                    *other != step.file
                });
                file.exists = true;
            }
            kind => self.pending.push((step.file, kind)),
        }
    }

    /// The disk after a power loss at this moment.
    pub fn after(&self, survives: Survives, seed: u64) -> Self {
        let mut chance = StdRng::seed_from_u64(seed);
        let mut left = Self { pending: Vec::new(), ..self.clone() };
        let whole = chance.random_range(0..=self.pending.len());
        for (number, (file, kind)) in self.pending.iter().enumerate() {
            let file = &mut left.files[*file];
            match survives {
                Survives::Nothing => {}
                Survives::Everything => file.apply(kind),
                Survives::Beginning if number < whole => file.apply(kind),
                Survives::Beginning if number == whole => file.apply_sectors(kind, {
                    let mut torn = chance.random_range(0..16);
                    move || {
                        torn -= 1;
                        torn >= 0
                    }
                }),
                Survives::Beginning => {}
                Survives::Anything => file.apply_sectors(kind, || chance.random()),
            }
        }
        for (file, named) in left.files.iter_mut().zip(self.is_named) {
            let is_lost = match survives {
                Survives::Nothing => true,
                Survives::Everything => false,
                Survives::Beginning | Survives::Anything => chance.random(),
            };
            if is_lost && !named {
                *file = File::default();
            }
        }
        left
    }

    pub fn write(&self, database: &Path) {
        for (ending, file) in FILES.iter().zip(&self.files) {
            if file.exists {
                fs::write(format!("{}{ending}", database.display()), &file.bytes).unwrap();
            }
        }
    }

    /// Whether the files there are the same.
    pub fn is_at(&self, database: &Path) -> bool {
        FILES.iter().zip(&self.files).all(|(ending, file)| {
            let there = fs::read(format!("{}{ending}", database.display())).ok();
            there.as_deref() == file.exists.then_some(&file.bytes)
        })
    }
}

impl File {
    fn apply(&mut self, kind: &Kind<'_>) {
        self.apply_sectors(kind, || true);
    }

    fn apply_sectors(&mut self, kind: &Kind<'_>, mut survives: impl FnMut() -> bool) {
        match *kind {
            Kind::Write { offset, data } => {
                let mut from = 0;
                while from < data.len() {
                    // Up to the end of the sector.
                    let to = data.len().min(from + SECTOR - (offset + from) % SECTOR);
                    if survives() {
                        self.exists = true;
                        let end = offset + to;
                        self.bytes.resize(self.bytes.len().max(end), 0);
                        self.bytes[offset + from..end].copy_from_slice(&data[from..to]);
                    }
                    from = to;
                }
            }
            Kind::Cut { length } if survives() => self.bytes.resize(length, 0),
            Kind::Cut { .. } | Kind::Flush => {}
        }
    }
}
