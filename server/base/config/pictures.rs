//! The store of pictures, if it is not the folder.

use url::Url;

use super::reader::Reader;
use super::secret::Secret;

const PICTURES: &str = "SHOP_PICTURES";
const ENDPOINT: &str = "SHOP_S3_ENDPOINT";
const REGION: &str = "SHOP_S3_REGION";
const ACCESS_KEY: &str = "SHOP_S3_ACCESS_KEY";
const SECRET_KEY: &str = "SHOP_S3_SECRET_KEY";

/// A bucket of a store that speaks S3.
#[derive(Clone, Debug)]
pub struct Bucket {
    pub name: String,
    /// Without a slash at either end; may be empty.
    pub prefix: String,
    /// Amazon's without it: `SHOP_S3_ENDPOINT`.
    pub endpoint: Option<Url>,
    /// `SHOP_S3_REGION`
    pub region: String,
    /// `SHOP_S3_ACCESS_KEY`
    pub access_key: Secret,
    /// `SHOP_S3_SECRET_KEY`
    pub secret_key: Secret,
}

impl Bucket {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let Some(place) = reader.some(PICTURES) else {
            for name in [ENDPOINT, REGION, ACCESS_KEY, SECRET_KEY] {
                if reader.some(name).is_some() {
                    reader.problems.push(format!("{name} is of no use without {PICTURES}"));
                }
            }
            return None;
        };
        let parts = parse(&place);
        if parts.is_none() {
            // Without the value, which may contain a key.
            reader.problems.push(format!("{PICTURES} is not an address such as s3://bucket/prefix"));
        }
        let endpoint = reader.endpoint(ENDPOINT);
        let region = reader.text(REGION, Some("us-east-1"));
        let [access_key, secret_key] = [ACCESS_KEY, SECRET_KEY].map(|name| Secret::new(reader.text(name, None)));
        let (name, prefix) = parts?;
        Some(Self { name, prefix, endpoint, region, access_key, secret_key })
    }
}

/// The name and the prefix in `s3://bucket/prefix`.
fn parse(place: &str) -> Option<(String, String)> {
    let (name, prefix) = place.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, "")))?;
    let prefix = prefix.trim_end_matches('/');
    let is_name = |text: &str, others: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
    };
    let is_part = |part: &str| is_name(part, "-_.") && !part.chars().all(|c| c == '.');
    let is_valid = is_name(name, "-_.") && (prefix.is_empty() || prefix.split('/').all(is_part));
    is_valid.then(|| (name.to_owned(), prefix.to_owned()))
}
