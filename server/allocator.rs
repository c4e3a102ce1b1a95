//! Settings of glibc's allocator. By default it has eight arenas per core, each of which keeps freed memory: after 1,000 pictures and 2,000
//! lists the shop used 489 MiB. See `docs/decisions/016-memory.md`.

/// Allocations from this size on, in bytes, are mapped from the system and returned to it when freed: mostly pixels.
#[cfg(target_env = "gnu")]
const LARGE: i32 = 1 << 20;

/// Must be called before other threads start.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "mallopt is a C function; it is safe to call while there is one thread")]
pub fn set_up() {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let arenas = i32::try_from(cores.max(2)).unwrap_or(i32::MAX);
    // Each call returns 0 on failure, in which case the default setting remains.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, arenas);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

#[cfg(not(target_env = "gnu"))]
pub fn set_up() {}
