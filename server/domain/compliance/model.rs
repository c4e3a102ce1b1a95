//! The compliance rules and the decisions based on them.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use shop_base::address;
use shop_base::address::{STATES, State};
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_base::validity::Span;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::tax::model::parts;

/// The state that stands for every state without a rule of its own.
pub const ANY_STATE: &str = "*";

/// The message for a shopper whose goods must be paid for in the store: those are not shipped.
const STORE_ONLY: &str = "This must be paid for in our store, so we don’t ship it.";

/// How goods get to the buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    Ship,
    Pickup,
}

/// An excise on goods of one class: a percentage of the price, an amount per piece, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Excise {
    /// The name shown to buyers, such as `Ohio other tobacco products tax`; empty for none.
    pub name: String,
    /// Parts per million of the price after discounts.
    pub ppm: i64,
    /// Minor units per piece.
    pub per_unit: i64,
}

impl Excise {
    /// The excise on `quantity` pieces that cost `amount` in total.
    pub fn on(&self, amount: i64, quantity: i64) -> i64 {
        parts(amount, self.ppm) + self.per_unit * quantity
    }

    fn check(&self, faults: &mut Faults) {
        faults.unless((0..=1_000_000).contains(&self.ppm), "excise.ppm", "Enter a percentage from 0 to 100.");
        faults.unless((0..=1_000_000).contains(&self.per_unit), "excise.per_unit", "Enter an amount per item.");
        let is_named = !self.name.trim().is_empty();
        faults.line("excise.name", &self.name, 0, 80);
        if is_named != (self.ppm > 0 || self.per_unit > 0) {
            faults.say(
                "excise.name",
                "An excise tax needs a name and a rate or amount. If there is none, leave all of these blank.",
            );
        }
    }
}

/// The rule for goods of one class in one state during a time span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: Uuid,
    pub class: String,
    /// Two capital letters, or [`ANY_STATE`].
    pub state: String,
    pub span: Span,
    pub may_ship: bool,
    pub may_pick_up: bool,
    pub may_pay_online: bool,
    pub adult_signature: bool,
    /// May not travel by air.
    pub ground_only: bool,
    /// The message for a shopper whose purchase is refused.
    pub reason: String,
    pub source: String,
    pub excise: Excise,
}

/// A rule as entered by staff.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RuleInput {
    /// The version that the caller saw.
    pub version: i64,
    pub class: String,
    /// Two capital letters, or `*` for every state without a rule of its own.
    pub state: String,
    /// `YYYY-MM-DD`
    pub valid_from: String,
    #[serde(default)]
    pub valid_until: Option<String>,
    pub may_ship: bool,
    pub may_pick_up: bool,
    pub may_pay_online: bool,
    pub adult_signature: bool,
    pub ground_only: bool,
    #[serde(default)]
    pub reason: String,
    pub source: String,
    #[serde(default)]
    pub excise: Excise,
}

impl RuleInput {
    pub fn rule(&self, id: Uuid, classes: &[Class]) -> Result<Rule, Error> {
        let mut faults = Faults::default();
        let is_class = classes.iter().any(|class| class.code == self.class);
        faults.unless(is_class, "class", "Choose a class.");
        let is_place = self.state == ANY_STATE || address::state(&self.state).is_some();
        faults.unless(is_place, "state", "Choose a state, or all states.");
        faults.line("reason", &self.reason, if self.may_ship { 0 } else { 10 }, 300);
        faults.line("source", &self.source, 3, 300);
        self.excise.check(&mut faults);
        let span = Span::read(&self.valid_from, self.valid_until.as_deref(), &mut faults);
        faults.finish()?;
        Ok(Rule {
            id,
            class: self.class.clone(),
            state: self.state.clone(),
            span,
            may_ship: self.may_ship,
            may_pick_up: self.may_pick_up,
            may_pay_online: self.may_pay_online,
            adult_signature: self.adult_signature,
            ground_only: self.ground_only,
            reason: self.reason.trim().to_owned(),
            source: self.source.trim().to_owned(),
            excise: Excise { name: self.excise.name.trim().to_owned(), ..self.excise.clone() },
        })
    }
}

/// A class of goods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ComplianceClassView)]
pub struct Class {
    pub code: String,
    pub name: String,
    /// Deliveries of it are recorded for the states' reports.
    pub is_reported: bool,
    /// Active products of the class.
    pub products: i64,
}

/// The decision for a cart under the rules. Stored with the order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub state: String,
    pub delivery: Delivery,
    pub decided_on: String,
    /// The rules that allowed it.
    pub rules: Vec<AppliedRule>,
    /// The excises of the classes, where a rule defines one.
    pub excises: Vec<ClassExcise>,
    pub adult_signature: bool,
    pub ground_only: bool,
    pub may_pay_online: bool,
    /// The classes that may not travel by air.
    #[serde(skip)]
    pub ground_classes: Vec<String>,
    #[serde(skip)]
    pub refusals: Vec<Refusal>,
    /// For the delivery [`Delivery::Ship`]: the classes that must be paid for in the store. What was paid for may leave all the same.
    #[serde(skip)]
    pub store_only: Vec<Refusal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppliedRule {
    pub id: Uuid,
    pub class: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassExcise {
    pub class: String,
    pub excise: Excise,
}

impl Decision {
    pub fn excise(&self, class: &str) -> Option<&Excise> {
        self.excises.iter().find(|each| each.class == class).map(|each| &each.excise)
    }

    /// For the delivery [`Delivery::Ship`]: what must be paid for in the store is not shipped either.
    pub fn is_shipped(&self) -> bool {
        self.refusals.is_empty() && self.may_pay_online
    }
}

/// A class of goods that the rules refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub class: String,
    pub message: String,
}

/// The rule of a class in a state on a day: the state's own rule before the general one, the newest first.
pub fn find_rule<'a>(rules: &'a [Rule], class: &str, state: &str, on: Date) -> Option<&'a Rule> {
    let newest = |place: &str| {
        rules
            .iter()
            .filter(|rule| rule.class == class && rule.state == place)
            .filter(|rule| rule.span.holds_on(on))
            .max_by_key(|rule| (rule.span.from, rule.id))
    };
    newest(state).or_else(|| newest(ANY_STATE))
}

/// Decides for goods of these classes. Whatever no rule allows is refused.
pub fn decide(rules: &[Rule], classes: &[&str], state: &str, delivery: Delivery, on: Date) -> Decision {
    let mut decision = Decision {
        state: state.to_owned(),
        delivery,
        decided_on: on.to_string(),
        rules: Vec::new(),
        excises: Vec::new(),
        adult_signature: false,
        ground_only: false,
        may_pay_online: true,
        ground_classes: Vec::new(),
        refusals: Vec::new(),
        store_only: Vec::new(),
    };
    let mut classes = classes.to_vec();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let rule = find_rule(rules, class, state, on);
        let allowed = rule.filter(|rule| match delivery {
            Delivery::Ship => rule.may_ship,
            Delivery::Pickup => rule.may_pick_up,
        });
        match (allowed, rule) {
            (Some(rule), _) => {
                decision.adult_signature |= rule.adult_signature;
                decision.ground_only |= rule.ground_only;
                decision.ground_classes.extend(rule.ground_only.then(|| class.to_owned()));
                decision.may_pay_online &= rule.may_pay_online;
                if delivery == Delivery::Ship && !rule.may_pay_online {
                    decision.store_only.push(Refusal { class: class.to_owned(), message: STORE_ONLY.to_owned() });
                }
                let (id, source) = (rule.id, rule.source.clone());
                if !rule.excise.name.is_empty() {
                    decision.excises.push(ClassExcise { class: class.to_owned(), excise: rule.excise.clone() });
                }
                decision.rules.push(AppliedRule { id, class: class.to_owned(), source });
            }
            (None, rule) => {
                // What leaves by exception needs them all the same.
                decision.adult_signature |= rule.is_some_and(|rule| rule.adult_signature);
                decision.ground_only |= rule.is_some_and(|rule| rule.ground_only);
                let reason = rule.map(|rule| rule.reason.as_str()).filter(|reason| !reason.is_empty());
                let message = reason.map_or_else(|| unknown(state, delivery), str::to_owned);
                decision.refusals.push(Refusal { class: class.to_owned(), message });
            }
        }
    }
    decision
}

/// How goods of a class may be bought.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// For shoppers: the text of the class, how its goods travel, and where they are not shipped.
    pub text: String,
    /// To any state; if not, they are sold in the store only, if at all.
    pub is_shipped: bool,
    /// Shipped to any state, or handed over in the store.
    pub is_sold: bool,
}

/// `text` is the class's own, `home` the state of the store.
pub fn restriction(rules: &[Rule], class: &str, text: &str, home: &str, on: Date) -> Restriction {
    let (served, refused): (Vec<_>, Vec<_>) = STATES
        .iter()
        .map(|state| (state, decide(rules, &[class], state.code, Delivery::Ship, on)))
        .partition(|(_, decision)| decision.is_shipped());
    let pickup = decide(rules, &[class], home, Delivery::Pickup, on);
    let is_shipped = !served.is_empty();
    let note = if is_shipped { shipping_note(&served, &refused) } else { store_note(&pickup).to_owned() };
    Restriction {
        text: format!("{text} {note}").trim().to_owned(),
        is_shipped,
        is_sold: is_shipped || pickup.refusals.is_empty(),
    }
}

fn shipping_note(served: &[StateDecision], refused: &[StateDecision]) -> String {
    let demands = [
        demand(
            served,
            |decision| decision.ground_only,
            "It ships by ground only.",
            "It ships to some states by ground only.",
        ),
        demand(
            served,
            |decision| decision.adult_signature,
            "An adult must sign for the package.",
            "In some states an adult must sign for the package.",
        ),
    ];
    let demands = demands.into_iter().flatten().map(str::to_owned);
    demands.chain(limits(served, refused)).collect::<Vec<_>>().join(" ")
}

fn store_note(pickup: &Decision) -> &'static str {
    match (pickup.refusals.is_empty(), pickup.may_pay_online) {
        (true, true) => "We don’t ship this: pick it up in our store.",
        (true, false) => "We don’t ship this: pick it up in our store, show your ID, and pay there.",
        (false, _) => "We don’t sell this at the moment.",
    }
}

type StateDecision = (&'static State, Decision);

/// What the rules demand of packages to all of these states, or only to some.
fn demand(
    served: &[StateDecision],
    is_made: fn(&Decision) -> bool,
    everywhere: &'static str,
    somewhere: &'static str,
) -> Option<&'static str> {
    match served.iter().filter(|(_, decision)| is_made(decision)).count() {
        0 => None,
        count if count == served.len() => Some(everywhere),
        _ => Some(somewhere),
    }
}

fn limits(served: &[StateDecision], refused: &[StateDecision]) -> Option<String> {
    match (served.len(), refused.len()) {
        (_, 0) => None,
        (served_count, refused_count) if served_count < refused_count => {
            Some(format!("We ship this only to {}.", listed(served)))
        }
        _ => Some(format!("We don’t ship this to {}.", listed(refused))),
    }
}

fn listed(states: &[StateDecision]) -> String {
    let names: Vec<&str> = states.iter().map(|(state, _)| state.name).collect();
    match names.as_slice() {
        [first, second] => format!("{first} or {second}"),
        [first @ .., last] if !first.is_empty() => format!("{}, or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

fn unknown(state: &str, delivery: Delivery) -> String {
    match delivery {
        Delivery::Ship => format!("We don’t ship this to {}.", address::name(state)),
        Delivery::Pickup => "This item isn’t available for pickup.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use jiff::civil::{Date, date};
    use uuid::Uuid;

    use super::{Delivery, Excise, Rule, Span, decide, find_rule, restriction};

    const DAY: Date = date(2026, 11, 21);

    fn rule(class: &str, state: &str, from: Date) -> Rule {
        Rule {
            id: Uuid::nil(),
            class: class.to_owned(),
            state: state.to_owned(),
            span: Span { from, until: None },
            may_ship: true,
            may_pick_up: true,
            may_pay_online: true,
            adult_signature: false,
            ground_only: false,
            reason: String::new(),
            source: "a law".to_owned(),
            excise: Excise::default(),
        }
    }

    #[test]
    fn a_class_without_a_rule_is_refused() {
        let decision = decide(&[], &["pipe"], "OH", Delivery::Ship, DAY);
        assert_eq!(decision.refusals.len(), 1);
        assert_eq!(decision.refusals[0].message, "We don’t ship this to Ohio.");
    }

    #[test]
    fn a_product_says_where_it_does_not_go() {
        let from = date(2026, 1, 1);
        let not = |class: &str, state: &str| Rule { may_ship: false, ..rule(class, state, from) };
        let note = |rules: &[Rule]| restriction(rules, "fuel", "", "OH", DAY).text;
        let is_shipped = |rules: &[Rule]| restriction(rules, "fuel", "", "OH", DAY).is_shipped;
        assert_eq!(note(&[rule("fuel", "*", from)]), "");
        let mut rules = vec![rule("fuel", "*", from), not("fuel", "HI")];
        assert_eq!(note(&rules), "We don’t ship this to Hawaii.");
        rules.extend([not("fuel", "AK"), not("fuel", "UT")]);
        assert_eq!(note(&rules), "We don’t ship this to Alaska, Hawaii, or Utah.");
        assert_eq!(
            note(&[not("fuel", "*"), rule("fuel", "OH", from), rule("fuel", "IN", from)]),
            "We ship this only to Indiana or Ohio."
        );
        assert_eq!(note(&[not("fuel", "*")]), "We don’t ship this: pick it up in our store.");
        let is_sold = |rules: &[Rule]| restriction(rules, "fuel", "", "OH", DAY).is_sold;
        assert!(is_sold(&[not("fuel", "*")]) && is_sold(&[rule("fuel", "IN", from)]));
        let recalled = Rule { may_pick_up: false, ..not("fuel", "*") };
        for unsold in [Vec::new(), vec![recalled]] {
            assert_eq!(note(&unsold), "We don’t sell this at the moment.");
            assert!(!is_sold(&unsold));
        }
        let papers = Rule { may_pay_online: false, ..not("fuel", "*") };
        let in_store = "We don’t ship this: pick it up in our store, show your ID, and pay there.";
        assert_eq!(note(slice::from_ref(&papers)), in_store);
        assert!(!is_shipped(&[papers]));
        let unpaid = Rule { may_pay_online: false, ..rule("fuel", "*", from) };
        assert_eq!(note(slice::from_ref(&unpaid)), in_store, "what is paid for in the store is not shipped");
        assert!(!is_shipped(slice::from_ref(&unpaid)));
        assert!(is_shipped(&[unpaid, rule("fuel", "OH", from)]));
    }

    #[test]
    fn a_product_says_how_it_travels() {
        let from = date(2026, 1, 1);
        let note = |rules: &[Rule]| restriction(rules, "fuel", "", "OH", DAY).text;
        let strict = |state: &str| Rule { adult_signature: true, ground_only: true, ..rule("fuel", state, from) };
        assert_eq!(note(&[strict("*")]), "It ships by ground only. An adult must sign for the package.");
        assert_eq!(
            note(&[rule("fuel", "*", from), strict("UT")]),
            "It ships to some states by ground only. In some states an adult must sign for the package."
        );
        let hawaii = Rule { may_ship: false, ..strict("HI") };
        assert_eq!(
            note(&[rule("fuel", "*", from), hawaii]),
            "We don’t ship this to Hawaii.",
            "where nothing goes, nothing is signed for"
        );
    }

    #[test]
    fn a_states_own_rule_goes_before_the_general_one() {
        let own = Rule { may_ship: false, reason: "Not to Utah.".into(), ..rule("pipe", "UT", date(2026, 1, 1)) };
        let rules = [rule("pipe", "*", date(2026, 6, 1)), own];
        assert_eq!(decide(&rules, &["pipe"], "UT", Delivery::Ship, DAY).refusals[0].message, "Not to Utah.");
        assert!(decide(&rules, &["pipe"], "OH", Delivery::Ship, DAY).refusals.is_empty());
    }

    #[test]
    fn rules_hold_from_their_first_day_to_before_their_last() {
        let old =
            Rule { span: Span { from: date(2020, 1, 1), until: Some(DAY) }, ..rule("pipe", "*", date(2020, 1, 1)) };
        let rules = [old, rule("pipe", "*", date(2026, 11, 22))];
        assert!(find_rule(&rules, "pipe", "OH", date(2026, 11, 20)).is_some());
        assert!(find_rule(&rules, "pipe", "OH", DAY).is_none(), "a gap between two rules refuses");
        assert_eq!(find_rule(&rules, "pipe", "OH", date(2026, 11, 22)), Some(&rules[1]));
    }

    #[test]
    fn an_excise_is_a_part_of_the_price_and_an_amount_for_each() {
        let excise = |ppm, per_unit| Excise { name: "Excise".into(), ppm, per_unit };
        assert_eq!(excise(170_000, 0).on(1_299, 3), 221, "220.83");
        assert_eq!(excise(0, 50).on(1_299, 3), 150);
        assert_eq!(excise(170_000, 50).on(0, 3), 150);
        let taxed = Rule { excise: excise(170_000, 0), ..rule("cigar", "OH", date(2026, 1, 1)) };
        let rules = [taxed, rule("cigar", "*", date(2026, 1, 1))];
        assert!(decide(&rules, &["cigar"], "OH", Delivery::Ship, DAY).excise("cigar").is_some());
        assert!(decide(&rules, &["cigar"], "IN", Delivery::Ship, DAY).excise("cigar").is_none());
    }

    #[test]
    fn the_strictest_class_rules_the_parcel() {
        let strict = Rule { adult_signature: true, may_pay_online: false, ..rule("fuel", "*", date(2026, 1, 1)) };
        let rules = [rule("pipe", "*", date(2026, 1, 1)), strict];
        let decision = decide(&rules, &["pipe", "fuel", "pipe"], "OH", Delivery::Pickup, DAY);
        assert!(decision.adult_signature && !decision.may_pay_online);
        assert_eq!(decision.rules.len(), 2, "each class once");
        assert!(decision.store_only.is_empty(), "it is paid for where it is picked up");
        let shipped = decide(&rules, &["pipe", "fuel", "pipe"], "OH", Delivery::Ship, DAY);
        let store_only: Vec<&str> = shipped.store_only.iter().map(|each| each.class.as_str()).collect();
        assert_eq!((store_only, shipped.is_shipped()), (vec!["fuel"], false));
    }
}
