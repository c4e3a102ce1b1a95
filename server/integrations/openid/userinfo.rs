//! What is read of userinfo.

use std::pin::Pin;

use openidconnect::{AsyncHttpClient, HttpClientError, HttpRequest, HttpResponse};
use serde_json::{Map, Value};

/// The claims that are read, besides the roles.
const READ: [&str; 4] = ["sub", "name", "email", "email_verified"];

/// Asks for userinfo and leaves all other claims out. `openidconnect` refuses the whole response if it does not know the form of one of them,
/// such as the digits as text that `updated_at` can be here with Auth0.
#[derive(Debug)]
pub struct UserinfoHttp {
    pub http: reqwest::Client,
    pub roles_claim: String,
}

impl<'c> AsyncHttpClient<'c> for UserinfoHttp {
    type Error = HttpClientError<reqwest::Error>;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Self::Error>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let mut response = AsyncHttpClient::call(&self.http, request).await?;
            if let Some(read) = only_read(response.body(), &self.roles_claim) {
                *response.body_mut() = read;
            }
            Ok(response)
        })
    }
}

/// None for what is no JSON object, such as a signed response.
fn only_read(body: &[u8], roles_claim: &str) -> Option<Vec<u8>> {
    let mut claims: Map<String, Value> = serde_json::from_slice(body).ok()?;
    claims.retain(|name, _| READ.contains(&name.as_str()) || name == roles_claim);
    serde_json::to_vec(&claims).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::only_read;

    #[test]
    fn only_what_is_read_is_left() {
        let told = json!({ "sub": "ann", "email_verified": true, "updated_at": "1735689600", "address": "", "roles": ["staff"] });
        let left = only_read(told.to_string().as_bytes(), "roles").unwrap();
        let left: Value = serde_json::from_slice(&left).unwrap();
        assert_eq!(left, json!({ "sub": "ann", "email_verified": true, "roles": ["staff"] }));
        for other in ["", "[]", "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl"] {
            assert_eq!(only_read(other.as_bytes(), "roles"), None, "{other}");
        }
    }
}
