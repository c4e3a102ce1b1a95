//! US postal addresses: states, ZIP codes, and whether the two fit together.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::db::{DbError, decoded};
use super::fields::{Faults, FieldErrors, one_line, tidy_phone, visible};

/// A state (or the District of Columbia) with the three-digit prefixes of its ZIP codes.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    /// Two capital letters.
    pub code: &'static str,
    pub name: &'static str,
    prefixes: &'static [RangeInclusive<u16>],
}

/// The ZIP code of a territory among the prefixes of Hawaii.
const AMERICAN_SAMOA: &str = "96799";

/// The state with this two-letter code.
pub fn state(code: &str) -> Option<&'static State> {
    STATES.iter().find(|state| state.code == code)
}

/// The name of a state, or the code itself if it is unknown.
pub fn name(code: &str) -> &str {
    state(code).map_or(code, |state| state.name)
}

impl State {
    /// Whether the state has ZIP codes with this prefix.
    pub fn has_zip(&self, postal_code: &str) -> bool {
        let prefix = postal_code.get(..3).and_then(|digits| digits.parse().ok());
        prefix.is_some_and(|prefix: u16| self.prefixes.iter().any(|range| range.contains(&prefix)))
            && !postal_code.starts_with(AMERICAN_SAMOA)
    }
}

/// Five digits, or ZIP+4 such as `43215-1234`.
pub fn is_zip(text: &str) -> bool {
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('-') {
        Some((five, four)) => digits(five, 5) && digits(four, 4),
        None => digits(text, 5),
    }
}

/// Says that a ZIP code is none of this state.
pub fn not_in(state: &State) -> String {
    format!("That ZIP code isn’t in {}.", state.name)
}

/// A delivery address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Address {
    pub first_name: String,
    pub last_name: String,
    pub company: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    pub state: String,
    pub postal_code: String,
    pub phone: String,
}

impl Address {
    /// Parses the JSON of a row.
    pub fn stored(json: &str) -> Result<Self, DbError> {
        decoded("address", serde_json::from_str(json))
    }

    /// Empty if no name was given.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }

    /// The trimmed address with the state in capitals, or the errors by field.
    pub fn checked(&self) -> Result<Self, FieldErrors> {
        let address = self.trimmed();
        let problems = address.problems();
        if problems.is_empty() { Ok(address) } else { Err(problems) }
    }

    /// The address with trimmed, visible texts and the state in capitals.
    pub fn trimmed(&self) -> Self {
        Self {
            first_name: one_line(&self.first_name),
            last_name: one_line(&self.last_name),
            company: one_line(&self.company),
            line1: one_line(&self.line1),
            line2: one_line(&self.line2),
            city: one_line(&self.city),
            state: visible(&self.state).trim().to_ascii_uppercase(),
            postal_code: visible(&self.postal_code).trim().to_owned(),
            phone: tidy_phone(&self.phone),
        }
    }

    /// As written on a parcel, the name first.
    pub fn lines(&self) -> Vec<String> {
        let city = format!("{}, {} {}", self.city, self.state, self.postal_code);
        [self.full_name(), self.company.clone(), self.line1.clone(), self.line2.clone(), city]
            .into_iter()
            .filter(|line| !line.trim().is_empty())
            .collect()
    }

    /// A PO box or a package locker, where nobody can sign.
    pub fn is_po_box(&self) -> bool {
        [&self.company, &self.line1, &self.line2].into_iter().any(|line| has(line, begins_with_po_box))
            || [&self.line1, &self.line2].into_iter().any(|line| has(line, begins_with_numbered_locker))
    }

    /// Validates trimmed texts; errors by field.
    pub fn problems(&self) -> FieldErrors {
        let mut faults = Faults::default();
        for (field, value, most, missing) in [
            ("first_name", &self.first_name, 60, "Enter a first name."),
            ("last_name", &self.last_name, 60, "Enter a last name."),
            ("company", &self.company, 80, ""),
            ("line1", &self.line1, 100, "Enter a street address."),
            ("line2", &self.line2, 100, ""),
            ("city", &self.city, 60, "Enter a city."),
        ] {
            if value.is_empty() && !missing.is_empty() {
                faults.say(field, missing);
            } else if value.chars().count() > most {
                faults.say(field, format!("Use at most {most} characters."));
            } else if value.chars().any(char::is_control) {
                faults.say(field, "Remove control characters.");
            }
        }
        let state = state(&self.state);
        if state.is_none() {
            faults.say("state", "Choose a state.");
        }
        if !is_zip(&self.postal_code) {
            faults.say("postal_code", "Enter a ZIP code such as 43215 or 43215-1234.");
        } else if let Some(state) = state.filter(|state| !state.has_zip(&self.postal_code)) {
            faults.say("postal_code", not_in(state));
        }
        faults.phone("phone", &self.phone);
        faults.into_errors()
    }
}

/// Whether this begins at any word of a line.
fn has(line: &str, begins: fn(&[&str]) -> bool) -> bool {
    let spaced = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let text: String = line.to_lowercase().chars().filter(|c| *c != '.').map(spaced).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    (0..words.len()).filter_map(|at| words.get(at..)).any(begins)
}

fn begins_with_po_box(words: &[&str]) -> bool {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_numbered =
        |word: &str, name: &str| word.strip_prefix(name).is_some_and(|number| number.is_empty() || is_number(number));
    let is_box = |word: &str| ["box", "bx", "drawer"].iter().any(|name| is_numbered(word, name));
    match words {
        ["po" | "pob", word, ..] | ["p", "o", word, ..] | ["post", "office", word, ..] if is_box(word) => true,
        ["pob", number, ..] | ["p", "o", "b", number, ..] => is_number(number),
        // Not every locker: there are streets and companies with that name.
        ["amazon" | "hub" | "package" | "parcel", "locker" | "lockers", ..] => true,
        [word, ..] => word.strip_prefix("po").is_some_and(is_box) || word.strip_prefix("pob").is_some_and(is_number),
        [] => false,
    }
}

/// Not in the name of a company, which may number its stores.
fn begins_with_numbered_locker(words: &[&str]) -> bool {
    matches!(words, ["locker", number, ..] if number.chars().all(|c| c.is_ascii_digit()))
}

pub static STATES: &[State] = &[
    State { code: "AL", name: "Alabama", prefixes: &[350..=352, 354..=369] },
    State { code: "AK", name: "Alaska", prefixes: &[995..=999] },
    State { code: "AZ", name: "Arizona", prefixes: &[850..=853, 855..=857, 859..=860, 863..=865] },
    State { code: "AR", name: "Arkansas", prefixes: &[716..=729] },
    State { code: "CA", name: "California", prefixes: &[900..=908, 910..=928, 930..=961] },
    State { code: "CO", name: "Colorado", prefixes: &[800..=816] },
    State { code: "CT", name: "Connecticut", prefixes: &[60..=69] },
    State { code: "DE", name: "Delaware", prefixes: &[197..=199] },
    State { code: "DC", name: "District of Columbia", prefixes: &[200..=200, 202..=205, 569..=569] },
    State { code: "FL", name: "Florida", prefixes: &[320..=339, 341..=342, 344..=344, 346..=347, 349..=349] },
    State { code: "GA", name: "Georgia", prefixes: &[300..=319, 398..=399] },
    State { code: "HI", name: "Hawaii", prefixes: &[967..=968] },
    State { code: "ID", name: "Idaho", prefixes: &[832..=838] },
    State { code: "IL", name: "Illinois", prefixes: &[600..=620, 622..=629] },
    State { code: "IN", name: "Indiana", prefixes: &[460..=479] },
    State { code: "IA", name: "Iowa", prefixes: &[500..=516, 520..=528] },
    State { code: "KS", name: "Kansas", prefixes: &[660..=662, 664..=679] },
    State { code: "KY", name: "Kentucky", prefixes: &[400..=418, 420..=427] },
    State { code: "LA", name: "Louisiana", prefixes: &[700..=701, 703..=708, 710..=714] },
    State { code: "ME", name: "Maine", prefixes: &[39..=49] },
    State { code: "MD", name: "Maryland", prefixes: &[206..=212, 214..=219] },
    State { code: "MA", name: "Massachusetts", prefixes: &[10..=27, 55..=55] },
    State { code: "MI", name: "Michigan", prefixes: &[480..=499] },
    State { code: "MN", name: "Minnesota", prefixes: &[550..=551, 553..=567] },
    State { code: "MS", name: "Mississippi", prefixes: &[386..=397] },
    State { code: "MO", name: "Missouri", prefixes: &[630..=631, 633..=641, 644..=658] },
    State { code: "MT", name: "Montana", prefixes: &[590..=599] },
    State { code: "NE", name: "Nebraska", prefixes: &[680..=681, 683..=693] },
    State { code: "NV", name: "Nevada", prefixes: &[889..=891, 893..=895, 897..=898] },
    State { code: "NH", name: "New Hampshire", prefixes: &[30..=38] },
    State { code: "NJ", name: "New Jersey", prefixes: &[70..=89] },
    State { code: "NM", name: "New Mexico", prefixes: &[870..=871, 873..=875, 877..=884] },
    State { code: "NY", name: "New York", prefixes: &[5..=5, 63..=63, 100..=149] },
    State { code: "NC", name: "North Carolina", prefixes: &[270..=289] },
    State { code: "ND", name: "North Dakota", prefixes: &[580..=588] },
    State { code: "OH", name: "Ohio", prefixes: &[430..=459] },
    State { code: "OK", name: "Oklahoma", prefixes: &[730..=731, 734..=741, 743..=749] },
    State { code: "OR", name: "Oregon", prefixes: &[970..=979] },
    State { code: "PA", name: "Pennsylvania", prefixes: &[150..=196] },
    State { code: "RI", name: "Rhode Island", prefixes: &[28..=29] },
    State { code: "SC", name: "South Carolina", prefixes: &[290..=299] },
    State { code: "SD", name: "South Dakota", prefixes: &[570..=577] },
    State { code: "TN", name: "Tennessee", prefixes: &[370..=385] },
    State { code: "TX", name: "Texas", prefixes: &[733..=733, 750..=799, 885..=885] },
    State { code: "UT", name: "Utah", prefixes: &[840..=847] },
    State { code: "VT", name: "Vermont", prefixes: &[50..=54, 56..=59] },
    State { code: "VA", name: "Virginia", prefixes: &[201..=201, 220..=246] },
    State { code: "WA", name: "Washington", prefixes: &[980..=986, 988..=994] },
    State { code: "WV", name: "West Virginia", prefixes: &[247..=268] },
    State { code: "WI", name: "Wisconsin", prefixes: &[530..=532, 534..=535, 537..=549] },
    State { code: "WY", name: "Wyoming", prefixes: &[820..=831, 834..=834] },
];

#[cfg(test)]
mod tests {
    use super::{Address, STATES, is_zip, state};

    fn address() -> Address {
        Address {
            first_name: " Ada ".to_owned(),
            last_name: "Lovelace".to_owned(),
            line1: "48  Gay Street".to_owned(),
            city: "Columbus".to_owned(),
            state: "oh".to_owned(),
            postal_code: "43215".to_owned(),
            ..Address::default()
        }
    }

    #[test]
    fn a_good_address_is_tidied() {
        let checked = address().checked().expect("a good address");
        assert_eq!(
            (checked.first_name.as_str(), checked.line1.as_str(), checked.state.as_str()),
            ("Ada", "48 Gay Street", "OH")
        );
    }

    #[test]
    fn what_shows_nothing_is_left_out() {
        let pasted = Address {
            first_name: "\u{202e}Ada\u{202c}".to_owned(),
            phone: "\u{2068}614-555-0142\u{2069}".to_owned(),
            state: "\u{200e}OH".to_owned(),
            postal_code: "43215\u{200b}".to_owned(),
            ..address()
        };
        let checked = pasted.checked().expect("a good address");
        assert_eq!((checked.first_name.as_str(), checked.phone.as_str()), ("Ada", "614-555-0142"));
        let nameless = Address { last_name: "\u{200b}".to_owned(), ..address() };
        assert_eq!(nameless.checked().expect_err("no name")["last_name"], ["Enter a last name."]);
    }

    #[test]
    fn every_field_that_is_wrong_is_named() {
        let wrong = Address { phone: "555".to_owned(), company: "x".repeat(81), ..Address::default() };
        let fields: Vec<_> = wrong.checked().expect_err("nothing is right").into_keys().collect();
        let expected = ["city", "company", "first_name", "last_name", "line1", "phone", "postal_code", "state"];
        assert_eq!(fields, expected);
        let elsewhere = Address { postal_code: "90210".to_owned(), ..address() };
        let problems = elsewhere.checked().expect_err("California");
        assert_eq!(problems["postal_code"], ["That ZIP code isn’t in Ohio."]);
    }

    #[test]
    fn zip_codes_belong_to_states() {
        for (code, zip) in [
            ("OH", "43215"),
            ("OH", "45999-0001"),
            ("NY", "10001"),
            ("NY", "06390"),
            ("CA", "90210"),
            ("MA", "02108"),
            ("AK", "99501"),
            ("HI", "96813"),
            ("DC", "20500"),
            ("VA", "20101"),
            ("TX", "88510"),
            ("WY", "82001"),
        ] {
            assert!(state(code).expect("a state").has_zip(zip), "{code} {zip}");
        }
        for (code, zip) in
            [("OH", "46001"), ("NJ", "10001"), ("CA", "96813"), ("HI", "96799"), ("OH", "4"), ("OH", "€43")]
        {
            assert!(!state(code).expect("a state").has_zip(zip), "{code} {zip}");
        }
        assert_eq!(STATES.len(), 51);
        assert!(state("PR").is_none() && state("oh").is_none());
    }

    #[test]
    fn post_office_boxes_are_recognized() {
        let is_box = |line: &str| Address { line1: line.to_owned(), ..address() }.is_po_box();
        let is_company_box = |line: &str| Address { company: line.to_owned(), ..address() }.is_po_box();
        for line in [
            "PO Box 12",
            "P.O. Box 12",
            "p o box 9",
            "Post Office Box 1",
            "POBox 7",
            "123 Main St, PO Box 45",
            "123 Main St,P.O.Box 45",
            "Apt 2 P.O. Box 9",
            "P.O.B. 12",
            "POB12",
            "PO-Box #3",
            "PO Box12",
            "P O Box12",
            "Post Office Box12",
            "PO Drawer 7",
            "PO Bx 7",
            "Parcel Locker 3",
            "Amazon Hub Locker – Reed",
        ] {
            assert!(is_box(line), "{line}");
            assert!(is_company_box(line), "{line} is printed on the package");
        }
        assert!(is_box("123 Main St, Locker 5") && !is_company_box("Foot Locker #14230"));
        for line in [
            "12 Boxwood Lane",
            "Polk Street 3",
            "1 Post Office Square",
            "12 Box Elder Road",
            "RR 2 Box 45",
            "3 Pob Lane",
            "12 Lockerbie Street",
            "12 Locker Street",
            "12 Locker 3rd Street",
            "Foot Locker",
            "3 Drawer Lane",
            "1 Post Office Drive",
        ] {
            assert!(!is_box(line), "{line}");
        }
    }

    #[test]
    fn forms_of_zip_and_phone() {
        assert!(is_zip("43215") && is_zip("43215-1234"));
        for wrong in ["4321", "432156", "43215-", "43215-12", "4321a", "43215 1234", ""] {
            assert!(!is_zip(wrong), "{wrong}");
        }
    }
}
