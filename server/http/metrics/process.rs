//! What the system knows of this process: memory, processor time, descriptors, space on the disk.

use std::path::Path;

use super::exposition::{Metric, counter, gauge};

#[cfg(target_os = "linux")]
pub fn metrics() -> Vec<Metric> {
    match read() {
        Ok(metrics) => metrics,
        Err(error) => {
            tracing::warn!(%error, "the system says nothing about this process");
            Vec::new()
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub fn metrics() -> Vec<Metric> {
    Vec::new()
}

/// The names are those of Prometheus's own libraries.
#[cfg(target_os = "linux")]
fn read() -> procfs::ProcResult<Vec<Metric>> {
    use procfs::process::{LimitValue, Process};

    let process = Process::myself()?;
    let stat = process.stat()?;
    let processor = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
    let files = match process.limits()?.max_open_files.soft_limit {
        LimitValue::Value(files) => files as f64,
        LimitValue::Unlimited => f64::INFINITY,
    };
    Ok(vec![
        counter("process_cpu_seconds", "Processor time used", processor),
        gauge("process_resident_memory_bytes", "Memory in use", (stat.rss * procfs::page_size()) as f64),
        gauge("process_virtual_memory_bytes", "Address space in use", stat.vsize as f64),
        gauge("process_threads", "Threads", stat.num_threads as f64),
        gauge("process_open_fds", "Open descriptors", process.fd_count()? as f64),
        gauge("process_max_fds", "How many descriptors may be open", files),
    ])
}

/// Of the file system with this folder.
#[cfg(unix)]
pub fn disk(folder: &Path) -> Vec<Metric> {
    match rustix::fs::statvfs(folder) {
        Ok(disk) => vec![
            gauge("shop_disk_free_bytes", "Space left where SHOP_DATA is", (disk.f_bavail * disk.f_frsize) as f64),
            gauge(
                "shop_disk_size_bytes",
                "Size of the file system with SHOP_DATA",
                (disk.f_blocks * disk.f_frsize) as f64,
            ),
        ],
        Err(error) => {
            tracing::warn!(%error, "the space of the disk is not known");
            Vec::new()
        }
    }
}

#[cfg(not(unix))]
pub fn disk(_: &Path) -> Vec<Metric> {
    Vec::new()
}
