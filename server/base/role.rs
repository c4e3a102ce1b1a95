//! Roles: coarse permissions, assigned by the identity provider.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A role. The order is the priority: the first role that a user has is the effective one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    SuperAdmin,
    Admin,
    Staff,
    Customer,
}

impl Role {
    /// The effective role among those that the provider lists, or none. Unknown names are ignored.
    pub fn effective(listed: &[String]) -> Option<Self> {
        listed.iter().filter_map(|name| Self::named(name)).min()
    }

    pub const ALL: [Self; 4] = [Self::SuperAdmin, Self::Admin, Self::Staff, Self::Customer];

    /// Its name for the provider and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::SuperAdmin => "super_admin",
            Self::Admin => "admin",
            Self::Staff => "staff",
            Self::Customer => "customer",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    pub fn is_staff(self) -> bool {
        self <= Self::Staff
    }

    pub fn is_admin(self) -> bool {
        self <= Self::Admin
    }
}

impl TryFrom<String> for Role {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::named(&name).ok_or_else(|| format!("'{name}' is no role: name one of {}", names()))
    }
}
