//! `shop doctor`: whether the shop can work with its settings, and what to do where it cannot. A running shop does not
//! notice.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use shop::app::{identity_provider, providers};
use shop_base::clock::{Clock, SystemClock, today};
use shop_base::config::{Config, ConfigError};
use shop_base::counties;
use shop_base::db::DbError;
use shop_base::db::diagnosis::{
    Diagnosis, Look, are_limited, diagnose, find_damage, find_file, keeps_commits, messages_arrive,
};
use shop_domain::tax::service::find_missing;
use shop_http::admin::testing::checks::{self, CheckState};
use shop_integrations::smtp::SmtpMailer;
use shop_platform::mail::mailer::Mailer;
use shop_platform::media::{Media, folder};
use tokio::time::timeout;

use super::backup::public_key;
use super::env_file::{EnvFile, Failure};

/// No check waits longer for a service.
const LIMIT: Duration = Duration::from_secs(20);
/// How far the clocks of the shop and its database may differ. Due times and holds use the shop's clock, leases of jobs the database's. Both warn
/// early: within a minute a difference is harmless.
const SKEW_WARNING_MS: u64 = 2_000;
const SKEW_ERROR_MS: u64 = 30_000;
/// Free space on a disk.
const SPACE_WARNING: u64 = 2 << 30;
const SPACE_ERROR: u64 = 200 << 20;

enum State {
    Ok,
    Warning,
    Error,
}

struct Finding {
    state: State,
    about: &'static str,
    /// What was found, and what to do about it.
    text: String,
}

impl Finding {
    fn ok(about: &'static str, text: impl Into<String>) -> Self {
        Self { state: State::Ok, about, text: text.into() }
    }

    fn warning(about: &'static str, text: impl Into<String>) -> Self {
        Self { state: State::Warning, about, text: text.into() }
    }

    fn error(about: &'static str, text: impl Into<String>) -> Self {
        Self { state: State::Error, about, text: text.into() }
    }
}

pub async fn run(env_file: &EnvFile) -> Result<ExitCode, Failure> {
    let findings = match env_file.config() {
        Ok(config) => examine(&config).await,
        Err(error) => match error.downcast::<ConfigError>() {
            Ok(error) => error.0.into_iter().map(|problem| Finding::error("Settings", problem)).collect(),
            Err(error) => vec![Finding::error("Settings", error.to_string())],
        },
    };
    let mut out = io::stdout().lock();
    for Finding { state, about, text } in &findings {
        let state = match state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Error => "error",
        };
        writeln!(out, "{state:<8}{about}: {}", text.replace('\n', " "))?;
    }
    let has_errors = findings.iter().any(|finding| matches!(finding.state, State::Error));
    Ok(if has_errors { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = settings(config);
    let (database, pictures, nodes, mail, payment, sign_in) = tokio::join!(
        database(config),
        pictures(config),
        pictures_of_nodes(config),
        mail(config),
        payment(config),
        sign_in(config),
    );
    findings.extend(database);
    findings.extend(writable("Data folder", "SHOP_DATA", &config.data.folder));
    findings.push(pictures);
    findings.extend(nodes);
    findings.extend([mail, payment, sign_in]);
    findings
}

fn settings(config: &Config) -> Vec<Finding> {
    // What is off is said by the check of that part.
    let is_told_below = |warning: &&String| !warning.contains(" is off") && !warning.contains("nobody can sign in");
    let mut findings: Vec<Finding> =
        config.warnings.iter().filter(is_told_below).map(|warning| Finding::warning("Settings", warning)).collect();
    match config.backup_key.as_deref().map(public_key) {
        Some(Err(error)) => findings.push(Finding::error("Settings", error.to_string())),
        None => findings.push(Finding::warning(
            "Settings",
            "SHOP_BACKUP_KEY is not set: backups are not encrypted; make a pair of keys with shop backup-key",
        )),
        Some(Ok(_)) => {}
    }
    if findings.is_empty() {
        findings.push(Finding::ok("Settings", "complete"));
    }
    findings
}

async fn database(config: &Config) -> Vec<Finding> {
    const ABOUT: &str = "Database";
    let address = config.data.database.expose();
    let found = match timeout(LIMIT, diagnose(address)).await {
        Ok(Ok(found)) => found,
        Ok(Err(error @ (DbError::Damaged(_) | DbError::Folder { .. } | DbError::Interrupted(_)))) => {
            return vec![Finding::error(ABOUT, error.to_string())];
        }
        Ok(Err(error)) => {
            let advice = "check SHOP_DATABASE, that the database runs, and that its user may write there";
            return vec![Finding::error(ABOUT, format!("{error}; {advice}"))];
        }
        Err(_) => return vec![Finding::error(ABOUT, "it does not answer: check SHOP_DATABASE, and that it runs")],
    };
    let (is_there, is_current) = (found.is_some(), found.as_ref().is_some_and(|found| found.pending == 0));
    let mut findings = match found {
        None => vec![Finding::ok(ABOUT, "there is none yet; the first start makes one")],
        Some(Diagnosis { system, is_new, pending, grant, database_grant, other_encoding, now_ms }) => {
            let mut findings = vec![Finding::ok(ABOUT, system), migrations(pending, grant.as_deref())];
            findings.extend(other_encoding.map(|other| encoding(other, is_new)));
            findings.extend(database_grant.map(|grant| restore(&grant)));
            findings.push(clock(now_ms));
            findings
        }
    };
    if is_current {
        findings.extend(tax(config).await);
    }
    if let Some(file) = find_file(address) {
        if is_there {
            findings.push(pages(address).await);
        }
        let place = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        findings.extend(writable("Database folder", "SHOP_DATABASE", place));
    } else {
        findings.extend([limits(address).await, messages(address).await]);
        findings.extend(commits(address).await);
    }
    findings
}

fn migrations(pending: usize, grant: Option<&str>) -> Finding {
    const ABOUT: &str = "Migrations";
    match (pending, grant) {
        (0, _) => Finding::ok(ABOUT, "all are applied"),
        (_, None) => {
            Finding::warning(ABOUT, format!("{pending} are missing: the next start applies them, or shop migrate"))
        }
        (_, Some(grant)) => Finding::error(
            ABOUT,
            format!(
                "{pending} are missing, and the user in SHOP_DATABASE may not create tables: run {grant} as the owner \
                 of the schema"
            ),
        ),
    }
}

fn encoding(other: String, is_new: bool) -> Finding {
    let mut text = DbError::Encoding(other).to_string();
    if !is_new {
        text.push_str("; shop backup and shop restore bring the shop there");
    }
    Finding::error("Encoding", text)
}

fn restore(grant: &str) -> Finding {
    let text = format!(
        "the user in SHOP_DATABASE may not create schemas, which shop restore does: run {grant} as the owner of the \
         database"
    );
    Finding::warning("Restore", text)
}

/// Nothing fails when a rate is missing: sales are taxed too low.
async fn tax(config: &Config) -> Vec<Finding> {
    const ABOUT: &str = "Tax";
    let company = &config.company;
    let (state, county) = (&company.state, counties::shown(&company.state, &company.county));
    let today = today(&SystemClock, &company.time_zone);
    let looking = async {
        let mut look = Look::at(config.data.database.expose()).await?;
        let missing = find_missing(&mut look.conn(), company, today).await?;
        look.close().await?;
        Ok::<_, DbError>(missing)
    };
    let missing = match timeout(LIMIT, looking).await {
        Ok(Ok(missing)) => missing,
        Ok(Err(error)) => return vec![Finding::error(ABOUT, error.to_string())],
        Err(_) => return vec![Finding::error(ABOUT, "the database does not answer")],
    };
    let mut findings = Vec::new();
    if missing.state {
        findings.push(Finding::warning(
            ABOUT,
            format!(
                "no rate of {state} itself is in force today: sales in {state} are taxed without the state's part; add \
                 its rate, even if it is 0%, in the admin area, Settings, Tax"
            ),
        ));
    }
    findings.push(if missing.county {
        Finding::warning(
            ABOUT,
            format!(
                "SHOP_COMPANY_COUNTY is {}, and no rate of {county} is in force today: sales in {state} are taxed \
                 without the county's part; add its rate in the admin area, Settings, Tax, or correct SHOP_COMPANY_COUNTY",
                company.county
            ),
        )
    } else {
        Finding::ok(ABOUT, format!("no rate of {county} is missing"))
    });
    findings
}

/// With a pooler that refuses them the shop cannot start; with one that ignores them a lock is waited for forever.
async fn limits(address: &str) -> Finding {
    const ABOUT: &str = "Limits of connections";
    const ADVICE: &str = "SHOP_DATABASE must lead to PostgreSQL itself, or to a pooler that passes on the startup \
                          parameter options, which PgBouncer does not";
    match timeout(LIMIT, are_limited(address)).await {
        Ok(Ok(true)) => Finding::ok(ABOUT, "they apply"),
        Ok(Ok(false)) => Finding::error(ABOUT, format!("they do not apply: {ADVICE}")),
        Ok(Err(error)) => Finding::error(ABOUT, format!("{error}; {ADVICE}")),
        Err(_) => Finding::error(ABOUT, "the database does not answer"),
    }
}

/// A pooler that hands out connections for single transactions loses messages and locks.
async fn messages(address: &str) -> Finding {
    const ABOUT: &str = "Messages between nodes";
    match timeout(LIMIT, messages_arrive(address)).await {
        Ok(Ok(true)) => Finding::ok(ABOUT, "they arrive"),
        Ok(Ok(false)) => Finding::error(
            ABOUT,
            "they do not arrive: SHOP_DATABASE must lead to PostgreSQL itself, or to a pooler that keeps a connection \
             for a whole session",
        ),
        Ok(Err(error)) => Finding::error(ABOUT, error.to_string()),
        Err(_) => Finding::error(ABOUT, "the database does not answer"),
    }
}

/// The shop calls the card provider when it has committed what for: if the server loses that, nobody knows of the payment.
async fn commits(address: &str) -> Option<Finding> {
    // What is wrong with the database is said by the other checks.
    let may_be_lost = matches!(timeout(LIMIT, keeps_commits(address)).await, Ok(Ok(false)));
    let text = "synchronous_commit is off for connections of the shop: a server that crashes loses the last orders and payments; \
                set it to on for the server, the database and the role";
    may_be_lost.then(|| Finding::warning("Commits", text))
}

/// The pages of an SQLite file.
async fn pages(address: &str) -> Finding {
    const ABOUT: &str = "Database file";
    const ADVICE: &str = "stop the shop, keep the file, and restore a backup with shop restore";
    match timeout(LIMIT, find_damage(address)).await {
        Ok(Ok(None)) => Finding::ok(ABOUT, "all pages are sound"),
        Ok(Ok(Some(damage))) => Finding::error(ABOUT, format!("it is damaged ({damage}): {ADVICE}")),
        Ok(Err(error)) => Finding::error(ABOUT, error.to_string()),
        Err(_) => Finding::warning(ABOUT, format!("it is too large to be read within {} s", LIMIT.as_secs())),
    }
}

fn clock(theirs: Option<i64>) -> Finding {
    const ABOUT: &str = "Clock";
    let Some(theirs) = theirs else { return Finding::ok(ABOUT, "shop and database have the same") };
    let skew = theirs.abs_diff(SystemClock.now_ms());
    let text = format!("it differs from the database's by {skew} ms");
    match skew {
        SKEW_ERROR_MS.. => Finding::error(ABOUT, format!("{text}: synchronize both machines (NTP)")),
        SKEW_WARNING_MS.. => Finding::warning(ABOUT, format!("{text}: synchronize both machines (NTP)")),
        _ => Finding::ok(ABOUT, text),
    }
}

/// A folder must be writable, or it must be possible to make it, and its disk must have space.
fn writable(about: &'static str, setting: &str, folder: &Path) -> Vec<Finding> {
    let shown = folder.display();
    let Some(existing) = folder.ancestors().find(|folder| folder.exists() || folder.as_os_str().is_empty()) else {
        return vec![Finding::error(about, format!("{shown} does not exist: check {setting}"))];
    };
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    if let Err(error) = tempfile::tempfile_in(existing) {
        let text = format!(
            "{} cannot be written to ({error}): make the user that runs the shop its owner (chown)",
            existing.display()
        );
        return vec![Finding::error(about, text)];
    }
    let mut findings = vec![Finding::ok(about, format!("{shown} can be written to"))];
    #[cfg(unix)]
    findings.push(match rustix::fs::statvfs(existing) {
        Ok(disk) => space(about, disk.f_bavail.saturating_mul(disk.f_frsize)),
        Err(error) => Finding::warning(about, format!("the free space of its disk is unknown: {error}")),
    });
    findings
}

#[cfg(unix)]
fn space(about: &'static str, free: u64) -> Finding {
    let text = format!("{:.1} GiB are free on its disk", free as f64 / f64::from(1 << 30));
    match free {
        ..SPACE_ERROR => Finding::error(about, format!("{text}: make room, or nothing can be sold")),
        SPACE_ERROR..SPACE_WARNING => Finding::warning(about, format!("{text}: make room")),
        SPACE_WARNING.. => Finding::ok(about, text),
    }
}

async fn limited(about: &'static str, hint: &str, check: impl Future<Output = (CheckState, String)>) -> Finding {
    match timeout(LIMIT, check).await {
        Ok((CheckState::Works, text)) => Finding::ok(about, text),
        Ok((CheckState::Off, text)) => Finding::warning(about, format!("off. {text}")),
        Ok((CheckState::Fails, text)) => Finding::error(about, format!("{text}; {hint}")),
        Err(_) => Finding::error(about, format!("no answer within {} s; {hint}", LIMIT.as_secs())),
    }
}

/// What a part that could not be set up says.
fn failed(error: &dyn Display) -> (CheckState, String) {
    (CheckState::Fails, error.to_string())
}

async fn pictures(config: &Config) -> Finding {
    let hint = match config.data.bucket {
        None => "check SHOP_DATA and who owns its folder",
        Some(_) => "check SHOP_PICTURES and the SHOP_S3_… settings, and that the key may read, write, list and delete",
    };
    let lacking = list_lacking(&config.data.folder);
    let finding = limited("Pictures", hint, async {
        match Media::open(&config.data) {
            Ok(media) => checks::storage(&media).await,
            Err(error) => failed(&error),
        }
    })
    .await;
    // What root made, which runs the doctor, the shop's user could not write to. One with something in it stays.
    for folder in lacking {
        drop(fs::remove_dir(folder));
    }
    finding
}

/// Folders that [`Media::open`] makes, the innermost first.
fn list_lacking(data: &Path) -> Vec<PathBuf> {
    let inner = ["pictures", "renditions"].map(|name| data.join(name));
    let all = inner.iter().map(PathBuf::as_path).chain(data.ancestors());
    all.filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()).map(Path::to_owned).collect()
}

/// Nodes with folders of their own do not have the same pictures. It is known of those that are running.
async fn pictures_of_nodes(config: &Config) -> Option<Finding> {
    let folder = folder::of_node(&config.data)?;
    let looking = async {
        let mut look = Look::at(config.data.database.expose()).await?;
        let is_separate = folder::is_separate(&mut look.conn(), folder::find_id(&folder).as_deref()).await?;
        look.close().await?;
        Ok::<_, DbError>(is_separate)
    };
    // What is wrong with the database is said by its own check.
    let is_separate = timeout(LIMIT, looking).await.is_ok_and(|looked| looked.unwrap_or(false));
    is_separate.then(|| Finding::warning("Pictures", folder::SEPARATE))
}

async fn mail(config: &Config) -> Finding {
    limited("Mail", "check SHOP_SMTP_URL and that the mail server can be reached from here", async {
        let Some(settings) = &config.mail else { return checks::mail(None).await };
        match SmtpMailer::new(settings) {
            Ok(mailer) => checks::mail(Some(&mailer as &dyn Mailer)).await,
            Err(error) => failed(&error),
        }
    })
    .await
}

async fn payment(config: &Config) -> Finding {
    limited("Card payment", "check the SHOP_SQUARE_… settings and the connection to Square", async {
        match providers(config) {
            Ok(providers) => checks::payment(providers.square.as_deref(), SystemClock.now_ms()).await,
            Err(error) => failed(&error),
        }
    })
    .await
}

async fn sign_in(config: &Config) -> Finding {
    limited(
        "Sign-in",
        "check SHOP_OIDC_ISSUER: the provider's metadata must be at its /.well-known/openid-configuration",
        async {
            let clock: Arc<dyn Clock> = Arc::new(SystemClock);
            match identity_provider(config, &clock) {
                Ok(provider) => checks::sign_in(provider.as_deref()).await,
                Err(error) => failed(&error),
            }
        },
    )
    .await
}
