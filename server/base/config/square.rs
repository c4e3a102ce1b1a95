//! Card payments with Square.

use url::Url;

use super::reader::Reader;
use super::secret::Secret;

/// One location of one account.
#[derive(Clone, Debug)]
pub struct SquareConfig {
    /// Base address of the API, determined by `SHOP_SQUARE_ENVIRONMENT`.
    pub api: Url,
    /// The script that shows the card form in the browser, determined by `SHOP_SQUARE_ENVIRONMENT`.
    pub script: Url,
    /// `SHOP_SQUARE_APPLICATION_ID`
    pub application_id: String,
    /// `SHOP_SQUARE_LOCATION_ID`
    pub location_id: String,
    /// `SHOP_SQUARE_ACCESS_TOKEN`
    pub access_token: Secret,
    /// Verifies the signatures of Square's webhooks: `SHOP_SQUARE_WEBHOOK_KEY`.
    pub webhook_key: Secret,
    /// The address of the webhook, exactly as registered with Square, since it is part of the signed text.
    pub webhook_url: String,
}

impl SquareConfig {
    /// Whether payments use test money only.
    pub fn is_sandbox(&self) -> bool {
        self.application_id.starts_with("sandbox-")
    }

    /// The path to which Square sends its webhooks.
    pub const WEBHOOK_PATH: &str = "/webhooks/square";

    /// `None`, with one warning, when a setting is missing. Without the shop's origin, which is a problem of its own, all else is checked.
    pub(super) fn read(reader: &mut Reader<'_>, origin: Option<&Url>) -> Option<Self> {
        let environment = reader.text("SHOP_SQUARE_ENVIRONMENT", Some("production"));
        let (api, script) = match environment.as_str() {
            "production" => ("https://connect.squareup.com", "https://web.squarecdn.com/v1/square.js"),
            "sandbox" => ("https://connect.squareupsandbox.com", "https://sandbox.web.squarecdn.com/v1/square.js"),
            _ => {
                let problem = format!("SHOP_SQUARE_ENVIRONMENT: '{environment}' is not sandbox or production");
                reader.problems.push(problem);
                return None;
            }
        };
        let names = [
            "SHOP_SQUARE_APPLICATION_ID",
            "SHOP_SQUARE_LOCATION_ID",
            "SHOP_SQUARE_ACCESS_TOKEN",
            "SHOP_SQUARE_WEBHOOK_KEY",
        ];
        let values = names.map(|name| reader.text(name, Some("")));
        let missing: Vec<&str> =
            names.iter().zip(&values).filter(|(_, value)| value.is_empty()).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            reader.warnings.push(format!("card payment is off, its set-up is skipped: {} missing", missing.join(", ")));
            return None;
        }
        let [application_id, location_id, access_token, webhook_key] = values;
        // An id of the other environment would fail only in the shopper's browser.
        if application_id.starts_with("sandbox-") != (environment == "sandbox") {
            reader.problems.push(format!("SHOP_SQUARE_APPLICATION_ID is not one of the {environment} environment"));
        }
        Some(Self {
            api: Url::parse(api).ok()?,
            script: Url::parse(script).ok()?,
            application_id,
            location_id,
            access_token: Secret::new(access_token),
            webhook_key: Secret::new(webhook_key),
            webhook_url: format!("{}{}", origin?.as_str().trim_end_matches('/'), Self::WEBHOOK_PATH),
        })
    }
}
