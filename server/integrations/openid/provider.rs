//! Sign-in, refresh and sign-out as calls to the provider.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::core::{CoreAuthPrompt, CoreAuthenticationFlow, CoreJwsSigningAlgorithm};
use openidconnect::{
    AccessToken, AccessTokenHash, AuthenticationContextClass, AuthorizationCode, ClaimsVerificationError, Client,
    ClientId, ClientSecret, CsrfToken, EndUserEmail, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RefreshToken, Scope, SignatureVerificationError, SubjectIdentifier, TokenResponse, UserInfoError,
};
use serde_json::{Map, Value};
use shop_base::clock::Clock;
use shop_base::config;
use shop_domain::identity::model::{Profile, SignIn, Tokens, tidy_email};
use shop_domain::identity::provider::{IdentityProvider, ProviderError, Purpose, Refreshed, SaidEmail, Started, text};
use url::Url;

use super::discovery::{Discovery, Known};
use super::errors::{chain, sign_in_error, token_error};
use super::types::{Answer, Claims, Metadata, OidcClient, UserInfo};
use super::userinfo::UserinfoHttp;
use super::verify::verify;

const CONNECT_LIMIT: Duration = Duration::from_secs(3);
const ANSWER_LIMIT: Duration = Duration::from_secs(8);
/// Lifetime of tokens for which the provider states none.
const TOKEN_LIFETIME: Duration = Duration::from_secs(3600);

/// Asks for refresh tokens.
const OFFLINE: &str = "offline_access";

/// Accepted signature algorithms.
const SIGNATURES: [CoreJwsSigningAlgorithm; 4] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Why sign-in could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client: {0}")]
pub struct OpenIdStartError(#[from] reqwest::Error);

/// An OpenID provider with which the shop is registered as a client.
#[derive(Debug)]
pub struct OpenId {
    settings: config::Identity,
    redirect: String,
    http: reqwest::Client,
    userinfo_http: UserinfoHttp,
    clock: Arc<dyn Clock>,
    discovery: Arc<Discovery>,
}

impl OpenId {
    /// `origin` is the shop's origin, without a trailing slash.
    pub fn new(settings: config::Identity, origin: &str, clock: Arc<dyn Clock>) -> Result<Self, OpenIdStartError> {
        let http = reqwest::Client::builder()
            // Following a redirect could make the shop send requests into its own network (SSRF).
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT)
            .timeout(ANSWER_LIMIT)
            .build()?;
        let discovery = Arc::new(Discovery::new(settings.issuer.clone(), http.clone(), Arc::clone(&clock)));
        let userinfo_http = UserinfoHttp { http: http.clone(), roles_claim: settings.roles_claim.clone() };
        Ok(Self { redirect: format!("{origin}/auth/callback"), settings, http, userinfo_http, clock, discovery })
    }

    fn client(&self, known: &Known) -> Result<OidcClient, ProviderError> {
        let secret = self.settings.client_secret.as_ref().map(|secret| ClientSecret::new(secret.expose().to_owned()));
        let redirect = RedirectUrl::new(self.redirect.clone())
            .map_err(|error| ProviderError::Refused(format!("the redirect address: {error}")))?;
        let id = ClientId::new(self.settings.client_id.clone());
        Ok(Client::from_provider_metadata(known.metadata.clone(), id, secret).set_redirect_uri(redirect))
    }

    /// The userinfo of `subject`; none if there is no such endpoint, or it rejects the token.
    async fn userinfo(
        &self,
        known: &Known,
        access: &AccessToken,
        subject: SubjectIdentifier,
    ) -> Result<Option<UserInfo>, ProviderError> {
        let client = self.client(known)?;
        let Ok(request) = client.user_info(access.clone(), Some(subject)) else { return Ok(None) };
        match request.request_async(&self.userinfo_http).await {
            Ok(info) => Ok(Some(info)),
            Err(UserInfoError::Response(status, ..)) if matches!(status.as_u16(), 401 | 403) => Ok(None),
            Err(error @ UserInfoError::ClaimsVerification(_)) => Err(ProviderError::Refused(chain(&error))),
            Err(error) => Err(ProviderError::Unavailable(chain(&error))),
        }
    }

    async fn verified(&self, known: &Known, answer: &Answer, nonce: Option<&Nonce>) -> Result<Claims, ProviderError> {
        let mut claims = self.claims(known, answer, nonce);
        if claims.as_ref().is_err_and(is_of_unknown_key) {
            let known = self.discovery.known_with_new_keys().await?;
            claims = self.claims(&known, answer, nonce);
        }
        claims.map_err(|error| match nonce {
            // At a refresh the provider has just issued it: its key is too new to be published, or to be asked for again.
            None if is_of_unknown_key(&error) => ProviderError::Unavailable(chain(&error)),
            _ => ProviderError::Refused(chain(&error)),
        })
    }

    fn claims(&self, known: &Known, answer: &Answer, nonce: Option<&Nonce>) -> Result<Claims, ClaimsVerificationError> {
        let other = |message: &str| ClaimsVerificationError::Other(message.to_owned());
        let client = self.client(known).map_err(|error| other(&error.to_string()))?;
        // At a refresh the provider has just issued it: if it seems to be over, this node's clock is ahead, which must end no session.
        let now = self.clock.now_ms();
        let valid_at = if nonce.is_some() { u64::try_from(now).unwrap_or(0) } else { 0 };
        let valid_at = UNIX_EPOCH + Duration::from_millis(valid_at);
        let trusted = &self.settings.trusted_audiences;
        let verifier = client
            .id_token_verifier()
            .set_allowed_algs(SIGNATURES)
            .set_time_fn(move || valid_at.into())
            .set_other_audience_verifier_fn(|audience| trusted.iter().any(|one| one == audience.as_str()));
        let id_token = answer.id_token().ok_or_else(|| other("there is no ID token"))?;
        let claims = match nonce {
            Some(nonce) => id_token.claims(&verifier, nonce)?,
            None => id_token.claims(&verifier, |_: Option<&Nonce>| Ok(()))?,
        };
        if claims.expiration().timestamp_millis() <= now {
            tracing::error!(
                "an ID token was over when it came: this node’s clock is ahead, or the provider’s is behind"
            );
        }
        // `openidconnect` does not look at it. A token for several audiences is for a sign-in at the client that it was issued to.
        let is_ours = claims.authorized_party().is_some_and(|party| party.as_str() == self.settings.client_id);
        if claims.audiences().len() > 1 && !is_ours {
            return Err(other("it is for several audiences, and its azp is not the client id"));
        }
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = id_token.signing_alg().map_err(ClaimsVerificationError::SignatureVerification)?;
            let key = id_token.signing_key(&verifier).map_err(ClaimsVerificationError::SignatureVerification)?;
            let actual = AccessTokenHash::from_token(answer.access_token(), algorithm, key)
                .map_err(|error| other(&error.to_string()))?;
            if actual != *expected {
                return Err(other("the access token is not the one that the ID token names"));
            }
        }
        Ok(claims.clone())
    }

    /// The user's profile. What the ID token lacks is requested from the userinfo endpoint.
    async fn profile(&self, known: &Known, claims: &Claims, access: &AccessToken) -> Result<Profile, ProviderError> {
        let mut roles = self.roles(&claims.additional_claims().all);
        let mut email = claims.email().map(|email| email.as_str().to_owned());
        let mut email_verified = claims.email_verified();
        let mut name = claims.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_owned());
        if roles.is_none() || email.is_none() || name.is_none() {
            let more = match self.userinfo(known, access, claims.subject().clone()).await {
                // Only the name is missing.
                Err(ProviderError::Unavailable(reason)) if roles.is_some() && email.is_some() => {
                    tracing::warn!(reason, "a sign-in goes on without a name: userinfo could not be read");
                    None
                }
                more => more?,
            };
            if let Some(more) = more {
                roles = roles.or_else(|| self.roles(&more.additional_claims().all));
                name =
                    name.or_else(|| more.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_owned()));
                if email.is_none() {
                    email = more.email().map(|email| email.as_str().to_owned());
                    email_verified = more.email_verified();
                }
            }
        }
        let profile = Profile {
            issuer: self.settings.issuer.clone(),
            subject: claims.subject().as_str().to_owned(),
            email: email.unwrap_or_default(),
            email_verified: email_verified.unwrap_or(false),
            name: name.unwrap_or_default(),
            roles: roles.unwrap_or_default(),
        };
        Ok(profile.tidied())
    }

    /// The methods of authentication that are asked for.
    fn methods_for(&self, purpose: Purpose) -> impl Iterator<Item = &str> {
        let config::Identity { confirm_methods, staff_methods, .. } = &self.settings;
        let confirm = confirm_methods.iter().filter(move |_| purpose == Purpose::Confirm);
        let staff = staff_methods.iter().filter(move |_| matches!(purpose, Purpose::Staff | Purpose::Confirm));
        confirm.chain(staff).map(String::as_str)
    }

    /// The tokens of a response; those that a refresh does not renew are kept.
    fn tokens(&self, answer: &Answer, before: Option<&Tokens>) -> Option<Tokens> {
        let id_token = answer.id_token().map(ToString::to_string).or_else(|| before.map(|old| old.id_token.clone()))?;
        let new = answer.refresh_token().map(|token| token.secret().clone());
        let refresh_token = new.or_else(|| before.and_then(|old| old.refresh_token.clone()));
        let lives = answer.expires_in().unwrap_or(TOKEN_LIFETIME);
        let ends = self.clock.now_ms().saturating_add(i64::try_from(lives.as_millis()).unwrap_or(i64::MAX));
        Some(Tokens { refresh_at: Some(ends), refresh_token, id_token })
    }
}

/// What is asked for besides `openid`. Some providers refuse a sign-in because of a scope that they do not know.
fn scopes(metadata: &Metadata) -> Vec<&'static str> {
    let is_known = metadata.scopes_supported().is_none_or(|known| known.iter().any(|scope| scope.as_str() == OFFLINE));
    ["profile", "email"].into_iter().chain(is_known.then_some(OFFLINE)).collect()
}

/// How the user authenticated.
fn methods(claims: &Claims) -> Vec<String> {
    let class = claims.auth_context_ref().map(|class| class.to_string());
    let methods = claims.auth_method_refs().into_iter().flatten().map(|method| method.to_string());
    class.into_iter().chain(methods).collect()
}

/// Whether the key that has signed a token is not among the known ones.
fn is_of_unknown_key(error: &ClaimsVerificationError) -> bool {
    matches!(error, ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey))
}

/// None for what is no email address.
fn said_email(said: Option<&EndUserEmail>, is_verified: Option<bool>) -> Option<SaidEmail> {
    let address = tidy_email(said?);
    (!address.is_empty()).then(|| SaidEmail { address, is_verified: is_verified.unwrap_or(false) })
}

/// Whether a token that was verified before says the same as the new one.
fn says_the_same_email(former: &str, claims: &Claims) -> bool {
    let payload = former.split('.').nth(1).and_then(|payload| URL_SAFE_NO_PAD.decode(payload).ok());
    let payload: Option<Map<String, Value>> = payload.and_then(|payload| serde_json::from_slice(&payload).ok());
    payload.is_some_and(|said| {
        said.get("email").and_then(Value::as_str) == claims.email().map(|email| email.as_str())
            && said.get("email_verified").and_then(Value::as_bool) == claims.email_verified()
    })
}

#[async_trait]
impl IdentityProvider for OpenId {
    fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    fn client_id(&self) -> &str {
        &self.settings.client_id
    }

    fn audience(&self) -> Option<&str> {
        self.settings.audience.as_deref()
    }

    fn roles(&self, claims: &Map<String, Value>) -> Option<Vec<String>> {
        let names = claims.get(&self.settings.roles_claim)?.as_array()?;
        Some(names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    async fn start(&self, purpose: Purpose, state: String) -> Result<Started, ProviderError> {
        let known = self.discovery.known().await?;
        let client = self.client(&known)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), Nonce::new_random)
            .set_pkce_challenge(challenge);
        for scope in scopes(&known.metadata) {
            request = request.add_scope(Scope::new(scope.to_owned()));
        }
        if let Some(audience) = &self.settings.audience {
            request = request.add_extra_param("audience", audience.clone());
        }
        for method in self.methods_for(purpose) {
            request = request.add_auth_context_value(AuthenticationContextClass::new(method.to_owned()));
        }
        let prompts = &known.metadata.additional_metadata().prompt_values_supported;
        request = match purpose {
            Purpose::SignIn | Purpose::Staff => request,
            Purpose::SignUp if prompts.iter().any(|prompt| prompt == "create") => {
                request.add_prompt(CoreAuthPrompt::Extension("create".to_owned()))
            }
            // Supported by some providers before there was a standard for it; others ignore it.
            Purpose::SignUp => request.add_extra_param("screen_hint", "signup"),
            // With `max_age` the provider must include the time of authentication.
            Purpose::Confirm => request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::from_secs(900)),
        };
        let (url, state, nonce) = request.url();
        Ok(Started {
            url,
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.secret().clone(),
        })
    }

    async fn finish(&self, code: &str, verifier: &str, nonce: &str) -> Result<SignIn, ProviderError> {
        let known = self.discovery.known().await?;
        let answer = self
            .client(&known)?
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|error| ProviderError::Unavailable(error.to_string()))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()))
            .request_async(&self.http)
            .await
            .map_err(sign_in_error)?;
        let claims = self.verified(&known, &answer, Some(&Nonce::new(nonce.to_owned()))).await?;
        let profile = self.profile(&known, &claims, answer.access_token()).await?;
        Ok(SignIn {
            profile,
            // Without that claim the time is unknown and counts as long ago.
            authenticated_at: claims.auth_time().map_or(0, |time| time.timestamp_millis()),
            methods: methods(&claims),
            provider_session: text(&claims.additional_claims().all, "sid"),
            tokens: self.tokens(&answer, None),
        })
    }

    async fn refresh(&self, tokens: &Tokens, subject: &str) -> Result<Refreshed, ProviderError> {
        let Some(refresh_token) = &tokens.refresh_token else {
            return Err(ProviderError::Refused("there is no refresh token".to_owned()));
        };
        let known = self.discovery.known().await?;
        let answer = self
            .client(&known)?
            .exchange_refresh_token(&RefreshToken::new(refresh_token.clone()))
            .map_err(|error| ProviderError::Unavailable(error.to_string()))?
            .request_async(&self.http)
            .await
            .map_err(token_error)?;
        // The tokens have been rotated by now, and must be stored also where nothing else can be read.
        let former = &tokens.id_token;
        let tokens = self.tokens(&answer, Some(tokens));
        let tokens = tokens.ok_or_else(|| ProviderError::Unavailable("the answer has no tokens".to_owned()))?;
        let (mut roles, mut email, mut has_email) = (None, None, false);
        if answer.id_token().is_some() {
            // It may lack the nonce, and must be about the same user.
            let claims = match self.verified(&known, &answer, None).await {
                Err(ProviderError::Unavailable(reason)) => {
                    tracing::warn!(reason, "roles could not be read: the key of the ID token is not known");
                    // The next one is compared with what was verified.
                    return Ok(Refreshed { tokens: Tokens { id_token: former.clone(), ..tokens }, roles, email });
                }
                claims => claims?,
            };
            if claims.subject().as_str() != subject {
                return Err(ProviderError::Refused("the refreshed token is somebody else's".to_owned()));
            }
            roles = self.roles(&claims.additional_claims().all);
            // Some providers repeat what was true at the sign-in, which may be older than what another session has said.
            has_email = claims.email().is_some();
            if !says_the_same_email(former, &claims) {
                email = said_email(claims.email(), claims.email_verified());
            }
        }
        if roles.is_none() {
            let subject = SubjectIdentifier::new(subject.to_owned());
            match self.userinfo(&known, answer.access_token(), subject).await {
                Ok(info) => {
                    let info = info.as_ref();
                    let listed = info.and_then(|info| self.roles(&info.additional_claims().all));
                    roles = Some(listed.unwrap_or_default());
                    // As at a sign-in, only where the ID token has none: some providers repeat what was true then here, too.
                    if !has_email {
                        email = info.and_then(|info| said_email(info.email(), info.email_verified()));
                    }
                }
                Err(ProviderError::Unavailable(reason)) => {
                    tracing::warn!(reason, "roles could not be read: userinfo gave no answer");
                }
                Err(refused) => return Err(refused),
            }
        }
        Ok(Refreshed { tokens, roles, email })
    }

    async fn sign_out_url(&self, id_token: Option<&str>, return_to: &str) -> Option<Url> {
        let known = self.discovery.known().await.ok()?;
        let mut url = known.metadata.additional_metadata().end_session_endpoint.clone()?;
        {
            let mut query = url.query_pairs_mut();
            query.append_pair("client_id", &self.settings.client_id).append_pair("post_logout_redirect_uri", return_to);
            if let Some(id_token) = id_token {
                query.append_pair("id_token_hint", id_token);
            }
        }
        Some(url)
    }

    async fn verify(&self, token: &str, types: &[&str], audience: &str) -> Result<Map<String, Value>, ProviderError> {
        verify(&self.discovery, &self.settings.issuer, token, types, audience, self.clock.now_ms()).await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Metadata, scopes};

    #[test]
    fn a_refresh_token_is_asked_for_unless_the_provider_has_other_scopes() {
        let asked = |published: Value| {
            let mut metadata = json!({
                "issuer": "https://id.example",
                "authorization_endpoint": "https://id.example/authorize",
                "jwks_uri": "https://id.example/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
            });
            if !published.is_null() {
                metadata["scopes_supported"] = published;
            }
            scopes(&serde_json::from_value::<Metadata>(metadata).unwrap())
        };
        assert_eq!(asked(Value::Null), ["profile", "email", "offline_access"]);
        assert_eq!(asked(json!(["openid", "email", "offline_access"])), ["profile", "email", "offline_access"]);
        assert_eq!(asked(json!(["openid", "email", "profile"])), ["profile", "email"]);
    }
}
