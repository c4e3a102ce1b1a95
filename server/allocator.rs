//! Settings of glibc's allocator. By default it has eight arenas per core, each of which keeps freed memory: after 1,000 pictures and 2,000
//! lists the shop used 489 MiB. See `docs/decisions/016-memory.md`.

#[cfg(target_env = "gnu")]
use std::time::Duration;

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

/// A second of work below which the process is at rest, as processor time.
#[cfg(target_env = "gnu")]
const REST: Duration = Duration::from_millis(20);
/// Work after which there is memory to return, likewise.
#[cfg(target_env = "gnu")]
const WORK: Duration = Duration::from_millis(500);

/// Returns freed memory to the system whenever the process comes to rest after some work: glibc keeps what lies between blocks in use.
#[cfg(target_env = "gnu")]
pub async fn tend() {
    let (mut before, mut tended) = (Duration::ZERO, Duration::ZERO);
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = processor_time();
        if now.saturating_sub(before) < REST && now.saturating_sub(tended) > WORK {
            tended = now;
            drop(tokio::task::spawn_blocking(trim).await);
        }
        before = now;
    }
}

#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "clock_gettime is a C function; it only writes the time")]
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Cannot fail: every Linux has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.try_into().unwrap_or_default(), time.tv_nsec.try_into().unwrap_or_default())
}

#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "malloc_trim is a C function; it locks the arenas that it trims")]
fn trim() {
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(target_env = "gnu"))]
pub async fn tend() {}
