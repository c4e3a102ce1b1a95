//! Parses a file product by product, compares batches of a hundred with the shop, and stores the items to write.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use shop_base::db::{Db, DbError};
use shop_base::money::Money;
use uuid::Uuid;

use super::columns::Header;
use super::report::{Outcome, Report, ReportLine};
use super::rows::{Group, Messages, Wanted};
use super::store::{Item, ItemState};
use super::{columns, store};
use crate::catalog::editing::differences::{product_changes, variant_changes};
use crate::catalog::editing::model::{ProductContent, Recount, StoredProduct, Surroundings};
use crate::catalog::editing::service;
use crate::catalog::editing::service::Positions;
use crate::stock::adjust::MAX_ON_HAND;
use crate::stock::counts::{Count, list_adjustments};

/// Products per batch.
const AT_ONCE: usize = 100;
/// Lines after which a batch takes no further product: a statement has a parameter for each variant and picture.
const LINES_AT_ONCE: usize = 5_000;
/// Maximum lines of one product: the larger of the numbers of its variants and pictures.
const MAX_ROWS: usize = 300;
/// Maximum lines of a file: the report about all of them is held in memory.
const MAX_LINES: usize = 200_000;
/// Follows the file: a blank record, unless a quotation mark of the file is still open.
const END: &[u8] = b"\n,";

#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The file is invalid; the text is shown to the user.
    #[error("{0}")]
    File(String),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Parses the whole file of an import. `progress` is set to the number of bytes read. A connection is held for one batch at most.
pub async fn walk(db: &Db, import: Uuid, file: &[u8], now: i64, progress: &AtomicU64) -> Result<Report, WalkError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file.chain(END));
    let header = Header::of(reader.headers().map_err(unreadable)?);
    if header.is_separated_otherwise() {
        return Err(WalkError::File(
            "The columns are separated by semicolons or tabs. Save the file as CSV with commas.".to_owned(),
        ));
    }
    if !header.has(columns::HANDLE) {
        return Err(WalkError::File(format!("The first line must name the columns. {} is missing.", columns::HANDLE)));
    }
    let mut walker = Walker {
        db,
        import,
        now,
        around: service::find_surroundings(&mut db.read().await?.conn()).await?,
        report: Report::default(),
        handles: HashSet::new(),
        skus: HashMap::new(),
        place: 0,
    };
    if !header.ignored.is_empty() {
        walker.report.remark(&format!("These columns are ignored: {}.", header.ignored.join(", ")));
    }
    let mut batch: Vec<Group> = Vec::new();
    let mut lines = 0;
    let mut position = Position { file, byte: 0, line: 1 };
    let mut is_complete = false;
    // A record that is read into another one's buffer would keep the length of the longest so far; these are as long as their lines.
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let byte = record.position().map_or(0, csv::Position::byte);
        progress.store(byte, Ordering::Relaxed);
        let line = position.move_to(byte);
        is_complete = record.iter().all(|cell| cell.trim().is_empty());
        if is_complete {
            continue;
        }
        if record.iter().any(|cell| cell.contains('\0')) {
            return Err(WalkError::File(format!("Line {line} has a NUL character. Save the file as “CSV UTF-8”.")));
        }
        lines += 1;
        if lines > MAX_LINES {
            return Err(WalkError::File(
                "A file can have at most 200,000 lines. Split it into several files.".to_owned(),
            ));
        }
        let handle = header.identifier(&record, columns::HANDLE);
        // Lines without a handle belong to no product, so each is told on its own.
        match batch.last_mut().filter(|group| !handle.is_empty() && group.handle == handle) {
            Some(group) if group.rows.len() == MAX_ROWS => {
                return Err(WalkError::File(format!("Line {line}: a product can have at most {MAX_ROWS} lines.")));
            }
            Some(group) => {
                group.rows.push((line, record));
                continue;
            }
            None => {}
        }
        if is_full(&batch) {
            walker.take(&header, std::mem::take(&mut batch)).await?;
        }
        batch.push(Group { handle, rows: vec![(line, record)] });
    }
    if !is_complete {
        let line = position.line;
        return Err(WalkError::File(format!(
            "A quotation mark isn’t closed, in line {line} or above. Is the file complete?"
        )));
    }
    walker.take(&header, batch).await?;
    Ok(walker.report)
}

/// A place in the file, with its line as in a text editor: lines end with LF, CR LF or CR.
struct Position<'a> {
    file: &'a [u8],
    byte: usize,
    line: u64,
}

impl Position<'_> {
    /// The line of a record. The reader counts the line ends before a record as its own.
    fn move_to(&mut self, byte: u64) -> u64 {
        let start = usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(found) = self.file.get(self.byte) {
            if self.byte >= start && !b"\r\n".contains(found) {
                break;
            }
            self.byte += 1;
            let is_end = *found == b'\n' || (*found == b'\r' && self.file.get(self.byte) != Some(&b'\n'));
            self.line += u64::from(is_end);
        }
        self.line
    }
}

fn is_full(batch: &[Group]) -> bool {
    batch.len() == AT_ONCE || batch.iter().map(|group| group.rows.len()).sum::<usize>() >= LINES_AT_ONCE
}

fn unreadable(error: csv::Error) -> WalkError {
    let line = error.position().map_or(String::new(), |at| format!(" in line {}", at.line()));
    WalkError::File(match error.kind() {
        csv::ErrorKind::Utf8 { .. } => format!("The file isn’t UTF-8{line}. Save it as “CSV UTF-8”."),
        _ => format!("The file isn’t valid CSV{line}."),
    })
}

struct Walker<'a> {
    db: &'a Db,
    import: Uuid,
    /// UTC milliseconds.
    now: i64,
    around: Surroundings,
    report: Report,
    /// Handles seen in the file so far.
    handles: HashSet<String>,
    /// Line numbers of the skus seen in the file so far.
    skus: HashMap<String, u64>,
    /// Number of products to write so far.
    place: i64,
}

impl Walker<'_> {
    /// Compares a batch of products, and stores those that differ.
    async fn take(&mut self, header: &Header, batch: Vec<Group>) -> Result<(), WalkError> {
        let mut reader = self.db.read().await?;
        let mut conn = reader.conn();
        let handles: Vec<String> = batch.iter().map(|group| group.handle.clone()).collect();
        let ids = service::list_ids(&mut conn, &handles).await?;
        let adjustments = list_adjustments(&mut conn, &ids).await?;
        let stored = service::list(&mut conn, &ids).await?;
        let mut keys: Vec<String> = batch.iter().flat_map(|group| group.picture_keys(header)).collect();
        keys.extend(stored.iter().flat_map(|each| &each.content.pictures).map(|picture| picture.key.clone()));
        self.around.pictures = service::find_pictures(&mut conn, &keys).await?;
        let mut stored: HashMap<String, StoredProduct> =
            stored.into_iter().map(|product| (product.content.handle.clone(), product)).collect();
        let mut compared = Vec::with_capacity(batch.len());
        for group in batch {
            let before = stored.remove(&group.handle);
            let wanted = group.read(header, before.as_ref(), &self.around);
            compared.push((group, before, wanted));
        }
        let contents: Vec<&ProductContent> = compared.iter().map(|(_, _, wanted)| &wanted.content).collect();
        service::look_around(&mut conn, &mut self.around, &contents).await?;
        for (_, before, wanted) in &mut compared {
            self.change_former(before.as_ref(), wanted);
        }
        drop(reader);
        let mut items = Vec::new();
        for (group, before, mut wanted) in compared {
            self.keep_adjusted(before.as_ref(), &mut wanted, &adjustments);
            self.find_errors(&group, before.as_ref(), &mut wanted);
            self.report(&group, before.as_ref(), &wanted);
            items.extend(self.item(&group, before.as_ref(), wanted, &adjustments));
        }
        let mut tx = self.db.begin().await?;
        store::put_items(&mut tx.conn(), self.import, &items).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The item to write for a product, if anything differs.
    fn item(
        &mut self,
        group: &Group,
        before: Option<&StoredProduct>,
        wanted: Wanted,
        adjustments: &BTreeMap<Uuid, i64>,
    ) -> Option<Item> {
        let counts: Vec<Count> =
            self.counts(before, &wanted).iter().map(|recount| recount.count(adjustments)).collect();
        let is_same = counts.is_empty() && before.is_some_and(|before| tidy(&before.content) == wanted.content);
        if is_same || !wanted.errors.is_empty() {
            return None;
        }
        self.place += 1;
        Some(Item {
            place: self.place,
            line: group.rows.first().map_or(0, |(line, _)| i64::try_from(*line).unwrap_or(i64::MAX)),
            handle: group.handle.clone(),
            product_id: before.map(|before| before.id),
            version: before.map_or(0, |before| before.version),
            content: Some(wanted.content),
            places: Positions::new(),
            counts,
            state: ItemState::Waiting,
            why: String::new(),
        })
    }

    /// Variants whose stock the file changes, with those that it adds again.
    fn counts(&self, before: Option<&StoredProduct>, wanted: &Wanted) -> Vec<Recount> {
        let changed = wanted.counts.iter().filter_map(|(at, stock)| {
            let (before, variant_id) = (before?, wanted.content.variants.get(*at)?.id?);
            let old = before.content.variants.iter().position(|variant| variant.id == Some(variant_id))?;
            let level = *before.stock.get(old)?;
            let wanted = stock.wanted(level.on_hand);
            (level.on_hand != wanted).then_some(Recount { at: *at, variant_id, level, wanted })
        });
        changed.chain(self.around.recounts(before, &wanted.content)).collect()
    }

    /// A variant that is added again has a stock, to which the file's change is applied.
    fn change_former(&self, before: Option<&StoredProduct>, wanted: &mut Wanted) {
        let Some(before) = before else { return };
        for (at, stock) in &wanted.counts {
            let Some(variant) = wanted.content.variants.get(*at).filter(|variant| variant.id.is_none()) else {
                continue;
            };
            let former =
                self.around.former(before.id, &wanted.content, &variant.sku).map(|former| former.stock.on_hand);
            if let (Some(on_hand), Some(variant)) = (former, wanted.content.variants.get_mut(*at)) {
                variant.on_hand = Some(stock.wanted(on_hand));
            }
        }
    }

    /// Keeps the stock that staff have changed since the file was exported: they have seen the shelf later. So a file that is imported twice
    /// changes the stock once.
    fn keep_adjusted(&self, before: Option<&StoredProduct>, wanted: &mut Wanted, adjustments: &BTreeMap<Uuid, i64>) {
        for Recount { at, variant_id, .. } in self.counts(before, wanted) {
            let now = adjustments.get(&variant_id).copied().unwrap_or(0);
            if wanted.counts.get(&at).is_some_and(|stock| stock.is_outdated(now)) {
                wanted.counts.remove(&at);
                if let Some(variant) = wanted.content.variants.get_mut(at) {
                    variant.on_hand = None;
                }
                let line = wanted.variant_lines.get(&at).copied().unwrap_or(wanted.line);
                let note = "Its stock stays: it was counted or imported after this export. To change it, export again.";
                wanted.notes.entry(line).or_default().push(note.to_owned());
            }
        }
    }

    fn find_errors(&mut self, group: &Group, before: Option<&StoredProduct>, wanted: &mut Wanted) {
        let first = wanted.line;
        let mut say = |line: u64, message: String| wanted.errors.entry(line).or_default().push(message);
        if group.handle.is_empty() {
            return say(first, format!("{}: required on every line.", columns::HANDLE));
        }
        if !self.handles.insert(group.handle.clone()) {
            return say(first, "A product’s lines must be together. This handle appeared earlier.".to_owned());
        }
        for (field, messages) in service::problems(&self.around, before, &wanted.content) {
            let (line, name) = place(&field, wanted, first);
            let all = messages.iter().map(|message| format!("{name}: {message}"));
            wanted.errors.entry(line).or_default().extend(all);
        }
        if let Some(problem) = service::schedule_problem(before, &wanted.content, self.now) {
            wanted.errors.entry(first).or_default().push(format!("{}: {problem}", columns::PUBLISH_AT));
        }
        for (at, line) in &wanted.variant_lines {
            let Some(variant) = wanted.content.variants.get(*at).filter(|variant| !variant.sku.is_empty()) else {
                continue;
            };
            if let Some(other) = self.skus.insert(variant.sku.clone(), *line) {
                let message = format!("{}: {} is also on line {other}.", columns::SKU, variant.sku);
                wanted.errors.entry(*line).or_default().push(message);
            }
        }
        for recount in self.counts(before, wanted) {
            if let Some(problem) = stock_problem(&recount, wanted) {
                let line = wanted.variant_lines.get(&recount.at).copied().unwrap_or(first);
                wanted.errors.entry(line).or_default().push(format!("{}: {problem}", columns::QUANTITY));
            }
        }
    }

    /// Adds each line of a product to the report.
    fn report(&mut self, group: &Group, before: Option<&StoredProduct>, wanted: &Wanted) {
        let mut what = Messages::new();
        let first = wanted.line;
        let old = before.map(|before| tidy(&before.content));
        if let Some(old) = &old {
            what.entry(first).or_default().extend(product_changes(old, &wanted.content));
        }
        let mut made: HashSet<u64> = HashSet::new();
        for (at, line) in &wanted.variant_lines {
            let Some(variant) = wanted.content.variants.get(*at) else { continue };
            let former =
                old.as_ref().and_then(|old| old.variants.iter().find(|old| old.id.is_some() && old.id == variant.id));
            let words = match former {
                Some(former) => variant_changes(former, variant),
                None => {
                    made.insert(*line);
                    vec![format!("adds {} at {}", variant.sku, Money::usd(variant.price).dollars())]
                }
            };
            what.entry(*line).or_default().extend(words);
        }
        for (at, line) in &wanted.picture_lines {
            let picture = wanted.content.pictures.get(*at);
            let former =
                old.as_ref().map(|old| old.pictures.iter().find(|old| Some(&old.key) == picture.map(|p| &p.key)));
            match former {
                Some(Some(old)) if Some(&old.alt) != picture.map(|p| &p.alt) => {
                    what.entry(*line).or_default().push("alt text".to_owned());
                }
                Some(None) => what.entry(*line).or_default().push("adds an image".to_owned()),
                _ => {}
            }
        }
        for Recount { at, level, wanted: count, .. } in self.counts(before, wanted) {
            let line = wanted.variant_lines.get(&at).copied().unwrap_or(first);
            let change = wanted.counts.get(&at).and_then(|stock| stock.change());
            let change = change.map(|change| format!(" ({change:+} in the file)")).unwrap_or_default();
            what.entry(line).or_default().push(format!("on hand {} → {count}{change}", level.on_hand));
        }
        for (line, _) in &group.rows {
            let (errors, words) = (wanted.errors.get(line), what.remove(line).unwrap_or_default());
            let outcome = match (errors, before) {
                (Some(_), _) => Outcome::Refused,
                (None, None) => Outcome::New,
                (None, Some(_)) if made.contains(line) => Outcome::New,
                (None, Some(_)) if words.is_empty() => Outcome::Unchanged,
                (None, Some(_)) => Outcome::Changed,
            };
            let what = errors.map_or_else(|| words.join("; "), |errors| errors.join(" "));
            let note = wanted.notes.get(line).map(|notes| notes.join(" ")).unwrap_or_default();
            self.report.add(&ReportLine { line: *line, handle: group.handle.clone(), outcome, what, note });
        }
    }
}

/// Why the stock cannot be that of the file.
fn stock_problem(recount: &Recount, wanted: &Wanted) -> Option<String> {
    let Recount { level, wanted: count, .. } = recount;
    match wanted.counts.get(&recount.at).and_then(|stock| stock.change()) {
        Some(change) if *count < 0 => {
            let less = -change;
            Some(format!("{less} fewer than when it was exported, but only {} are on hand now.", level.on_hand))
        }
        _ if *count > MAX_ON_HAND => Some("stock must stay between 0 and 1,000,000.".to_owned()),
        _ if *count < level.reserved => Some(format!("Reserved for orders: {}.", level.reserved)),
        _ => None,
    }
}

fn tidy(content: &ProductContent) -> ProductContent {
    let mut content = content.clone();
    content.tidy();
    content
}

/// The line number of a field such as `variants[2].sku`, and the name of the field.
fn place(field: &str, wanted: &Wanted, first: u64) -> (u64, String) {
    let (list, rest) = field.split_once('[').unwrap_or((field, ""));
    let (at, name) = rest.split_once(']').unwrap_or(("", ""));
    let at: usize = at.parse().unwrap_or(usize::MAX);
    let lines = match list {
        "variants" => &wanted.variant_lines,
        "pictures" => &wanted.picture_lines,
        _ => return (first, field.replace('_', " ")),
    };
    let name = name.trim_start_matches('.').replace('_', " ");
    (lines.get(&at).copied().unwrap_or(first), if name.is_empty() { list.to_owned() } else { name })
}
