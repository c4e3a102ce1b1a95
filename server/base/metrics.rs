//! Numbers that are counted where something happens, and read when monitoring asks. Counting takes no lock.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A number that only grows, from the start of the process.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Upper bounds of the buckets of a [`Histogram`], in microseconds. A last bucket has none.
const BOUNDS: [u64; 15] = [
    100, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000, 30_000_000,
];

/// How often something took how long.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
}

impl Histogram {
    pub fn observe(&self, took: Duration) {
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|bound| *bound < microseconds);
        self.buckets[bucket].fetch_add(1, Relaxed);
        self.microseconds.fetch_add(microseconds, Relaxed);
    }

    pub fn read(&self) -> Durations {
        let bounds = BOUNDS.iter().map(|bound| seconds(*bound)).chain([f64::INFINITY]);
        let counts = self.buckets.iter().map(|count| count.load(Relaxed));
        Durations { buckets: bounds.zip(counts).collect(), total: seconds(self.microseconds.load(Relaxed)) }
    }
}

fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}

/// What a histogram contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Durations {
    /// Upper bounds in seconds, and how many were within each, but above the one before.
    pub buckets: Vec<(f64, u64)>,
    /// Of all durations, in seconds.
    pub total: f64,
}

impl Durations {
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|(_, count)| count).sum()
    }

    /// Adds those of another histogram.
    pub fn add(&mut self, other: &Self) {
        if self.buckets.is_empty() {
            self.clone_from(other);
            return;
        }
        for ((_, count), (_, more)) in self.buckets.iter_mut().zip(&other.buckets) {
            *count += more;
        }
        self.total += other.total;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Durations, Histogram};

    #[test]
    fn a_duration_is_counted_in_the_first_bucket_that_holds_it() {
        let histogram = Histogram::default();
        for microseconds in [0, 100, 101, 40_000_000] {
            histogram.observe(Duration::from_micros(microseconds));
        }
        let read = histogram.read();
        assert_eq!(read.buckets[..3], [(0.0001, 2), (0.001, 1), (0.0025, 0)]);
        assert_eq!(read.buckets.last(), Some(&(f64::INFINITY, 1)));
        assert_eq!((read.count(), read.total), (4, 40.000_201));
        let mut sum = Durations::default();
        sum.add(&read);
        sum.add(&read);
        assert_eq!((sum.count(), sum.total), (8, 80.000_402));
    }
}
