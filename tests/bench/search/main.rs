//! Compares ways to search the catalog: relevance, speed and resource use. See `run.sh`.

/// The catalog types that the index uses.
mod catalog {
    pub mod model {
        #[allow(clippy::enum_variant_names, reason = "the shop's names")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Ord, PartialOrd)]
        pub enum Availability {
            InStock,
            LowStock,
            OutOfStock,
        }

        impl Availability {
            pub const ALL: [Self; 3] = [Self::InStock, Self::LowStock, Self::OutOfStock];
        }
    }
}

/// The index calls it `shop_base::slug`.
extern crate self as shop_base;
#[path = "../../../server/base/slug.rs"]
pub mod slug;

mod engines;
mod products;
mod queries;
#[allow(dead_code, reason = "the engines use its types and its words; only one of them uses all of it")]
#[path = "../../../server/domain/catalog/search/mod.rs"]
mod search;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::catalog::model::Availability;
use crate::engines::Engine;
use crate::queries::CASES;
use crate::search::{SearchDocument, SearchQuery, Sort};

/// The number of products among which the cases name the expected ones.
const JUDGED: usize = 20_000;
const PAGE: usize = 48;
const ROUNDS: usize = 10;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let usage = "usage: search-bench <embedded|tantivy|sqlite|postgres> [--verbose] [--products=20000]";
    let name = std::env::args().nth(1).ok_or(usage)?;
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let count = std::env::args().find_map(|argument| argument.strip_prefix("--products=")?.parse().ok());
    let products = products::make(count.unwrap_or(JUDGED));
    let before = resident_kib()?;
    let started = Instant::now();
    let mut engine = engines::build(&name, &products)?;
    let built = started.elapsed();
    let memory = resident_kib()?.saturating_sub(before) / 1024;
    println!("engine {name}: built in {} ms, {memory} MiB more resident", built.as_millis());
    if products.len() == JUDGED {
        quality(engine.as_mut(), &products, verbose)?;
    }
    latency(engine.as_mut())?;
    updates(engine.as_mut(), &products)
}

/// The time until an index answers differently after products have changed: some were sold out, or got another title.
fn updates(engine: &mut dyn Engine, products: &[SearchDocument]) -> Result<(), Failure> {
    for count in [1, 10, 100, 1_000] {
        let some = || products.iter().step_by(products.len() / count).take(count).cloned();
        let sold_out: Vec<_> =
            some().map(|product| SearchDocument { availability: Availability::OutOfStock, ..product }).collect();
        let renamed: Vec<_> =
            some().map(|product| SearchDocument { title: format!("{} Reborn", product.title), ..product }).collect();
        for (what, changed) in [("sold out", sold_out), ("renamed", renamed)] {
            if engine.update(&changed)? {
                let taken = best_of_rounds(|| engine.update(&changed).map(drop))?.as_secs_f64() * 1_000.0;
                println!("update  {count:>5} {what:<9} {taken:.2} ms");
            }
        }
    }
    Ok(())
}

/// Precision in the first ten results (or as many as are relevant), and recall over all results.
fn quality(engine: &mut dyn Engine, products: &[SearchDocument], verbose: bool) -> Result<(), Failure> {
    let by_id: BTreeMap<_, _> = products.iter().map(|product| (product.id, product)).collect();
    let mut classes: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for case in CASES {
        let text = case.text;
        let query = SearchQuery { text: Some(text.to_owned()), limit: products.len(), ..SearchQuery::default() };
        let result = engine.search(&query)?;
        let meant = products.iter().filter(|product| (case.means)(product)).count();
        assert!(meant > 0, "nothing is meant by {text}");
        let is_meant = |id: &&uuid::Uuid| (case.means)(by_id[*id]);
        let top = meant.min(10);
        let precision = result.ids.iter().take(top).filter(is_meant).count() as f64 / top as f64;
        let recall = result.ids.iter().filter(is_meant).count() as f64 / meant as f64;
        classes.entry(case.class).or_default().push((precision, recall));
        if verbose {
            let best = result.ids.first().map_or("nothing", |id| by_id[id].title.as_str());
            println!("  {precision:.2} {recall:.2} {:>6} {text:<48} {best}", result.total);
        }
    }
    let mean =
        |values: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| values.iter().map(of).sum::<f64>() / values.len() as f64;
    for (class, values) in &classes {
        let (precision, recall) = (mean(values, |v| v.0), mean(values, |v| v.1));
        println!("quality {class:<12} precision@10 {precision:.2}  recall {recall:.2}");
    }
    let all: Vec<(f64, f64)> = classes.into_values().flatten().collect();
    let good = all.iter().filter(|(precision, _)| *precision >= 0.9).count();
    let (precision, recall) = (mean(&all, |v| v.0), mean(&all, |v| v.1));
    println!(
        "quality {:<12} precision@10 {precision:.2}  recall {recall:.2}  {good} of {} queries good",
        "all",
        all.len()
    );
    Ok(())
}

/// A page of a search or list with all its facets, sequentially.
fn latency(engine: &mut dyn Engine) -> Result<(), Failure> {
    let page = SearchQuery { limit: PAGE, ..SearchQuery::default() };
    let mut queries: Vec<(&str, SearchQuery)> = Vec::new();
    for case in CASES {
        let search = SearchQuery { text: Some(case.text.to_owned()), ..page.clone() };
        let filtered = SearchQuery {
            colors: vec!["black".to_owned(), "brown".to_owned()],
            availability: vec![Availability::InStock],
            max_price: Some(20_000),
            sort: Sort::PriceAsc,
            ..search.clone()
        };
        queries.push(("search", search));
        queries.push(("search", filtered));
    }
    for slug in ["pipes", "humidors", "fire"] {
        let category = SearchQuery { within: Some(slug.to_owned()), sort: Sort::Featured, ..page.clone() };
        queries.push(("list", SearchQuery { materials: vec!["brass".to_owned()], on_sale: true, ..category.clone() }));
        queries.push(("list", category));
    }
    for sort in [Sort::Featured, Sort::Newest, Sort::PriceAsc, Sort::Name] {
        queries.push(("list", SearchQuery { sort, offset: PAGE * 100, ..page.clone() }));
    }
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for (kind, query) in &queries {
        times.entry(kind).or_default().push(best_of_rounds(|| engine.search(query).map(drop))?);
    }
    if engine.suggest("")? {
        for case in CASES {
            for (end, _) in case.text.char_indices().skip(1) {
                let typed = &case.text[..end];
                times.entry("suggest").or_default().push(best_of_rounds(|| engine.suggest(typed).map(drop))?);
            }
        }
    }
    for (kind, mut times) in times {
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1_000.0;
        println!("latency {kind:<12} p50 {:.2} ms  p99 {:.2} ms  ({} queries)", at(0.5), at(0.99), times.len());
    }
    Ok(())
}

/// The time of a query without other load.
fn best_of_rounds(mut query: impl FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        query()?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}

/// Resident memory of this process in KiB.
fn resident_kib() -> Result<u64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.split_whitespace().nth(1).ok_or("no number")?.parse()?)
}
