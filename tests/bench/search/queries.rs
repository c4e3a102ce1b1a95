//! Queries as people type them, with the relevant products.

use crate::search::SearchDocument;

/// The SKU of a product in the catalog.
const NEEDLE: &str = "PCH-04242-GRE";

pub struct Case {
    pub class: &'static str,
    pub text: &'static str,
    pub means: fn(&SearchDocument) -> bool,
}

fn titled(product: &SearchDocument, word: &str) -> bool {
    product.title.contains(word)
}

fn of(product: &SearchDocument, category: &str) -> bool {
    product.categories.iter().any(|slug| slug == category)
}

fn made_of(product: &SearchDocument, material: &str) -> bool {
    product.materials.iter().any(|name| name == material)
}

fn colored(product: &SearchDocument, color: &str) -> bool {
    product.colors.iter().any(|name| name == color)
}

fn coded(product: &SearchDocument, sku: &str) -> bool {
    product.skus.iter().any(|code| code.starts_with(sku))
}

const fn case(class: &'static str, text: &'static str, means: fn(&SearchDocument) -> bool) -> Case {
    Case { class, text, means }
}

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    case("exact", "humidor", |p| titled(p, "Humidor")),
    case("exact", "briar pipe", |p| of(p, "briar-pipes")),
    case("exact", "pipe", |p| of(p, "pipes")),
    case("exact", "cigar cutter", |p| titled(p, "Cigar Cutter")),
    case("exact", "walnut pipe rack", |p| titled(p, "Pipe Rack") && made_of(p, "Walnut")),
    case("exact", "brown leather cigar case", |p| titled(p, "Cigar Case") && made_of(p, "Leather") && (colored(p, "Brown") || colored(p, "Dark brown"))),
    case("exact", "torch lighter", |p| of(p, "torch-lighters")),
    case("exact", "smoker's candle", |p| titled(p, "Smoker's Candle")),
    case("exact", "V cutter", |p| titled(p, "V Cutter")),
    case("exact", "lighter", |p| titled(p, "Lighter") && !titled(p, "Fluid")),
    case("prefix", "humid", |p| of(p, "humidors") || of(p, "humidity")),
    case("prefix", "meersch", |p| titled(p, "Meerschaum") || made_of(p, "Meerschaum")),
    case("prefix", "brass hygro", |p| titled(p, "Hygrometer") && made_of(p, "Brass")),
    case("prefix", "church", |p| of(p, "churchwardens")),
    case("plural", "humidors", |p| titled(p, "Humidor")),
    case("plural", "ashtrays", |p| of(p, "ashtrays")),
    case("plural", "tobacco pouches", |p| titled(p, "Tobacco Pouch")),
    case("plural", "pipe cleaner", |p| titled(p, "Pipe Cleaners")),
    case("plural", "smoking jackets", |p| titled(p, "Smoking Jacket")),
    case("one typo", "humidr", |p| titled(p, "Humidor")),
    case("one typo", "hunidor", |p| titled(p, "Humidor")),
    case("one typo", "briarr pipe", |p| of(p, "briar-pipes")),
    case("one typo", "lether cigar case", |p| titled(p, "Cigar Case") && made_of(p, "Leather")),
    case("one typo", "torch ligter", |p| of(p, "torch-lighters")),
    case("one typo", "wallnut humidor", |p| titled(p, "Humidor") && made_of(p, "Walnut")),
    case("one typo", "ashtrey", |p| of(p, "ashtrays")),
    case("two typos", "mershaum pipe", |p| titled(p, "Meerschaum Pipe")),
    case("two typos", "higrometar", |p| titled(p, "Hygrometer")),
    case("two typos", "chruchwardn", |p| of(p, "churchwardens")),
    case("two typos", "lether ligter", |p| made_of(p, "Leather") || titled(p, "Lighter")),
    case("transposed", "ligther", |p| titled(p, "Lighter")),
    case("transposed", "humiodr", |p| titled(p, "Humidor")),
    case("transposed", "brair pipe", |p| of(p, "briar-pipes")),
    case("transposed", "tapmer", |p| titled(p, "Tamper")),
    case("synonym", "ash tray", |p| of(p, "ashtrays")),
    case("synonym", "ash-tray glass", |p| of(p, "ashtrays") && made_of(p, "Glass")),
    case("synonym", "gray tobacco pouch", |p| titled(p, "Tobacco Pouch") && colored(p, "Gray")),
    case("synonym", "stogie cutter", |p| titled(p, "Cigar Cutter")),
    case("synonym", "wooden pipe rack", |p| of(p, "stands-and-racks") && made_of(p, "Olive wood")),
    case("sku", "HUM-00", |p| coded(p, "HUM-00")),
    case("sku", NEEDLE, |p| coded(p, NEEDLE)),
    case("sku", "pch04242gre", |p| coded(p, NEEDLE)),
    case("too much", "green leather cigar case with rainbow unicorn", |p| titled(p, "Cigar Case") && made_of(p, "Leather") && colored(p, "Green")),
    // Written after the ranking was finished, and not used for tuning.
    case("unseen", "sandblasted bulldog", |p| titled(p, "Sandblasted") && titled(p, "Bulldog")),
    case("unseen", "olive wood pipe", |p| of(p, "pipes") && (made_of(p, "Olive wood") || titled(p, "Olive Wood"))),
    case("unseen", "brass pipe tamper", |p| titled(p, "Pipe Tamper") && made_of(p, "Brass")),
    case("unseen", "cedar spill", |p| titled(p, "Cedar Spills")),
    case("unseen", "silver cigarett case", |p| titled(p, "Cigarette Case") && (colored(p, "Silver") || made_of(p, "Sterling silver"))),
    case("unseen", "hemp paper", |p| titled(p, "Hemp Papers") || (of(p, "papers") && made_of(p, "Hemp"))),
    case("unseen", "oder candle", |p| titled(p, "Odor Eliminating Candle")),
    case("unseen", "match", |p| of(p, "matches-and-spills")),
    case("unseen", "velvt smoking jaket", |p| titled(p, "Smoking Jacket") && made_of(p, "Velvet")),
    case("unseen", "travel humidor cheery", |p| titled(p, "Travel Humidor") && made_of(p, "Cherry")),
    case("unseen", "tabacco pouch", |p| titled(p, "Tobacco Pouch")),
    case("unseen", "bamboo rolling tray", |p| titled(p, "Rolling Tray") && made_of(p, "Bamboo")),
    case("unseen", "cigar sissors", |p| titled(p, "Cigar Scissors")),
    case("unseen", "cuter", |p| titled(p, "Cutter")),
    case("unseen", "butan", |p| titled(p, "Butane Refill")),
    case("unseen", "gun metal lighter", |p| titled(p, "Lighter") && made_of(p, "Gunmetal")),
    case("unseen", "stainless steel v-cutter", |p| titled(p, "V Cutter") && made_of(p, "Stainless steel")),
    case("unseen", "jet lighters", |p| of(p, "torch-lighters")),
];
