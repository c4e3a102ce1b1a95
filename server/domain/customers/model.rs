//! A customer's own data, as used by the API and the account page.

use serde::{Deserialize, Serialize};
use shop_base::address::{Address, state};
use shop_base::fields::{Faults, FieldErrors, one_line, tidy_phone};
use shop_base::role::Role;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::age::model::AgeProof;
use crate::identity::model::MAX_NAME;

/// More than anybody needs, and a limit against filling the database.
pub const MOST_ADDRESSES: usize = 20;

/// The current user.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Me {
    /// The user's subject at the identity provider.
    pub sub: String,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub phone: String,
    /// As listed by the identity provider.
    pub roles: Vec<String>,
    /// The effective role.
    pub role: Option<Role>,
    pub preferences: Preferences,
    pub addresses: Vec<AddressView>,
    /// The currently valid proof of age.
    pub age: Option<AgeProof>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Preferences {
    /// Two-letter code of the state to ship to.
    pub preferred_state: Option<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AddressView {
    pub id: Uuid,
    pub first_name: String,
    pub last_name: String,
    pub company: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    pub state: String,
    pub postal_code: String,
    pub phone: String,
    pub is_default: bool,
}

impl AddressView {
    pub fn address(&self) -> Address {
        Address {
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            company: self.company.clone(),
            line1: self.line1.clone(),
            line2: self.line2.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            postal_code: self.postal_code.clone(),
            phone: self.phone.clone(),
        }
    }
}

/// What a checkout begins with.
#[derive(Debug, Default)]
pub struct CheckoutDefaults {
    pub phone: String,
    pub preferred_state: Option<String>,
    pub addresses: Vec<AddressView>,
}

/// Changes to the profile; omitted fields stay unchanged.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ProfileChange {
    pub name: Option<String>,
    /// A US phone number; empty to remove it.
    pub phone: Option<String>,
    /// The `sub` of the account that the page showed; refused if another one is signed in by now.
    pub user_id: Option<String>,
}

/// Changes to the preferences; omitted fields stay unchanged.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct PreferencesChange {
    /// Two-letter code; empty to remove it.
    pub preferred_state: Option<String>,
    /// The `sub` of the account that the page showed; refused if another one is signed in by now.
    pub user_id: Option<String>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewAddress {
    pub first_name: String,
    pub last_name: String,
    pub company: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    /// Two-letter code.
    pub state: String,
    pub postal_code: String,
    pub phone: String,
    pub is_default: bool,
    /// The `sub` of the account that the page showed; refused if another one is signed in by now.
    pub user_id: Option<String>,
}

impl ProfileChange {
    /// Trims the given fields, or returns what is invalid.
    pub fn checked(self) -> Result<Self, FieldErrors> {
        let change = Self {
            name: self.name.map(|name| one_line(&name)),
            phone: self.phone.map(|phone| tidy_phone(&phone)),
            user_id: self.user_id,
        };
        let mut faults = Faults::default();
        match change.name.as_deref() {
            // In lists there would be nothing to follow.
            Some(name) if !name.chars().any(char::is_alphanumeric) => faults.say("name", "Enter your name."),
            Some(name) if name.chars().count() > MAX_NAME => faults.say("name", "Use at most 80 characters."),
            Some(name) if name.chars().any(char::is_control) => {
                faults.say("name", "Remove control characters.");
            }
            _ => {}
        }
        faults.phone("phone", change.phone.as_deref().unwrap_or_default());
        if faults.is_empty() { Ok(change) } else { Err(faults.into_errors()) }
    }
}

impl PreferencesChange {
    /// The preferences after the change.
    pub fn applied(self, before: Preferences) -> Result<Preferences, FieldErrors> {
        let preferred_state = match self.preferred_state.as_deref() {
            None => before.preferred_state,
            Some("") => None,
            Some(code) if state(code).is_some() => Some(code.to_owned()),
            Some(_) => {
                let mut faults = Faults::default();
                faults.say("preferred_state", "Choose a state.");
                return Err(faults.into_errors());
            }
        };
        Ok(Preferences { preferred_state })
    }
}

impl NewAddress {
    pub fn address(&self) -> Address {
        Address {
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            company: self.company.clone(),
            line1: self.line1.clone(),
            line2: self.line2.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            postal_code: self.postal_code.clone(),
            phone: self.phone.clone(),
        }
    }
}
