//! What the shop states about the company.

use serde::{Deserialize, Serialize};
use shop_base::config::Company;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::email::is_plain_email;
use shop_base::error::Error;
use shop_base::fields::{Faults, visible};
use utoipa::ToSchema;

use super::parts::{Part, try_claim, unclaimed};
use super::store;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};

/// What is stored before staff have changed anything.
const NONE: &str = "{}";

/// The staff's overrides of the company's texts, with their version.
pub async fn find_company(conn: &mut Conn<'_>) -> Result<(CompanyOverrides, i64), DbError> {
    let (value, version) = store::find_value(conn, Part::Company.name()).await?;
    let overrides = match value.as_str() {
        NONE => CompanyOverrides::default(),
        value => decoded("value", serde_json::from_str(value))?,
    };
    Ok((overrides, version))
}

/// Changes the company's texts on every page. `version` is that of the part, as the caller saw it.
pub async fn change_company(
    cx: &Context,
    actor: &Actor,
    version: i64,
    overrides: &CompanyOverrides,
) -> Result<(), Error> {
    let overrides = overrides.checked()?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = try_claim(&mut conn, clock, Part::Company, version).await?;
    let (before, _) = find_company(&mut conn).await?;
    let is_stored = before == overrides;
    if is_stored || !is_claimed {
        return unclaimed(is_stored);
    }
    let value = serde_json::to_string(&overrides).map_err(Error::internal)?;
    store::set_value(&mut conn, Part::Company.name(), &value).await?;
    let subject = Subject::new("setting", Part::Company.name(), "Company");
    let change = Change::of("company.update", subject, &before, &overrides);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Who runs the shop, as shown on pages, in emails and in legal texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CompanyTexts {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// The line with the license, shown below the age gate and at the foot of every page.
    pub legal_line: String,
}

/// Overrides by staff of what the environment configures; an empty text overrides nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CompanyOverrides {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    pub legal_line: String,
}

impl CompanyTexts {
    pub fn new(company: &Company, overrides: &CompanyOverrides) -> Self {
        let either = |own: &String, default: &String| if own.is_empty() { default.clone() } else { own.clone() };
        let name = either(&overrides.name, &company.name);
        let named = Company { name: name.clone(), ..company.clone() };
        Self {
            email: either(&overrides.email, &company.email),
            phone: either(&overrides.phone, &company.phone),
            address: either(&overrides.address, &company.address),
            legal_line: either(&overrides.legal_line, &named.legal_line()),
            name,
        }
    }
}

impl CompanyOverrides {
    /// The trimmed texts, without characters that show nothing, if all of them are valid.
    pub fn checked(&self) -> Result<Self, Error> {
        let trimmed = |text: &String| visible(text).trim().to_owned();
        let checked = Self {
            name: trimmed(&self.name),
            email: trimmed(&self.email),
            phone: trimmed(&self.phone),
            address: trimmed(&self.address),
            legal_line: trimmed(&self.legal_line),
        };
        let mut faults = Faults::default();
        faults.line("name", &checked.name, 0, 60);
        let is_email = checked.email.is_empty() || is_plain_email(&checked.email);
        faults.unless(is_email, "email", "Enter an email address, such as counter@shop.example.");
        faults.phone("phone", &checked.phone);
        faults.line("address", &checked.address, 0, 200);
        faults.line("legal_line", &checked.legal_line, 0, 300);
        faults.finish().map(|()| checked)
    }
}

#[cfg(test)]
mod tests {
    use super::CompanyOverrides;

    #[test]
    fn a_company_is_said_in_plain_texts() {
        let checked = |email: &str| CompanyOverrides { email: email.into(), ..CompanyOverrides::default() }.checked();
        assert!(checked("").is_ok() && checked(" counter@shop.example ").is_ok());
        for wrong in ["counter", "counter@shop", "a)b@shop.example", "a b@shop.example", "@shop.example", "a@b@c.d"] {
            assert!(checked(wrong).is_err(), "{wrong}");
        }
        let two_lines = CompanyOverrides { name: "Two\nlines".into(), ..CompanyOverrides::default() };
        assert!(two_lines.checked().is_err());
        let named = |name: &str| CompanyOverrides { name: name.into(), ..CompanyOverrides::default() }.checked();
        assert_eq!(named("Reed\u{202e} & Sons\u{200b}").unwrap().name, "Reed & Sons");
        assert_eq!(named("\u{200b} \u{feff}").unwrap().name, "", "a name that shows nothing is none");
    }
}
