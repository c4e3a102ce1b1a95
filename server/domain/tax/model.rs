//! Tax rates, their calculation, and the counties of ZIP codes.

use serde::{Deserialize, Serialize};
use shop_base::address::{is_zip, state};
use shop_base::counties;
use shop_base::error::Error;
use shop_base::fields::{Faults, visible};
use shop_base::validity::Span;
use utoipa::ToSchema;
use uuid::Uuid;

/// The combined rates of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Such as `Ohio sales tax, Franklin County`.
    pub name: String,
    /// Parts per million: 80,000 is 8%.
    pub ppm: i64,
    /// The sum of those that tax shipping.
    pub shipping_ppm: i64,
}

impl Rate {
    /// The tax on an amount in minor units, rounded half up.
    pub fn tax_on(&self, amount: i64) -> i64 {
        parts(amount, self.ppm)
    }

    /// The tax on what is paid for shipping.
    pub fn tax_on_shipping(&self, amount: i64) -> i64 {
        parts(amount, self.shipping_ppm)
    }
}

/// Parts per million of an amount, rounded half up.
pub fn parts(amount: i64, ppm: i64) -> i64 {
    let exact = i128::from(amount) * i128::from(ppm);
    i64::try_from((exact + 500_000).div_euclid(1_000_000)).unwrap_or(i64::MAX)
}

/// The sum of the taxes with one name, as shown to the buyer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TaxAmount {
    pub name: String,
    /// Minor units.
    pub amount: i64,
}

/// Sums taxes by name, in order of first occurrence.
pub fn by_name<'a>(taxes: impl IntoIterator<Item = (&'a str, i64)>) -> Vec<TaxAmount> {
    let mut sums: Vec<TaxAmount> = Vec::new();
    for (name, amount) in taxes {
        match sums.iter_mut().find(|sum| sum.name == name) {
            Some(sum) => sum.amount += amount,
            None => sums.push(TaxAmount { name: name.to_owned(), amount }),
        }
    }
    sums.retain(|sum| sum.amount != 0);
    sums
}

/// A stored rate of a state or of one of its counties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateEntry {
    pub id: Uuid,
    pub state: String,
    /// Empty for the whole state.
    pub county: String,
    pub ppm: i64,
    pub taxes_shipping: bool,
    pub span: Span,
    /// Reference to the legal source.
    pub source: String,
}

/// A rate as entered by staff.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RateInput {
    /// The version that the caller saw.
    pub version: i64,
    pub state: String,
    #[serde(default)]
    pub county: String,
    /// Parts per million: 80,000 is 8%.
    pub rate: i64,
    pub taxes_shipping: bool,
    /// `YYYY-MM-DD`
    pub valid_from: String,
    #[serde(default)]
    pub valid_until: Option<String>,
    pub source: String,
}

impl RateInput {
    pub fn entry(&self, id: Uuid) -> Result<RateEntry, Error> {
        let mut faults = Faults::default();
        faults.unless(state(&self.state).is_some(), "state", "Choose a state.");
        let (county, source) = (visible(&self.county), visible(&self.source));
        faults.line("county", &county, 0, 60);
        let mut county = counties::short(county.trim());
        if self.state == "OH" && !county.is_empty() {
            // As the settings of the installation name it, or it would apply to no sale.
            let known = counties::in_ohio(county);
            faults.unless(known.is_some(), "county", "Enter a county of Ohio, such as Franklin.");
            county = known.unwrap_or(county);
        }
        faults.unless((0..=500_000).contains(&self.rate), "rate", "Enter a percentage from 0 to 50.");
        faults.line("source", &source, 3, 300);
        let span = Span::read(&self.valid_from, self.valid_until.as_deref(), &mut faults);
        faults.finish()?;
        Ok(RateEntry {
            id,
            state: self.state.clone(),
            county: county.to_owned(),
            ppm: self.rate,
            taxes_shipping: self.taxes_shipping,
            span,
            source: source.trim().to_owned(),
        })
    }
}

/// The county of a ZIP code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct County {
    pub state: String,
    pub postal_code: String,
    pub county: String,
}

/// Counties as CSV; a state's entries in the file replace all stored entries of that state.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CountiesInput {
    /// The version that the caller saw.
    pub version: i64,
    /// Columns `state,postal_code,county`.
    pub csv: String,
    /// Reports what would change without changing anything.
    pub dry_run: bool,
}

/// The result of importing a file of counties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CountiesReport {
    pub lines: i64,
    pub states: Vec<String>,
    pub added: i64,
    pub changed: i64,
    pub removed: i64,
    /// Places of current and coming rates that have no ZIP code in the file, so that these rates would apply to no sale.
    pub idle_rates: Vec<String>,
    /// Errors by line; nothing is changed if there are any.
    pub problems: Vec<LineProblem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LineProblem {
    pub line: i64,
    pub message: String,
}

/// The counties in a file, and the errors in its lines.
pub fn read_counties(text: &str) -> (Vec<County>, Vec<LineProblem>) {
    let (mut counties, mut problems) = (Vec::<County>::new(), Vec::new());
    let mut seen = std::collections::HashSet::new();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    for (record, number) in reader.records().zip(1_i64..) {
        let record = record.unwrap_or_default();
        let line = record.position().map_or(number, |at| i64::try_from(at.line()).unwrap_or(number));
        let cell = |at: usize| record.get(at).unwrap_or_default();
        let (code, postal_code, county) = (cell(0).to_uppercase(), cell(1), visible(cell(2)));
        if number == 1 && code == "STATE" {
            continue;
        }
        let place = state(&code);
        let message = match place {
            _ if record.len() != 3 => "Each line needs three columns: state, ZIP code, county.".to_owned(),
            None => format!("'{code}' isn’t a state."),
            Some(_) if postal_code.len() != 5 || !is_zip(postal_code) => {
                format!("'{postal_code}' isn’t a five-digit ZIP code.")
            }
            Some(place) if !place.has_zip(postal_code) => format!("{postal_code} isn’t in {code}."),
            Some(_) if county.is_empty() || county.chars().count() > 60 || county.chars().any(char::is_control) => {
                "Enter the county, up to 60 characters on one line.".to_owned()
            }
            Some(_) if !seen.insert(postal_code.to_owned()) => format!("{postal_code} appears in the file twice."),
            Some(_) => {
                counties.push(County { state: code, postal_code: postal_code.to_owned(), county });
                continue;
            }
        };
        problems.push(LineProblem { line, message });
    }
    if counties.is_empty() && problems.is_empty() {
        problems.push(LineProblem { line: 1, message: "The file has no lines with a county.".to_owned() });
    }
    (counties, problems)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use uuid::Uuid;

    use super::{Rate, RateInput, read_counties};

    #[test]
    fn a_county_of_ohio_is_named_as_in_the_settings() {
        let today = date(2026, 11, 21);
        let read = |state: &str, county: &str| {
            let input = RateInput {
                version: 0,
                state: state.to_owned(),
                county: county.to_owned(),
                rate: 22_500,
                taxes_shipping: true,
                valid_from: today.to_string(),
                valid_until: None,
                source: "A test's own law".to_owned(),
            };
            input.entry(Uuid::nil()).ok().map(|entry| entry.county)
        };
        assert_eq!(read("OH", " delaware county").as_deref(), Some("Delaware"));
        assert_eq!(read("OH", "").as_deref(), Some(""));
        assert_eq!(read("OH", "Delawear"), None);
        assert_eq!(read("NY", " kings").as_deref(), Some("kings"), "its ZIP codes name counties as staff do");
        assert_eq!(read("NY", "Kings County").as_deref(), Some("Kings"));
        assert_eq!(read("NY", "Kings\u{200b}\u{202e}").as_deref(), Some("Kings"), "as the ZIP codes name it");
    }

    #[test]
    fn lines_of_a_file_are_checked_one_by_one() {
        let file = "State,ZIP,County\noh,43215,Franklin\nOH,99999,Nowhere\nOH,43215,Again\nZZ,1,x\nOH,43004\nOH,43017,\"Franklin, too\"\n";
        let (counties, problems) = read_counties(file);
        let found: Vec<&str> = counties.iter().map(|county| county.county.as_str()).collect();
        assert_eq!(found, ["Franklin", "Franklin, too"]);
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [3, 4, 5, 6]);
        assert_eq!(read_counties("").1.len(), 1);
        let (counties, problems) = read_counties("OH,43004,\"Lick\ning\"\nOH,43017,Franklin\n");
        assert_eq!((counties.len(), problems.len(), problems[0].line), (1, 1, 1));
    }

    #[test]
    fn half_a_cent_is_rounded_up() {
        let rate = |ppm| Rate { name: String::new(), ppm, shipping_ppm: 0 };
        assert_eq!(rate(80_000).tax_on(1_299), 104, "1.0392");
        assert_eq!(rate(57_500).tax_on(1_000), 58, "57.5 cents");
        assert_eq!(rate(57_500).tax_on(999), 57, "57.44 cents");
        assert_eq!(rate(0).tax_on(1_000_000), 0);
        assert_eq!(rate(80_000).tax_on(0), 0);
        assert_eq!(rate(80_000).tax_on_shipping(1_000), 0);
    }
}
