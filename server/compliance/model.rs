//! The rules and what follows from them.

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The state that stands for every state without a rule of its own.
pub const ANY_STATE: &str = "*";

/// How goods reach the buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    Ship,
    Pickup,
}

/// What holds for goods of one class in one state during a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: Uuid,
    pub class: String,
    /// Two capital letters, or [`ANY_STATE`].
    pub state: String,
    pub valid_from: Date,
    /// The first day on which it no longer holds.
    pub valid_until: Option<Date>,
    pub may_ship: bool,
    pub may_pick_up: bool,
    pub may_pay_online: bool,
    pub adult_signature: bool,
    /// No aircraft takes it.
    pub ground_only: bool,
    /// What to tell a shopper whom it refuses.
    pub reason: String,
    pub source: String,
}

/// What the rules say of a cart. Stored with the order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    pub state: String,
    pub delivery: Delivery,
    pub decided_on: String,
    /// The rules that allowed it.
    pub rules: Vec<AppliedRule>,
    pub adult_signature: bool,
    pub ground_only: bool,
    pub may_pay_online: bool,
    #[serde(skip)]
    pub refusals: Vec<Refusal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppliedRule {
    pub id: Uuid,
    pub class: String,
    pub source: String,
}

/// A class that may not go there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub class: String,
    pub message: String,
}

/// The rule of a class in a state on a day: the state's own before the general one, the newest first.
pub fn find_rule<'a>(rules: &'a [Rule], class: &str, state: &str, on: Date) -> Option<&'a Rule> {
    let newest = |place: &str| {
        rules
            .iter()
            .filter(|rule| rule.class == class && rule.state == place)
            .filter(|rule| rule.valid_from <= on && rule.valid_until.is_none_or(|until| on < until))
            .max_by_key(|rule| rule.valid_from)
    };
    newest(state).or_else(|| newest(ANY_STATE))
}

/// Decides for goods of these classes. What no rule allows is refused.
pub fn decide(rules: &[Rule], classes: &[&str], state: &str, delivery: Delivery, on: Date) -> Decision {
    let mut decision = Decision {
        state: state.to_owned(),
        delivery,
        decided_on: on.to_string(),
        rules: Vec::new(),
        adult_signature: false,
        ground_only: false,
        may_pay_online: true,
        refusals: Vec::new(),
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
                decision.may_pay_online &= rule.may_pay_online;
                let (id, source) = (rule.id, rule.source.clone());
                decision.rules.push(AppliedRule { id, class: class.to_owned(), source });
            }
            (None, rule) => {
                let reason = rule.map(|rule| rule.reason.as_str()).filter(|reason| !reason.is_empty());
                let message = reason.map_or_else(|| unknown(state, delivery), str::to_owned);
                decision.refusals.push(Refusal { class: class.to_owned(), message });
            }
        }
    }
    decision
}

fn unknown(state: &str, delivery: Delivery) -> String {
    match delivery {
        Delivery::Ship => format!("We do not ship this to {state}."),
        Delivery::Pickup => "This cannot be picked up.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use uuid::Uuid;

    use super::{Delivery, Rule, decide, find_rule};

    const DAY: Date = date(2026, 11, 21);

    fn rule(class: &str, state: &str, from: Date) -> Rule {
        Rule {
            id: Uuid::nil(),
            class: class.to_owned(),
            state: state.to_owned(),
            valid_from: from,
            valid_until: None,
            may_ship: true,
            may_pick_up: true,
            may_pay_online: true,
            adult_signature: false,
            ground_only: false,
            reason: String::new(),
            source: "a law".to_owned(),
        }
    }

    #[test]
    fn a_class_without_a_rule_is_refused() {
        let decision = decide(&[], &["pipe"], "OH", Delivery::Ship, DAY);
        assert_eq!(decision.refusals.len(), 1);
        assert_eq!(decision.refusals[0].message, "We do not ship this to OH.");
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
        let old = Rule { valid_until: Some(DAY), ..rule("pipe", "*", date(2020, 1, 1)) };
        let rules = [old, rule("pipe", "*", date(2026, 11, 22))];
        assert!(find_rule(&rules, "pipe", "OH", date(2026, 11, 20)).is_some());
        assert!(find_rule(&rules, "pipe", "OH", DAY).is_none(), "a gap between two rules refuses");
        assert_eq!(find_rule(&rules, "pipe", "OH", date(2026, 11, 22)), Some(&rules[1]));
    }

    #[test]
    fn the_strictest_class_rules_the_parcel() {
        let strict = Rule { adult_signature: true, may_pay_online: false, ..rule("fuel", "*", date(2026, 1, 1)) };
        let rules = [rule("pipe", "*", date(2026, 1, 1)), strict];
        let decision = decide(&rules, &["pipe", "fuel", "pipe"], "OH", Delivery::Pickup, DAY);
        assert!(decision.adult_signature && !decision.may_pay_online);
        assert_eq!(decision.rules.len(), 2, "each class once");
    }
}
