//! Parses the rows of one product.

mod numbers;
mod pictures;
mod variants;

use std::collections::{BTreeMap, BTreeSet};

use csv::StringRecord;
use uuid::Uuid;

use self::pictures::picture_key;
use super::columns::{self as c, Header};
use super::html;
use crate::catalog::editing::model::{ProductContent, ProductStatus, StoredProduct, Surroundings};
use crate::catalog::model::Detail;

/// The rows of a file that belong to one product, with their line numbers.
#[derive(Debug)]
pub struct Group {
    pub handle: String,
    pub rows: Vec<(u64, StringRecord)>,
}

/// The result of parsing a product.
#[derive(Debug)]
pub struct Wanted {
    pub content: ProductContent,
    /// The line number of the head row, for what is about the product itself.
    pub line: u64,
    /// Line numbers of variants and pictures, by their index in the product.
    pub variant_lines: BTreeMap<usize, u64>,
    pub picture_lines: BTreeMap<usize, u64>,
    /// The stock of variants, by index.
    pub counts: BTreeMap<usize, FileStock>,
    pub errors: Messages,
    pub notes: Messages,
}

/// A variant's stock on hand according to a file.
#[derive(Clone, Copy, Debug)]
pub struct FileStock {
    pub quantity: i64,
    /// The stock on hand when the shop wrote the file: its author meant a change of this, and goods were sold since.
    exported: Option<i64>,
    /// The number of manual changes of the stock at that time.
    adjustments: Option<i64>,
}

impl FileStock {
    /// The file's change of the stock when it was exported; none for a file without that.
    pub fn change(self) -> Option<i64> {
        self.exported.map(|exported| self.quantity - exported)
    }

    /// The stock to set, where this many are on hand.
    pub fn wanted(self, on_hand: i64) -> i64 {
        self.change().map_or(self.quantity, |change| on_hand + change)
    }

    /// Whether staff have changed the stock since the export.
    pub fn is_outdated(self, adjustments: i64) -> bool {
        self.exported.is_some() && self.adjustments.is_some_and(|then| then != adjustments)
    }
}

/// Messages by line.
pub type Messages = BTreeMap<u64, Vec<String>>;

impl Group {
    /// All picture keys in its rows.
    pub fn picture_keys(&self, header: &Header) -> Vec<String> {
        let cells =
            self.rows.iter().flat_map(|(_, row)| [header.cell(row, c::IMAGE), header.cell(row, c::VARIANT_IMAGE)]);
        cells.flatten().filter_map(picture_key).collect()
    }

    /// The row of the product itself, which is anywhere in a file that was sorted: the one with the title, or else the first that says
    /// anything about the product.
    fn head(&self, header: &Header) -> Option<&(u64, StringRecord)> {
        let find = |columns: &[&str]| self.rows.iter().find(|(_, row)| header.has_text(row, columns));
        // A file may repeat the names of options in each row.
        let found = find(&[c::TITLE]).or_else(|| find(&c::ABOUT_PRODUCT)).or_else(|| find(&[c::OPTION1_NAME]));
        found.or_else(|| self.rows.first())
    }

    pub fn read(&self, header: &Header, before: Option<&StoredProduct>, around: &Surroundings) -> Wanted {
        let head = self.head(header);
        let wanted = Wanted::from(self, head.map_or(0, |(line, _)| *line), before);
        let mut reading = Reading { group: self, header, head_row: head.map(|(_, row)| row), before, around, wanted };
        reading.widths();
        reading.texts();
        reading.state();
        reading.place();
        reading.blanks();
        reading.pictures();
        reading.variants();
        reading.readiness();
        reading.wanted.content.tidy();
        reading.wanted
    }
}

impl Wanted {
    fn from(group: &Group, line: u64, before: Option<&StoredProduct>) -> Self {
        let mut content = before.map_or_else(empty, |before| before.content.clone());
        // A former release may have stored other texts than a file can have now.
        content.tidy();
        content.handle.clone_from(&group.handle);
        Self {
            content,
            line,
            variant_lines: BTreeMap::new(),
            picture_lines: BTreeMap::new(),
            counts: BTreeMap::new(),
            errors: Messages::new(),
            notes: Messages::new(),
        }
    }
}

fn empty() -> ProductContent {
    ProductContent {
        title: String::new(),
        subtitle: String::new(),
        handle: String::new(),
        description: Vec::new(),
        highlights: Vec::new(),
        details: Vec::new(),
        category_id: Uuid::nil(),
        material: String::new(),
        compliance_class: String::new(),
        seo_title: String::new(),
        seo_description: String::new(),
        status: ProductStatus::Draft,
        publish_at: None,
        options: Vec::new(),
        variants: Vec::new(),
        pictures: Vec::new(),
        collections: Vec::new(),
    }
}

struct Reading<'a> {
    group: &'a Group,
    header: &'a Header,
    head_row: Option<&'a StringRecord>,
    before: Option<&'a StoredProduct>,
    around: &'a Surroundings,
    wanted: Wanted,
}

impl<'a> Reading<'a> {
    /// A cell about the product: the one of the line with the title, or else the first that is not blank. If all are blank, they may be of
    /// further lines of an export, which have a variant or a picture alone: they count only in a file that has neither.
    fn head(&self, column: &str) -> Option<&'a str> {
        let row = self.head_row?;
        let cell = self.header.cell(row, column);
        if self.header.has_text(row, &[c::TITLE]) {
            return cell;
        }
        let mut cells = self.group.rows.iter().filter_map(|(_, row)| self.header.cell(row, column));
        cells.find(|cell| !cell.is_empty()).or_else(|| cell.filter(|_| self.header.is_about_products()))
    }

    fn error(&mut self, line: u64, message: impl Into<String>) {
        self.wanted.errors.entry(line).or_default().push(message.into());
    }

    fn note(&mut self, line: u64, message: impl Into<String>) {
        self.wanted.notes.entry(line).or_default().push(message.into());
    }

    fn widths(&mut self) {
        for (line, row) in &self.group.rows {
            if self.header.is_exceeded(row) {
                self.error(*line, "More cells than columns. Put text that contains a comma in quotation marks.");
            }
        }
    }

    fn texts(&mut self) {
        let lines = |cell: &str| cell.lines().map(str::to_owned).collect::<Vec<_>>();
        if let Some(title) = self.head(c::TITLE).filter(|title| !title.is_empty()) {
            self.wanted.content.title = title.to_owned();
        }
        if let Some(body) = self.head(c::BODY) {
            self.wanted.content.description = html::paragraphs(body);
        }
        if let Some(highlights) = self.head(c::HIGHLIGHTS) {
            self.wanted.content.highlights = lines(highlights);
        }
        if let Some(details) = self.head(c::DETAILS) {
            let detail = |line: &str| {
                let (label, value) = line.split_once(':').unwrap_or((line, ""));
                Detail { label: label.trim().to_owned(), value: value.trim().to_owned() }
            };
            self.wanted.content.details = details.lines().map(detail).collect();
        }
        let (subtitle, material) = (self.head(c::SUBTITLE), self.head(c::MATERIAL));
        let (seo_title, seo_description) = (self.head(c::SEO_TITLE), self.head(c::SEO_DESCRIPTION));
        let content = &mut self.wanted.content;
        for (cell, text) in [
            (subtitle, &mut content.subtitle),
            (material, &mut content.material),
            (seo_title, &mut content.seo_title),
            (seo_description, &mut content.seo_description),
        ] {
            if let Some(cell) = cell {
                *text = cell.to_owned();
            }
        }
    }

    fn state(&mut self) {
        let line = self.wanted.line;
        let status = self.head(c::STATUS).filter(|cell| !cell.is_empty());
        let published = self.head(c::PUBLISHED).filter(|cell| !cell.is_empty());
        let is_hidden = published.is_some_and(|cell| cell.eq_ignore_ascii_case("false"));
        let is_archived = self.before.is_some_and(|before| before.content.status == ProductStatus::Archived);
        match (status, published) {
            (Some(status), _) => match status.to_ascii_lowercase().parse() {
                // Shopify hides an active product that is not published; an export of this shop has its own column for that.
                Ok(ProductStatus::Active) if is_hidden && !self.header.has(c::PUBLISH_AT) => {
                    self.wanted.content.status = ProductStatus::Draft;
                    self.note(line, format!("It’s a draft, because {} is FALSE.", c::PUBLISHED));
                }
                Ok(status) => self.wanted.content.status = status,
                Err(_) => self.error(line, format!("{}: use active, draft, or archived.", c::STATUS)),
            },
            (None, Some(published)) if self.before.is_none() => {
                let is_live = published.eq_ignore_ascii_case("true");
                self.wanted.content.status = if is_live { ProductStatus::Active } else { ProductStatus::Draft };
            }
            // As after an import that was undone.
            (None, Some(published)) if is_archived && published.eq_ignore_ascii_case("true") => {
                self.wanted.content.status = ProductStatus::Active;
            }
            (None, None) if is_archived => {
                self.note(line, format!("It is archived. Set {} to active to sell it again.", c::STATUS));
            }
            _ => {}
        }
        match self.head(c::PUBLISH_AT) {
            Some("") => self.wanted.content.publish_at = None,
            Some(at) => match at.parse::<jiff::Timestamp>() {
                Ok(at) => self.wanted.content.publish_at = Some(at.as_millisecond()),
                Err(_) => self.error(line, format!("{}: use a time such as 2026-12-01T09:00:00Z.", c::PUBLISH_AT)),
            },
            None => {}
        }
    }

    /// Category, compliance class and collections.
    fn place(&mut self) {
        let line = self.wanted.line;
        let categories = &self.around.categories;
        let by_slug = |wanted: &str| categories.iter().find(|(_, slug)| slug.as_str() == wanted).map(|(id, _)| *id);
        // Categories in different places may have the same name, which then says nothing.
        let by_name = |wanted: &str| {
            let wanted = wanted.rsplit('>').next().unwrap_or(wanted).trim().to_lowercase();
            let mut named = self.around.category_names.iter().filter(|(_, name)| name.to_lowercase() == wanted);
            named.next().filter(|_| named.next().is_none()).map(|(id, _)| *id)
        };
        let cell = |column| self.head(column).filter(|cell| !cell.is_empty());
        let found = match cell(c::CATEGORY) {
            Some(slug) => by_slug(slug),
            None if self.before.is_some() => self.before.map(|before| before.content.category_id),
            None => cell(c::TYPE).and_then(by_name).or_else(|| cell(c::PRODUCT_CATEGORY).and_then(by_name)),
        };
        match found {
            Some(id) => self.wanted.content.category_id = id,
            None => self.error(line, format!("{}: use the last part of a category’s address.", c::CATEGORY)),
        }
        if let Some(class) = self.head(c::COMPLIANCE_CLASS).filter(|class| !class.is_empty()) {
            self.wanted.content.compliance_class = class.to_owned();
        }
        if let Some(handles) = self.head(c::COLLECTIONS) {
            self.wanted.content.collections.clear();
            for handle in handles.split(',').map(str::trim).filter(|handle| !handle.is_empty()) {
                match self.around.collections.iter().find(|(_, known)| known.as_str() == handle) {
                    Some((id, _)) => self.wanted.content.collections.push(*id),
                    None => self.error(line, format!("{}: there’s no collection {handle}.", c::COLLECTIONS)),
                }
            }
            // Order and doubles in the cell are irrelevant.
            let set = |ids: &[Uuid]| ids.iter().copied().collect::<BTreeSet<_>>();
            if let Some(before) = self.before
                && set(&before.content.collections) == set(&self.wanted.content.collections)
            {
                self.wanted.content.collections.clone_from(&before.content.collections);
            }
        }
    }

    /// Notes which texts of the shop stay although their cells are blank, in a file without titles: nothing in it tells that they do not
    /// count.
    fn blanks(&mut self) {
        if self.header.has(c::TITLE) {
            return;
        }
        let content = &self.wanted.content;
        let stored = [
            (c::BODY, !content.description.is_empty()),
            // Only drafts have one.
            (c::PUBLISH_AT, content.status == ProductStatus::Draft && content.publish_at.is_some()),
            (c::SUBTITLE, !content.subtitle.is_empty()),
            (c::MATERIAL, !content.material.is_empty()),
            (c::HIGHLIGHTS, !content.highlights.is_empty()),
            (c::DETAILS, !content.details.is_empty()),
            (c::COLLECTIONS, !content.collections.is_empty()),
            (c::SEO_TITLE, !content.seo_title.is_empty()),
            (c::SEO_DESCRIPTION, !content.seo_description.is_empty()),
        ];
        let is_passed_over = |column: &str| self.header.has(column) && self.head(column).is_none();
        let passed_over = stored.into_iter().filter(|(column, is_there)| *is_there && is_passed_over(column));
        let columns: Vec<&str> = passed_over.map(|(column, _)| column).collect();
        if !columns.is_empty() {
            let note = format!(
                "Blank cells are ignored in a file that has variants or images but no column {}: {}. \
                 To empty them, add that column with the product’s title.",
                c::TITLE,
                columns.join(", ")
            );
            self.note(self.wanted.line, note);
        }
    }

    /// A product without a picture cannot be published yet.
    fn readiness(&mut self) {
        let lacks = self.wanted.content.pictures.is_empty();
        if lacks && self.wanted.content.is_meant_for_shoppers() && !self.wanted.content.variants.is_empty() {
            self.wanted.content.status = ProductStatus::Draft;
            self.wanted.content.publish_at = None;
            self.note(self.wanted.line, "It stays a draft until it has an image.");
        }
    }
}
