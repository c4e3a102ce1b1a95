//! What this node knows without asking the database.

use shop_base::db::{PoolFigures, PoolUse};
use shop_base::metrics::Durations;
use shop_base::recent_errors;
use shop_base::security;
use shop_platform::jobs::model::Lane;
use shop_platform::metrics::FAMILIES;
use ssr_runtime::{State, Stats, Times};

use super::endpoint::MetricsParts;
use super::exposition::{Metric, Values, by, by_two, counter, gauge};

pub fn metrics(parts: &MetricsParts) -> Vec<Metric> {
    let mut metrics = about(parts);
    metrics.extend(requests(parts));
    metrics.extend(rendering(&parts.site.load().renderer.stats()));
    metrics.extend(caches(parts));
    metrics.extend(database(parts));
    metrics.extend(jobs(parts));
    metrics.extend(events());
    metrics
}

fn about(parts: &MetricsParts) -> Vec<Metric> {
    let build = parts.site.load().manifest.build.clone();
    let info = vec![(vec![("version", env!("CARGO_PKG_VERSION").to_owned()), ("build", build)], 1.0)];
    let seconds = |milliseconds: i64| milliseconds as f64 / 1e3;
    vec![
        Metric {
            name: "shop_build_info",
            help: "Version of the program and hash of its app",
            values: Values::Gauge(info),
        },
        gauge("shop_start_time_seconds", "When the node started, Unix time", seconds(parts.started_at.0)),
        gauge("shop_clock_seconds", "The node's clock, Unix time", seconds(parts.cx.clock.now_ms())),
        counter("shop_logged_errors", "Errors in the log", recent_errors::count() as f64),
    ]
}

fn requests(parts: &MetricsParts) -> Vec<Metric> {
    let (mut counts, mut durations) = (Vec::new(), Vec::new());
    for (route, figures) in parts.requests.routes() {
        let mut all = Durations::default();
        for (class, took) in figures.read() {
            counts.push((route.clone(), class, took.count() as f64));
            all.add(&took);
        }
        if all.count() > 0 {
            durations.push((route, all));
        }
    }
    vec![
        Metric {
            name: "shop_http_requests",
            help: "Requests, by the pattern of their route and the class of their status",
            values: Values::Counter(by_two(("route", "status"), counts)),
        },
        Metric {
            name: "shop_http_request_duration_seconds",
            help: "Time from the end of a request's head to the beginning of its response",
            values: Values::Histogram(by("route", durations)),
        },
        gauge(
            "shop_http_requests_in_flight",
            "Requests that are being answered; a kept page takes no time",
            parts.requests.running() as f64,
        ),
        gauge("shop_http_connections", "Open connections", parts.connections.count() as f64),
    ]
}

fn rendering(stats: &Stats) -> Vec<Metric> {
    let results = [
        ("ok", stats.renders),
        ("thrown", stats.thrown),
        ("timed_out", stats.timed_out),
        ("out_of_memory", stats.out_of_memory),
        ("overloaded", stats.overloaded),
        ("abandoned", stats.abandoned),
    ];
    let states = [(State::Starting, "starting"), (State::Ready, "ready"), (State::Rendering, "rendering")];
    let isolates = |state: State| stats.isolates.iter().filter(|isolate| isolate.state == state).count() as f64;
    let sum = |bytes: fn(&ssr_runtime::IsolateStats) -> usize| stats.isolates.iter().map(bytes).sum::<usize>() as f64;
    vec![
        Metric {
            name: "shop_renders",
            help: "Pages and emails that isolates were asked for",
            values: Values::Counter(by("result", results.map(|(result, count)| (result, count as f64)))),
        },
        Metric {
            name: "shop_render_duration_seconds",
            help: "Time of a successful render in its isolate",
            values: Values::Histogram(by("", [("", durations(&stats.render_time))])),
        },
        Metric {
            name: "shop_render_wait_seconds",
            help: "Time that a render waited for an isolate",
            values: Values::Histogram(by("", [("", durations(&stats.queue_time))])),
        },
        gauge("shop_renders_waiting", "Renders that wait for an isolate", stats.queued as f64),
        Metric {
            name: "shop_isolates",
            help: "Isolates",
            values: Values::Gauge(by("state", states.map(|(state, name)| (name, isolates(state))))),
        },
        counter(
            "shop_isolate_restarts",
            "Isolates that were replaced",
            stats.isolates.iter().map(|isolate| isolate.restarts).sum::<u64>() as f64,
        ),
        gauge(
            "shop_isolate_heap_bytes",
            "Heaps of all isolates, when each last paused",
            sum(|isolate| isolate.heap_used),
        ),
    ]
}

fn durations(Times { buckets, total }: &Times) -> Durations {
    let bound =
        |microseconds: Option<u64>| microseconds.map_or(f64::INFINITY, |microseconds| microseconds as f64 / 1e6);
    Durations {
        buckets: buckets.iter().map(|bucket| (bound(bucket.up_to_microseconds), bucket.count)).collect(),
        total: total.as_secs_f64(),
    }
}

fn caches(parts: &MetricsParts) -> Vec<Metric> {
    let pages = parts.pages.figures();
    let answers = [
        ("kept", pages.kept),
        ("confirmed", pages.confirmed),
        ("rendered", pages.rendered),
        ("refused", pages.refused),
    ];
    let (fragments, images) = (parts.site.load().fragments.figures(), parts.media.figures());
    let caches = [("pages", (pages.entries, pages.bytes)), ("page_parts", fragments), ("images", images)];
    let listing = parts.catalog.figures();
    vec![
        Metric {
            name: "shop_page_cache_requests",
            help: "Requests for pages that may be kept: answered with a kept page, with one that its handler confirmed, with a new one, \
                or told to come back",
            values: Values::Counter(by("answer", answers.map(|(answer, count)| (answer, count as f64)))),
        },
        gauge(
            "shop_pages_waiting",
            "Requests that wait for their turn to have a page made",
            (parts.turns.new.waiting() + parts.turns.kept.waiting()) as f64,
        ),
        Metric {
            name: "shop_cache_entries",
            help: "Entries of the caches in memory",
            values: Values::Gauge(by("cache", caches.map(|(cache, (entries, _))| (cache, entries as f64)))),
        },
        Metric {
            name: "shop_cache_bytes",
            help: "Size of the caches in memory",
            values: Values::Gauge(by("cache", caches.map(|(cache, (_, bytes))| (cache, bytes as f64)))),
        },
        counter("shop_images_made", "Renditions of pictures made", parts.media.made() as f64),
        gauge("shop_catalog_products", "Products in the read model", listing.products as f64),
        counter("shop_catalog_updates", "Updates of the read model after changes", listing.updates as f64),
        counter("shop_catalog_loads", "Loads of the whole read model", listing.loads as f64),
    ]
}

fn database(parts: &MetricsParts) -> Vec<Metric> {
    let pools = parts.cx.db.pools();
    let named = |value: fn(&PoolFigures) -> u32| {
        pools.iter().map(move |pool| (pool.name.to_lowercase(), f64::from(value(pool))))
    };
    let uses = parts.cx.db.uses();
    let of = |durations: fn(&PoolUse) -> &Durations| {
        uses.iter().map(move |pool| (pool.name.to_lowercase(), durations(pool).clone()))
    };
    let writing = of(|pool| &pool.transactions).filter(|(_, durations)| durations.count() > 0);
    vec![
        Metric {
            name: "shop_db_connections_in_use",
            help: "Connections that are in use",
            values: Values::Gauge(by("pool", named(|pool| pool.in_use))),
        },
        Metric {
            name: "shop_db_connections_idle",
            help: "Open connections that are not in use",
            values: Values::Gauge(by("pool", named(|pool| pool.idle))),
        },
        Metric {
            name: "shop_db_connections_max",
            help: "How many connections there may be",
            values: Values::Gauge(by("pool", named(|pool| pool.most))),
        },
        Metric {
            name: "shop_db_waiting",
            help: "Callers that wait for a connection",
            values: Values::Gauge(by(
                "pool",
                uses.iter().map(|pool| (pool.name.to_lowercase(), f64::from(pool.waiting))),
            )),
        },
        Metric {
            name: "shop_db_wait_seconds",
            help: "Time that callers waited for a connection",
            values: Values::Histogram(by("pool", of(|pool| &pool.waits))),
        },
        Metric {
            name: "shop_db_transaction_seconds",
            help: "Time of write transactions, by who made them",
            values: Values::Histogram(by("pool", writing)),
        },
        gauge(
            "shop_db_listening",
            "Whether this node hears what others have changed",
            if parts.cx.db.hears_others() { 1.0 } else { 0.0 },
        ),
        counter(
            "shop_db_transaction_retries",
            "Transactions that met another one and ran again",
            parts.cx.db.retries() as f64,
        ),
    ]
}

fn jobs(parts: &MetricsParts) -> Vec<Metric> {
    let (lanes, runs) = (Lane::ALL.iter().copied(), parts.jobs.runs());
    let looked = lanes.clone().filter_map(|lane| Some((lane.text(), parts.jobs.last_look(lane)?.as_secs_f64())));
    let results = runs.iter().flat_map(|(kind, runs)| {
        [("done", runs.done), ("failed", runs.failed), ("dead", runs.dead)]
            .map(|(result, count)| (*kind, result, count as f64))
    });
    vec![
        Metric {
            name: "shop_job_slots_in_use",
            help: "Jobs that run on this node",
            values: Values::Gauge(by("lane", lanes.clone().map(|lane| (lane.text(), parts.jobs.running(lane) as f64)))),
        },
        Metric {
            name: "shop_job_slots",
            help: "How many jobs may run on this node at once",
            values: Values::Gauge(by("lane", lanes.map(|lane| (lane.text(), lane.slots() as f64)))),
        },
        Metric {
            name: "shop_job_last_look_seconds",
            help: "Time since the node's worker looked for jobs",
            values: Values::Gauge(by("lane", looked)),
        },
        Metric {
            name: "shop_job_runs",
            help: "Runs of jobs on this node; a failed job is tried again, a dead one is not",
            values: Values::Counter(by_two(("kind", "result"), results)),
        },
        Metric {
            name: "shop_job_run_seconds",
            help: "Time that runs of jobs took on this node",
            values: Values::Counter(by("kind", runs.iter().map(|(kind, runs)| (*kind, runs.took.as_secs_f64())))),
        },
    ]
}

fn events() -> Vec<Metric> {
    let metric = |family: &shop_platform::metrics::Family| Metric {
        name: family.name,
        help: family.help,
        values: Values::Counter(by(
            family.label,
            family.counters.iter().map(|(value, count)| (*value, count.get() as f64)),
        )),
    };
    let security = Metric {
        name: "shop_security_events",
        help: "Events of the security log, also those without a line",
        values: Values::Counter(by("event", security::counts().map(|(event, count)| (event, count as f64)))),
    };
    FAMILIES.iter().map(metric).chain([security]).collect()
}
