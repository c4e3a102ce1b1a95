//! Shipping methods and their prices.

use serde::{Deserialize, Serialize};
use shop_base::address::{STATES, state};
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_base::weight::MAX_GRAMS;
use utoipa::ToSchema;

/// A shipping or pickup option with its price for one parcel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShippingOption {
    pub code: String,
    pub name: String,
    /// Such as `2 to 7 business days`.
    pub estimate: String,
    /// Minor units, including the fee for an adult signature.
    pub price: i64,
    pub pickup: bool,
}

/// The parcel to be priced.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a> {
    /// Two capital letters.
    pub state: &'a str,
    pub grams: i64,
    pub adult_signature: bool,
    /// Some of its goods may not travel by air.
    pub ground_only: bool,
}

/// All methods with their prices, which staff edit as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShippingTable {
    pub methods: Vec<Method>,
    pub zones: Vec<Zone>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Method {
    /// Such as `ground`; stored in orders.
    pub code: String,
    pub name: String,
    pub estimate: String,
    pub pickup: bool,
    pub by_air: bool,
    /// Surcharge for an adult signature, in minor units.
    pub signature_fee: i64,
    /// Upper bounds of the weight classes, in grams.
    pub weights: Vec<i64>,
    pub rates: Vec<ZoneRates>,
}

/// Prices of a method in a zone, one per weight class; the method does not serve zones without an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ZoneRates {
    pub zone: String,
    /// Minor units.
    pub prices: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Zone {
    pub name: String,
    /// State codes; each state is in one zone.
    pub states: Vec<String>,
}

/// The method code of pickup orders.
pub const PICKUP: &str = "pickup";
const MOST: i64 = 10_000_000;

impl ShippingTable {
    /// Brings it into the form in which it is stored: without spaces around texts; zones, their states and the rates for them in order.
    pub fn tidy(&mut self) {
        for method in &mut self.methods {
            for text in [&mut method.name, &mut method.estimate] {
                *text = text.trim().to_owned();
            }
            method.rates.sort_by(|one, other| one.zone.cmp(&other.zone));
        }
        self.zones.sort_by(|one, other| one.name.cmp(&other.name));
        self.zones.iter_mut().for_each(|zone| zone.states.sort_unstable());
    }

    /// Rejects an incomplete table. Errors are keyed by their path, such as `methods[0].rates[1].prices[2]`.
    pub fn check(&self) -> Result<(), Error> {
        let mut faults = Faults::default();
        self.check_zones(&mut faults);
        faults.unless(
            self.methods.iter().any(|method| !method.pickup),
            "methods",
            "Keep at least one shipping method.",
        );
        for (at, method) in self.methods.iter().enumerate() {
            let field = |name: &str| format!("methods[{at}].{name}");
            let is_first = self.methods.iter().take(at).all(|other| other.code != method.code);
            faults.unless(is_word(&method.code), &field("code"), "Enter 2 to 30 lowercase letters or hyphens.");
            faults.unless(is_first, &field("code"), "Another method already has this code.");
            let fits = method.pickup == (method.code == PICKUP);
            faults.unless(fits, &field("code"), "The code 'pickup' is reserved for store pickup.");
            faults.line(&field("name"), &method.name, 1, 60);
            faults.line(&field("estimate"), &method.estimate, 1, 80);
            faults.unless((0..=MOST).contains(&method.signature_fee), &field("signature_fee"), "Enter an amount.");
            self.check_rates(method, &field, &mut faults);
        }
        for (at, zone) in self.zones.iter().enumerate() {
            let is_served = self.methods.iter().any(|method| method.rates.iter().any(|rates| rates.zone == zone.name));
            faults.unless(is_served, &format!("zones[{at}].name"), "No method has rates for this zone.");
        }
        faults.finish()
    }

    fn check_zones(&self, faults: &mut Faults) {
        let mut seen: Vec<&str> = Vec::new();
        for (at, zone) in self.zones.iter().enumerate() {
            let name = format!("zones[{at}].name");
            faults.unless(is_word(&zone.name), &name, "Enter 2 to 30 lowercase letters or hyphens.");
            let is_first = self.zones.iter().take(at).all(|other| other.name != zone.name);
            faults.unless(is_first, &name, "Another zone already has this name.");
            let states = format!("zones[{at}].states");
            // Zones are stored by their states: one without any would be lost, with its rates.
            faults.unless(!zone.states.is_empty(), &states, "Enter at least one state, or remove this zone.");
            for code in &zone.states {
                if state(code).is_none() {
                    faults.say(&states, format!("{code} isn’t a state."));
                } else if seen.contains(&code.as_str()) {
                    faults.say(&states, format!("{code} is already in a zone."));
                }
                seen.push(code);
            }
        }
        let missing: Vec<&str> = STATES.iter().map(|state| state.code).filter(|code| !seen.contains(code)).collect();
        if !missing.is_empty() {
            faults.say("zones", format!("Each state needs a zone. Missing: {}.", missing.join(", ")));
        }
    }

    fn check_rates(&self, method: &Method, field: &impl Fn(&str) -> String, faults: &mut Faults) {
        if method.pickup {
            let is_empty = method.weights.is_empty() && method.rates.is_empty();
            faults.unless(is_empty, &field("rates"), "Pickup has no rates.");
            return;
        }
        faults.unless(!method.weights.is_empty(), &field("weights"), "Enter at least one weight class.");
        for (at, weight) in method.weights.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| method.weights.get(before)).copied().unwrap_or(0);
            let grows = (before + 1..=MAX_GRAMS).contains(weight);
            faults.unless(
                grows,
                &field(&format!("weights[{at}]")),
                "Enter a weight above the one before, such as 12 oz or 1 lb 4 oz.",
            );
        }
        faults.unless(!method.rates.is_empty(), &field("rates"), "Enter rates for at least one zone.");
        for (row, rates) in method.rates.iter().enumerate() {
            let is_known = self.zones.iter().any(|zone| zone.name == rates.zone);
            let is_first = method.rates.iter().take(row).all(|other| other.zone != rates.zone);
            faults.unless(is_known && is_first, &field(&format!("rates[{row}].zone")), "This zone doesn’t exist.");
            for at in 0..method.weights.len().max(rates.prices.len()) {
                let price = rates.prices.get(at).filter(|price| (0..=MOST).contains(*price));
                let fits = price.is_some() && at < method.weights.len();
                faults.unless(fits, &field(&format!("rates[{row}].prices[{at}]")), "Enter a price for this weight.");
            }
        }
    }
}

fn is_word(text: &str) -> bool {
    (2..=30).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::{Method, ShippingTable, Zone, ZoneRates};
    use shop_base::address::STATES;
    use shop_base::error::Error;

    fn table() -> ShippingTable {
        let states = STATES.iter().map(|state| state.code.to_owned()).collect();
        let ground = Method {
            code: "ground".into(),
            name: "Ground".into(),
            estimate: "2 days".into(),
            pickup: false,
            by_air: false,
            signature_fee: 400,
            weights: vec![500, 2_000],
            rates: vec![ZoneRates { zone: "all".into(), prices: vec![695, 895] }],
        };
        ShippingTable { methods: vec![ground], zones: vec![Zone { name: "all".into(), states }] }
    }

    /// The only invalid field after a change.
    fn fault(change: impl FnOnce(&mut ShippingTable)) -> String {
        let mut table = table();
        change(&mut table);
        let Err(Error::Invalid { errors }) = table.check() else { panic!("the table was taken") };
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.into_keys().next().expect("one")
    }

    #[test]
    fn a_gap_is_named_by_its_place() {
        assert!(table().check().is_ok());
        assert_eq!(fault(|table| table.zones[0].states.truncate(50)), "zones");
        assert_eq!(fault(|table| table.zones[0].states.push("ZZ".into())), "zones[0].states");
        assert_eq!(fault(|table| table.zones[0].states.push("OH".into())), "zones[0].states");
        assert_eq!(fault(|table| table.methods[0].rates[0].prices.truncate(1)), "methods[0].rates[0].prices[1]");
        assert_eq!(fault(|table| table.methods[0].rates[0].prices[0] = -1), "methods[0].rates[0].prices[0]");
        assert_eq!(fault(|table| table.methods[0].weights[1] = 400), "methods[0].weights[1]");
        assert_eq!(fault(|table| table.methods[0].code = "pickup".into()), "methods[0].code");
        let far = |states| Zone { name: "far".into(), states };
        assert_eq!(
            fault(|table| {
                let states = table.zones[0].states.split_off(50);
                table.zones.push(far(states));
            }),
            "zones[1].name"
        );
        assert_eq!(
            fault(|table| {
                table.zones.push(far(Vec::new()));
                table.methods[0].rates.push(ZoneRates { zone: "far".into(), prices: vec![1_695, 2_495] });
            }),
            "zones[1].states"
        );
    }
}
