//! How glibc keeps memory. As it comes it has eight arenas for each core, and each keeps what was once freed in it: after 1,000 pictures
//! and 2,000 lists the shop held 489 MiB. See `docs/decisions/016-memory.md`.

/// Pieces from this size on come from the system and go back to it at once: pixels, mostly. Bytes.
#[cfg(target_env = "gnu")]
const LARGE: i32 = 1 << 20;

/// To be called before there are other threads.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "mallopt is a C function; it is safe to call while there is one thread")]
pub fn set_up() {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let arenas = i32::try_from(cores.max(2)).unwrap_or(i32::MAX);
    // Each answers 0 when it is refused: then memory is kept as it always was.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, arenas);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

#[cfg(not(target_env = "gnu"))]
pub fn set_up() {}
