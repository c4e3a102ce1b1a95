//! Audit entries, and the hash chain that links them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use shop_base::role::Role;
use uuid::Uuid;

/// Who makes a change, taken from the request. Its JSON form is stored with work that continues after the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    pub user_id: Uuid,
    pub role: Role,
    /// The address truncated to its network, without its last part.
    pub network: String,
    /// Such as `Firefox on Windows`.
    pub device: String,
}

impl Actor {
    /// How order histories name a staff member.
    pub fn label(&self) -> String {
        format!("staff {}", self.user_id)
    }
}

/// What was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Such as `order`.
    pub kind: &'static str,
    pub id: String,
    /// What staff call it: an order's number, a product's title; empty for people.
    pub label: String,
}

impl Subject {
    pub fn new(kind: &'static str, id: impl ToString, label: impl Into<String>) -> Self {
        Self { kind, id: id.to_string(), label: label.into() }
    }
}

/// One change. `before` and `after` are JSON objects; fields that are equal in both are left out.
#[derive(Clone, Debug)]
pub struct Change {
    /// `noun.verb`, such as `order.refund`.
    pub action: &'static str,
    pub subject: Subject,
    pub before: Value,
    pub after: Value,
}

impl Change {
    /// An event that has no previous value.
    pub fn new(action: &'static str, subject: Subject, after: Value) -> Self {
        Self { action, subject, before: Value::Null, after }
    }

    /// A value that was replaced by another.
    pub fn of<T: Serialize>(action: &'static str, subject: Subject, before: &T, after: &T) -> Self {
        let json = |value: &T| serde_json::to_value(value).unwrap_or_default();
        let (before, after) = differing(json(before), json(after));
        Self { action, subject, before, after }
    }
}

/// The fields of two objects that are not equal.
fn differing(before: Value, after: Value) -> (Value, Value) {
    let (Value::Object(mut before), Value::Object(mut after)) = (before.clone(), after.clone()) else {
        return (before, after);
    };
    let equal: Vec<String> =
        before.iter().filter(|(name, value)| after.get(*name) == Some(value)).map(|(name, _)| name.clone()).collect();
    let drop = |fields: &mut Map<String, Value>| equal.iter().for_each(|name| drop(fields.remove(name)));
    drop(&mut before);
    drop(&mut after);
    (Value::Object(before), Value::Object(after))
}

/// An entry as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1 for the first, without gaps.
    pub seq: i64,
    /// UTC milliseconds.
    pub at: i64,
    pub actor_id: Uuid,
    pub role: String,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    pub subject_label: String,
    /// JSON.
    pub before: String,
    /// JSON.
    pub after: String,
    pub network: String,
    pub device: String,
}

impl Entry {
    /// SHA-256 over the hash of the previous entry (empty for the first) and all fields of this one.
    pub fn hash(&self, previous: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        // Each part is prefixed with its length, so that two different entries never hash the same bytes.
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        };
        add(previous);
        add(&self.seq.to_be_bytes());
        add(&self.at.to_be_bytes());
        add(self.actor_id.as_bytes());
        for text in [
            &self.role,
            &self.action,
            &self.subject_kind,
            &self.subject_id,
            &self.subject_label,
            &self.before,
            &self.after,
            &self.network,
            &self.device,
        ] {
            add(text.as_bytes());
        }
        hash.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Change, Subject};

    #[test]
    fn only_what_differs_is_kept() {
        let subject = Subject::new("product", 1, "Pipe");
        let change = Change::of(
            "product.update",
            subject,
            &json!({ "title": "A", "price": 100, "tags": [1] }),
            &json!({ "title": "B", "price": 100, "tags": [1, 2] }),
        );
        assert_eq!(change.before, json!({ "title": "A", "tags": [1] }));
        assert_eq!(change.after, json!({ "title": "B", "tags": [1, 2] }));
    }
}
