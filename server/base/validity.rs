//! Validity periods of rules and rates. What was once in force is never rewritten: it ends, and something else follows it.

use std::collections::BTreeMap;
use std::iter;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::error::Error;
use super::fields::Faults;

/// A period of validity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Date,
    /// The first day on which it no longer holds. If that is its first day, it never holds.
    pub until: Option<Date>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Past,
    InForce,
    Coming,
}

/// Ends something on a day, or withdraws it before it has begun.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct EndInput {
    /// The version that the caller saw.
    pub version: i64,
    /// The first day on which it no longer holds, `YYYY-MM-DD`.
    pub valid_until: String,
}

#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct WithdrawInput {
    /// The version that the caller saw.
    pub version: i64,
}

impl Span {
    /// Parses what staff entered; [`check_begin`] checks whether it is still to begin.
    pub fn read(from: &str, until: Option<&str>, faults: &mut Faults) -> Self {
        let first = faults.day("valid_from", from).unwrap_or(Date::ZERO);
        faults.unless(!from.trim().is_empty(), "valid_from", "Enter a start date.");
        let until = faults.day("valid_until", until.unwrap_or_default());
        faults.unless(until.is_none_or(|until| until > first), "valid_until", "Enter a date after the start.");
        Self { from: first, until }
    }

    pub fn holds_on(self, day: Date) -> bool {
        self.from <= day && self.until.is_none_or(|until| day < until)
    }

    pub fn phase(self, today: Date) -> Phase {
        if self.until.is_some_and(|until| until <= today || until <= self.from) {
            Phase::Past
        } else if self.from > today {
            Phase::Coming
        } else {
            Phase::InForce
        }
    }

    pub fn is_void(self) -> bool {
        self.until.is_some_and(|until| until <= self.from)
    }
}

/// When each would end by itself; none if it would not. A successor may end it earlier.
pub type OwnEnds = BTreeMap<Uuid, Option<Date>>;

/// How something new fits in among others of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Succession {
    /// Those that end on its first day.
    pub ended: Vec<Uuid>,
    /// Ends at the latest when the next one begins.
    pub span: Span,
}

pub fn succeed(others: &[(Uuid, Span)], new: Span) -> Succession {
    let holding = others.iter().filter(|(_, span)| span.holds_on(new.from));
    let next =
        others.iter().filter(|(_, span)| span.from > new.from && !span.is_void()).map(|(_, span)| span.from).min();
    Succession {
        ended: holding.map(|(id, _)| *id).collect(),
        span: Span { from: new.from, until: [new.until, next].into_iter().flatten().min() },
    }
}

/// Whether nothing would take the place of something new on the day on which it ends, although what it replaces would by itself still hold then.
pub fn leaves_gap(others: &[(Uuid, Span)], own_ends: &OwnEnds, new: Span) -> bool {
    let Some(until) = new.until else { return false };
    let follows = |(_, span): &(Uuid, Span)| span.from > new.from && span.from <= until && !span.is_void();
    let would_hold = |(id, span): &(Uuid, Span)| {
        let own_end = own_ends.get(id).copied().unwrap_or(span.until);
        span.holds_on(new.from) && own_end.is_none_or(|end| until < end)
    };
    !others.iter().any(follows) && others.iter().any(would_hold)
}

/// Checks whether something new may begin when it does.
pub fn check_begin(span: Span, today: Date) -> Result<(), Error> {
    let mut faults = Faults::default();
    faults.unless(span.from >= today, "valid_from", "Past dates can’t be changed. Start today or later.");
    faults.finish()
}

/// Checks whether something may end on a day.
pub fn check_end(span: Span, day: &str, today: Date) -> Result<Date, Error> {
    let mut faults = Faults::default();
    let until = faults.day("valid_until", day).unwrap_or(Date::ZERO);
    // Withdrawn, it gives its days back to its predecessor.
    let is_withdrawal = until == span.from && span.from > today;
    let is_later = until >= today && until >= span.from && !is_withdrawal;
    let fits = is_later && span.until.is_none_or(|old| until < old);
    faults.unless(fits, "valid_until", "Enter a date from today on, while it’s still in effect.");
    faults.finish().map(|()| until)
}

/// Withdraws something that has not begun. Returns when those that it ended now end: when their successor begins, or by themselves. Refused if
/// it would leave the gap that [`leaves_gap`] tells of, on its first day or when one of those ends.
pub fn withdraw(
    others: &[(Uuid, Span)],
    own_ends: &OwnEnds,
    span: Span,
    today: Date,
) -> Result<Vec<(Uuid, Option<Date>)>, Error> {
    if span.phase(today) != Phase::Coming {
        return Err(Error::conflict("in_force", "It has already been in effect. End it instead."));
    }
    // Of two that begin on one day, the one that was added later follows the other.
    let follows = |other: &(Uuid, Span), one: &(Uuid, Span)| (other.1.from, other.0) > (one.1.from, one.0);
    let own_end = |(id, span): &(Uuid, Span)| own_ends.get(id).copied().unwrap_or(span.until);
    let holds_at_all = |other: &(Uuid, Span)| own_end(other).is_none_or(|until| other.1.from < until);
    let ended = others.iter().filter(|(id, other)| other.until == Some(span.from) && own_ends.contains_key(id));
    let until = |one: &(Uuid, Span)| {
        let next = others.iter().filter(|other| follows(other, one) && holds_at_all(other));
        [own_end(one), next.map(|(_, next)| next.from).min()].into_iter().flatten().min()
    };
    let ended: Vec<_> = ended.map(|one| (one.0, until(one))).collect();
    let without = |(id, other): &(Uuid, Span)| {
        let until = ended.iter().find(|(ended, _)| ended == id).map_or(other.until, |(_, until)| *until);
        (*id, Span { until, ..*other })
    };
    let rest: Vec<_> = others.iter().map(without).collect();
    let is_gap = |day: Date| {
        let ends_by_itself = |one: &(Uuid, Span)| one.1.until == Some(day) && own_end(one) == Some(day);
        let would_hold = |one: &(Uuid, Span)| own_end(one).is_none_or(|until| day < until);
        let is_missed = |last: &(Uuid, Span)| rest.iter().any(|one| follows(last, one) && would_hold(one));
        let is_covered = rest.iter().any(|(_, other)| other.holds_on(day));
        !is_covered && rest.iter().any(|last| ends_by_itself(last) && is_missed(last))
    };
    let mut days = iter::once(span.from).chain(ended.iter().filter_map(|(_, until)| *until));
    if let Some(day) = days.find(|day| is_gap(*day)) {
        let day = day.strftime("%B %-d, %Y");
        let message = format!(
            "Nothing would take its place on {day}, although what was there before would still hold. Withdraw the one before it first, or add another for that day."
        );
        return Err(Error::conflict("leaves_gap", &message));
    }
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};
    use uuid::Uuid;

    use super::{OwnEnds, Phase, Span, check_end, leaves_gap, succeed, withdraw};

    const TODAY: Date = date(2026, 11, 21);

    fn span(from: Date, until: Option<Date>) -> Span {
        Span { from, until }
    }

    #[test]
    fn what_is_in_force_ends_when_another_begins() {
        let (old, next) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let others = [(old, span(date(2026, 1, 1), Some(date(2027, 1, 1)))), (next, span(date(2027, 1, 1), None))];
        let found = succeed(&others, span(TODAY, None));
        assert_eq!((found.ended, found.span.until), (vec![old], Some(date(2027, 1, 1))));
        let later = succeed(&others, span(date(2027, 6, 1), None));
        assert_eq!((later.ended, later.span.until), (vec![next], None));
    }

    #[test]
    fn a_mistake_of_today_is_followed_today() {
        let wrong = Uuid::from_u128(1);
        let found = succeed(&[(wrong, span(TODAY, None))], span(TODAY, None));
        assert_eq!(found.ended, [wrong]);
        let void = span(TODAY, Some(TODAY));
        assert!(!void.holds_on(TODAY) && void.phase(TODAY) == Phase::Past);
        assert!(succeed(&[(wrong, void)], span(date(2026, 11, 20), None)).span.until.is_none());
    }

    #[test]
    fn what_is_replaced_for_some_days_needs_a_successor() {
        let [ban, next] = [1, 2].map(Uuid::from_u128);
        let [from, until, later] = [date(2026, 12, 1), date(2026, 12, 15), date(2027, 1, 1)];
        let new = span(from, Some(until));
        let gap = |end: Option<Date>, begins: Date| {
            let others = [(ban, span(date(2026, 1, 1), Some(begins))), (next, span(begins, None))];
            leaves_gap(&others, &OwnEnds::from([(ban, end)]), new)
        };
        assert!(gap(None, later));
        assert!(gap(Some(date(2026, 12, 20)), later));
        assert!(!gap(Some(until), later), "it would have ended, too");
        assert!(!gap(None, until), "something else begins on that day");
        assert!(!gap(None, date(2026, 12, 10)), "something else begins before");
        let alone = [(ban, span(date(2026, 1, 1), None))];
        assert!(
            leaves_gap(&alone, &OwnEnds::new(), new),
            "what an earlier release added has no end of its own on record"
        );
        assert!(!leaves_gap(&alone, &OwnEnds::new(), span(from, None)));
        assert!(!leaves_gap(&[], &OwnEnds::new(), new), "nothing held before");
    }

    #[test]
    fn only_what_holds_can_end_and_only_what_comes_be_taken_back() {
        let now = span(date(2026, 1, 1), Some(date(2027, 1, 1)));
        assert!(check_end(now, "2026-11-20", TODAY).is_err());
        assert!(check_end(now, "2027-01-01", TODAY).is_err());
        assert_eq!(check_end(now, "2026-11-21", TODAY).ok(), Some(TODAY));
        let coming = span(date(2027, 1, 1), None);
        assert!(check_end(coming, "2027-01-01", TODAY).is_err());
        assert!(withdraw(&[], &OwnEnds::new(), now, TODAY).is_err());
        let others = [(Uuid::nil(), now)];
        assert_eq!(withdraw(&others, &OwnEnds::new(), coming, TODAY).ok(), Some(Vec::new()), "it ended by itself");
        let own_ends = OwnEnds::from([(Uuid::nil(), None)]);
        assert_eq!(withdraw(&others, &own_ends, coming, TODAY).ok(), Some(vec![(Uuid::nil(), None)]));
    }

    #[test]
    fn what_was_corrected_holds_again_without_its_correction() {
        let day = date(2026, 12, 1);
        let [permission, ban] = [1, 2].map(Uuid::from_u128);
        let others = [(permission, span(date(2026, 1, 1), Some(day))), (ban, span(day, Some(day)))];
        let own_ends = OwnEnds::from([(permission, None), (ban, None)]);
        let until = withdraw(&others, &own_ends, span(day, None), TODAY).ok();
        assert_eq!(until, Some(vec![(permission, Some(day)), (ban, None)]));
    }

    #[test]
    fn what_follows_something_with_an_end_is_withdrawn_after_it() {
        let [ban, permission] = [1, 2].map(Uuid::from_u128);
        let [from, until] = [date(2026, 12, 1), date(2026, 12, 15)];
        let next = span(until, None);
        let others = [(ban, span(date(2026, 1, 1), Some(from))), (permission, span(from, Some(until)))];
        let withdrawn = |own_ends: [Option<Date>; 2]| {
            let own_ends = OwnEnds::from([(ban, own_ends[0]), (permission, own_ends[1])]);
            withdraw(&others, &own_ends, next, TODAY).ok()
        };
        assert_eq!(withdrawn([None, Some(until)]), None);
        assert_eq!(withdrawn([None, Some(date(2026, 12, 31))]), None, "the gap would follow on December 31");
        assert_eq!(withdrawn([None, None]), Some(vec![(permission, None)]));
        let both_end = withdrawn([Some(until), Some(until)]);
        assert_eq!(both_end, Some(vec![(permission, Some(until))]), "nothing would hold in any case");
        let alone = withdraw(&[(ban, span(date(2026, 1, 1), Some(until)))], &OwnEnds::from([(ban, None)]), next, TODAY);
        assert_eq!(alone.ok(), Some(vec![(ban, None)]), "once the permission was withdrawn");
    }
}
