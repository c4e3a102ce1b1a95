//! Metrics as the text that Prometheus reads.

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet, prometheus_text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;
use shop_base::metrics::Durations;

/// A metric with its series. Its name lacks `_total` if it is a counter.
#[derive(Debug)]
pub struct Metric {
    pub name: &'static str,
    pub help: &'static str,
    pub values: Values,
}

type Labels = Vec<(&'static str, String)>;

#[derive(Debug)]
pub enum Values {
    Counter(Vec<(Labels, f64)>),
    Gauge(Vec<(Labels, f64)>),
    Histogram(Vec<(Labels, Durations)>),
}

/// A counter with one series.
pub fn counter(name: &'static str, help: &'static str, value: f64) -> Metric {
    Metric { name, help, values: Values::Counter(vec![(Labels::new(), value)]) }
}

/// A gauge with one series.
pub fn gauge(name: &'static str, help: &'static str, value: f64) -> Metric {
    Metric { name, help, values: Values::Gauge(vec![(Labels::new(), value)]) }
}

/// The series of a metric with one label; with none if its name is empty.
pub fn by<N: Into<String>, V>(label: &'static str, series: impl IntoIterator<Item = (N, V)>) -> Vec<(Labels, V)> {
    let labels = |name: N| if label.is_empty() { Labels::new() } else { vec![(label, name.into())] };
    series.into_iter().map(|(name, value)| (labels(name), value)).collect()
}

/// The series of a metric with two labels.
pub fn by_two<A: Into<String>, B: Into<String>, V>(
    labels: (&'static str, &'static str),
    series: impl IntoIterator<Item = (A, B, V)>,
) -> Vec<(Labels, V)> {
    series
        .into_iter()
        .map(|(first, second, value)| (vec![(labels.0, first.into()), (labels.1, second.into())], value))
        .collect()
}

/// The text, in the format of [`prometheus_text::CONTENT_TYPE`].
pub fn text(metrics: Vec<Metric>) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Exposition(metrics)));
    let mut text = String::new();
    prometheus_text::encode(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Exposition(Vec<Metric>);

impl Collector for Exposition {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for Metric { name, help, values } in &self.0 {
            let kind = match values {
                Values::Counter(_) => MetricType::Counter,
                Values::Gauge(_) => MetricType::Gauge,
                Values::Histogram(_) => MetricType::Histogram,
            };
            let mut metric = encoder.encode_descriptor(name, help.trim(), None, kind)?;
            match values {
                Values::Counter(series) => {
                    for (labels, value) in series {
                        metric.encode_family(labels)?.encode_counter::<NoLabelSet, f64, f64>(value, None)?;
                    }
                }
                Values::Gauge(series) => {
                    for (labels, value) in series {
                        metric.encode_family(labels)?.encode_gauge(value)?;
                    }
                }
                Values::Histogram(series) => {
                    for (labels, Durations { buckets, total }) in series {
                        let count = buckets.iter().map(|(_, count)| count).sum();
                        let mut of_labels = metric.encode_family(labels)?;
                        of_labels.encode_histogram::<NoLabelSet>(*total, count, buckets, None)?;
                    }
                }
            }
        }
        Ok(())
    }
}
