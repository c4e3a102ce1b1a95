//! Sign-in.

use url::Url;

use super::reader::{Reader, is_web};
use super::secret::Secret;

/// The OpenID provider that customers sign in at. Off unless `SHOP_OIDC_ISSUER` and `SHOP_OIDC_CLIENT_ID` are set.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Exactly as the provider writes it, including any trailing slash: `SHOP_OIDC_ISSUER`.
    pub issuer: String,
    /// `SHOP_OIDC_CLIENT_ID`
    pub client_id: String,
    /// `SHOP_OIDC_CLIENT_SECRET`
    pub client_secret: Option<Secret>,
    /// The audience of access tokens for the shop's API; without it none is accepted: `SHOP_OIDC_AUDIENCE`.
    pub audience: Option<String>,
    /// What an ID token may be for besides this client: `SHOP_OIDC_TRUSTED_AUDIENCES`.
    pub trusted_audiences: Vec<String>,
    /// The claim that lists roles: `SHOP_OIDC_ROLES_CLAIM`.
    pub roles_claim: String,
    /// The provider's page for changing email address, password and connected accounts: `SHOP_OIDC_ACCOUNT_URL`.
    pub account_url: Option<Url>,
    /// `acr` and `amr` values, one of which a sign-in must have for the admin area; without any, all may be: `SHOP_OIDC_STAFF_METHODS`.
    pub staff_methods: Vec<String>,
    /// The same for what requires a recent sign-in: `SHOP_OIDC_CONFIRM_METHODS`.
    pub confirm_methods: Vec<String>,
}

impl Identity {
    /// `None`, with a warning, when a setting is missing.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (issuer, client_id) = (reader.some("SHOP_OIDC_ISSUER"), reader.some("SHOP_OIDC_CLIENT_ID"));
        let (Some(issuer), Some(client_id)) = (issuer, client_id) else {
            let warning = "SHOP_OIDC_ISSUER or SHOP_OIDC_CLIENT_ID is missing: nobody can sign in";
            reader.warnings.push(warning.to_owned());
            return None;
        };
        let account_url = account_url(reader);
        // It is used as it is written, not as it is parsed.
        reader.address("SHOP_OIDC_ISSUER", "an address such as https://id.example", is_web)?;
        Some(Self {
            issuer,
            client_id,
            client_secret: reader.some("SHOP_OIDC_CLIENT_SECRET").map(Secret::new),
            audience: reader.some("SHOP_OIDC_AUDIENCE"),
            trusted_audiences: words(reader, "SHOP_OIDC_TRUSTED_AUDIENCES"),
            roles_claim: reader.text("SHOP_OIDC_ROLES_CLAIM", Some("roles")),
            account_url,
            staff_methods: words(reader, "SHOP_OIDC_STAFF_METHODS"),
            confirm_methods: words(reader, "SHOP_OIDC_CONFIRM_METHODS"),
        })
    }
}

/// The words of a value, separated by blanks.
fn words(reader: &Reader<'_>, name: &str) -> Vec<String> {
    reader.some(name).iter().flat_map(|value| value.split_whitespace()).map(str::to_owned).collect()
}

fn account_url(reader: &mut Reader<'_>) -> Option<Url> {
    const EXPECTED: &str = "an address such as https://id.example/account";
    reader.address("SHOP_OIDC_ACCOUNT_URL", EXPECTED, |url| matches!(url.scheme(), "http" | "https"))
}
