//! The OpenID provider as the shop calls it: discovery, sign-in, refresh, and tokens that others present.
//!
//! What the provider publishes is fetched when first needed and each hour; its keys also when a token names an unknown
//! one, at most every 10 s. A provider that is down leaves the shop without sign-in and otherwise as it is.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClaimName, CoreClaimType, CoreClientAuthMethod,
    CoreErrorResponseType, CoreGenderClaim, CoreGrantType, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm, CoreJwsSigningAlgorithm, CoreResponseMode, CoreResponseType, CoreRevocableToken,
    CoreRevocationErrorResponse, CoreSubjectIdentifierType, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AccessToken, AccessTokenHash, AdditionalClaims, AdditionalProviderMetadata, AuthorizationCode,
    ClaimsVerificationError, Client, ClientId, ClientSecret, CsrfToken, EmptyExtraTokenFields, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, IdTokenClaims, IdTokenFields, IssuerUrl, Nonce, OAuth2TokenResponse,
    PkceCodeChallenge, PkceCodeVerifier, ProviderMetadata, RedirectUrl, RefreshToken, RequestTokenError, Scope,
    SignatureVerificationError, StandardErrorResponse, StandardTokenResponse, SubjectIdentifier, TokenResponse,
    UserInfoClaims, UserInfoError,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shop_base::clock::Clock;
use shop_base::config;
use tokio::sync::Mutex;
use url::Url;

use super::model::{Profile, SignIn, Tokens};

const CONNECT_LIMIT: Duration = Duration::from_secs(3);
const ANSWER_LIMIT: Duration = Duration::from_secs(8);
const HOUR_MS: i64 = 60 * 60 * 1000;
/// At most so often are keys fetched, or a provider that was down asked again.
const COOLDOWN_MS: i64 = 10_000;
/// Clocks differ.
const LEEWAY_MS: i64 = 30_000;

/// What is believed of a signature. Symmetric ones are not: their key would be the client's own secret.
const SIGNATURES: [CoreJwsSigningAlgorithm; 4] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];
const TOKEN_SIGNATURES: [Algorithm; 4] = [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::EdDSA];

/// Claims beyond the standard ones: `sid`, and the roles under whatever name is configured.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OtherClaims {
    #[serde(flatten)]
    all: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct OtherMetadata {
    end_session_endpoint: Option<Url>,
    #[serde(default)]
    prompt_values_supported: Vec<String>,
}

impl AdditionalProviderMetadata for OtherMetadata {}

type Metadata = ProviderMetadata<
    OtherMetadata,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

type Answer = StandardTokenResponse<
    IdTokenFields<
        OtherClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

type OidcClient = Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Answer,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

type Claims = IdTokenClaims<OtherClaims, CoreGenderClaim>;

type UserInfo = UserInfoClaims<OtherClaims, CoreGenderClaim>;

/// What a refresh brought.
#[derive(Debug)]
pub struct Refreshed {
    pub tokens: Tokens,
    /// The roles of now; none at all when the provider lists none. Not known while it could not be asked.
    pub roles: Option<Vec<String>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It does not answer, or nothing that makes sense. Worth another try later.
    #[error("the identity provider is unavailable: {0}")]
    Unavailable(String),
    /// It says no, or what it says does not hold.
    #[error("refused: {0}")]
    Refused(String),
}

/// What a sign-in asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    SignIn,
    SignUp,
    /// Credentials again, whatever session the provider has.
    Confirm,
}

/// One sign-in's secrets.
#[derive(Debug)]
pub struct Started {
    pub url: Url,
    pub state: String,
    pub nonce: String,
    pub verifier: String,
}

#[derive(Debug)]
struct Known {
    metadata: Metadata,
    keys: JwkSet,
    fetched_at: i64,
}

#[derive(Debug, Default)]
struct Memory {
    known: Option<Arc<Known>>,
    /// When it was last asked, whatever came of it.
    asked_at: i64,
    problem: String,
}

#[derive(Debug)]
pub struct Provider {
    settings: config::Identity,
    redirect: String,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    memory: Mutex<Memory>,
}

impl Provider {
    /// `origin` is the shop's own, without a trailing slash.
    pub fn new(settings: config::Identity, origin: &str, clock: Arc<dyn Clock>) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            // Following one could lead the shop's own requests into its network.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT)
            .timeout(ANSWER_LIMIT)
            .build()?;
        Ok(Self { settings, redirect: format!("{origin}/auth/callback"), http, clock, memory: Mutex::default() })
    }

    pub fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    pub fn client_id(&self) -> &str {
        &self.settings.client_id
    }

    pub fn audience(&self) -> Option<&str> {
        self.settings.audience.as_deref()
    }

    /// Roles under the configured claim.
    pub fn roles(&self, claims: &Map<String, Value>) -> Option<Vec<String>> {
        let names = claims.get(&self.settings.roles_claim)?.as_array()?;
        Some(names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// What the provider publishes; at most an hour old while it answers.
    async fn known(&self) -> Result<Arc<Known>, ProviderError> {
        let mut memory = self.memory.lock().await;
        let now = self.clock.now_ms();
        let kept = memory.known.clone();
        let cools = now - memory.asked_at < COOLDOWN_MS && memory.asked_at != 0;
        match kept {
            Some(known) if now - known.fetched_at < HOUR_MS || cools => Ok(known),
            None if cools => Err(ProviderError::Unavailable(memory.problem.clone())),
            kept => match (self.discover(&mut memory, now).await, kept) {
                (Err(error), Some(known)) => {
                    tracing::warn!(%error, "working with what the identity provider published before");
                    Ok(known)
                }
                (result, _) => result,
            },
        }
    }

    /// For a token whose key is not known: keys may have been changed.
    async fn known_with_new_keys(&self) -> Result<Arc<Known>, ProviderError> {
        let mut memory = self.memory.lock().await;
        let now = self.clock.now_ms();
        match &memory.known {
            Some(known) if now - memory.asked_at < COOLDOWN_MS => Ok(Arc::clone(known)),
            _ => self.discover(&mut memory, now).await,
        }
    }

    async fn discover(&self, memory: &mut Memory, now: i64) -> Result<Arc<Known>, ProviderError> {
        memory.asked_at = now;
        let result = self.fetch(now).await;
        match &result {
            Ok(known) => memory.known = Some(Arc::clone(known)),
            Err(error) => memory.problem = error.to_string(),
        }
        result
    }

    async fn fetch(&self, now: i64) -> Result<Arc<Known>, ProviderError> {
        let unavailable = |error: String| ProviderError::Unavailable(error);
        let issuer = IssuerUrl::new(self.settings.issuer.clone()).map_err(|error| unavailable(error.to_string()))?;
        let metadata =
            Metadata::discover_async(issuer, &self.http).await.map_err(|error| unavailable(chain(&error)))?;
        let keys = serde_json::to_value(metadata.jwks()).map_err(|error| unavailable(error.to_string()))?;
        // A key of a kind that is not known here must not hide the others.
        let keys = keys["keys"].as_array().into_iter().flatten();
        let keys = keys.filter_map(|key| serde_json::from_value(key.clone()).ok()).collect();
        Ok(Arc::new(Known { metadata, keys: JwkSet { keys }, fetched_at: now }))
    }

    fn client(&self, known: &Known) -> Result<OidcClient, ProviderError> {
        let secret = self.settings.client_secret.as_ref().map(|secret| ClientSecret::new(secret.expose().to_owned()));
        let redirect = RedirectUrl::new(self.redirect.clone())
            .map_err(|error| ProviderError::Refused(format!("the redirect address: {error}")))?;
        let id = ClientId::new(self.settings.client_id.clone());
        Ok(Client::from_provider_metadata(known.metadata.clone(), id, secret).set_redirect_uri(redirect))
    }

    /// Begins a sign-in: where to send the browser, and what to remember until it comes back.
    pub async fn start(&self, purpose: Purpose, state: String) -> Result<Started, ProviderError> {
        let known = self.known().await?;
        let client = self.client(&known)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), Nonce::new_random)
            .set_pkce_challenge(challenge);
        for scope in ["profile", "email", "offline_access"] {
            request = request.add_scope(Scope::new(scope.to_owned()));
        }
        if let Some(audience) = &self.settings.audience {
            request = request.add_extra_param("audience", audience.clone());
        }
        let prompts = &known.metadata.additional_metadata().prompt_values_supported;
        request = match purpose {
            Purpose::SignIn => request,
            Purpose::SignUp if prompts.iter().any(|prompt| prompt == "create") => {
                request.add_prompt(CoreAuthPrompt::Extension("create".to_owned()))
            }
            // What providers understood before there was a standard for it; others ignore it.
            Purpose::SignUp => request.add_extra_param("screen_hint", "signup"),
            // A largest age makes the provider say when the credentials were given.
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

    /// Ends a sign-in: trades the code for tokens and checks all that they claim.
    pub async fn finish(&self, code: &str, verifier: &str, nonce: &str) -> Result<SignIn, ProviderError> {
        let known = self.known().await?;
        let answer = self
            .client(&known)?
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|error| ProviderError::Unavailable(error.to_string()))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()))
            .request_async(&self.http)
            .await
            .map_err(token_error)?;
        let claims = self.verified(&known, &answer, Some(&Nonce::new(nonce.to_owned()))).await?;
        let profile = self.profile(&known, &claims, answer.access_token()).await?;
        Ok(SignIn {
            profile,
            // Without that claim nobody knows, so it counts as long ago.
            authenticated_at: claims.auth_time().map_or(0, |time| time.timestamp_millis()),
            provider_session: text(&claims.additional_claims().all, "sid"),
            tokens: self.tokens(&answer, None),
        })
    }

    /// Renews the tokens of a session.
    pub async fn refresh(&self, tokens: &Tokens, subject: &str) -> Result<Refreshed, ProviderError> {
        let Some(refresh_token) = &tokens.refresh_token else {
            return Err(ProviderError::Refused("there is no refresh token".to_owned()));
        };
        let known = self.known().await?;
        let answer = self
            .client(&known)?
            .exchange_refresh_token(&RefreshToken::new(refresh_token.clone()))
            .map_err(|error| ProviderError::Unavailable(error.to_string()))?
            .request_async(&self.http)
            .await
            .map_err(token_error)?;
        let mut claimed = None;
        if answer.id_token().is_some() {
            // It may lack the nonce, and must be about the same person.
            let claims = self.verified(&known, &answer, None).await?;
            if claims.subject().as_str() != subject {
                return Err(ProviderError::Refused("the refreshed token is somebody else's".to_owned()));
            }
            claimed = self.roles(&claims.additional_claims().all);
        }
        let tokens = self.tokens(&answer, Some(tokens));
        let tokens = tokens.ok_or_else(|| ProviderError::Unavailable("the answer has no tokens".to_owned()))?;
        let roles = match claimed {
            Some(roles) => Some(roles),
            None => self.roles_of_userinfo(&known, answer.access_token(), subject).await?,
        };
        Ok(Refreshed { tokens, roles })
    }

    /// The roles that userinfo lists, none when it says nothing of them. `None` when it gave no answer: the tokens have been
    /// rotated by now and must be kept all the same.
    async fn roles_of_userinfo(
        &self,
        known: &Known,
        access: &AccessToken,
        subject: &str,
    ) -> Result<Option<Vec<String>>, ProviderError> {
        match self.userinfo(known, access, SubjectIdentifier::new(subject.to_owned())).await {
            Ok(info) => {
                let listed = info.and_then(|info| self.roles(&info.additional_claims().all));
                Ok(Some(listed.unwrap_or_default()))
            }
            Err(ProviderError::Unavailable(reason)) => {
                tracing::warn!(reason, "roles could not be read: userinfo gave no answer");
                Ok(None)
            }
            Err(refused) => Err(refused),
        }
    }

    /// What the userinfo endpoint says of `subject`; nothing when there is no such endpoint, or it does not take the token.
    async fn userinfo(
        &self,
        known: &Known,
        access: &AccessToken,
        subject: SubjectIdentifier,
    ) -> Result<Option<UserInfo>, ProviderError> {
        let client = self.client(known)?;
        let Ok(request) = client.user_info(access.clone(), Some(subject)) else { return Ok(None) };
        match request.request_async(&self.http).await {
            Ok(info) => Ok(Some(info)),
            Err(UserInfoError::Response(status, ..)) if matches!(status.as_u16(), 401 | 403) => Ok(None),
            Err(error @ UserInfoError::ClaimsVerification(_)) => Err(ProviderError::Refused(chain(&error))),
            Err(error) => Err(ProviderError::Unavailable(chain(&error))),
        }
    }

    /// Where the provider ends its own session, if it has such a place.
    pub async fn sign_out_url(&self, id_token: Option<&str>, return_to: &str) -> Option<Url> {
        let known = self.known().await.ok()?;
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

    /// Claims of a JWT that somebody presents, signed by the provider for `audience` and not yet over.
    pub async fn verify<T: DeserializeOwned>(
        &self,
        token: &str,
        kinds: &[&str],
        audience: &str,
    ) -> Result<T, ProviderError> {
        let refused = |error: &dyn std::fmt::Display| ProviderError::Refused(error.to_string());
        let header = decode_header(token).map_err(|error| refused(&error))?;
        let kind = header.typ.as_deref().unwrap_or("JWT");
        if !kinds.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
            return Err(ProviderError::Refused(format!("a token of type {kind}")));
        }
        if !TOKEN_SIGNATURES.contains(&header.alg) {
            return Err(ProviderError::Refused("its signature's algorithm".to_owned()));
        }
        let named = |known: &Known| match &header.kid {
            Some(id) => known.keys.find(id).cloned(),
            None => known.keys.keys.first().filter(|_| known.keys.keys.len() == 1).cloned(),
        };
        let mut key = named(self.known().await?.as_ref());
        if key.is_none() {
            key = named(self.known_with_new_keys().await?.as_ref());
        }
        let key = key.ok_or_else(|| ProviderError::Refused("an unknown key".to_owned()))?;
        let key = DecodingKey::from_jwk(&key).map_err(|error| refused(&error))?;
        let mut rules = Validation::new(header.alg);
        rules.set_audience(&[audience]);
        rules.set_issuer(&[&self.settings.issuer]);
        rules.set_required_spec_claims(&["iss", "aud"]);
        // By the shop's clock, below.
        rules.validate_exp = false;
        let claims = decode::<Map<String, Value>>(token, &key, &rules).map_err(|error| refused(&error))?.claims;
        self.check_times(&claims)?;
        serde_json::from_value(Value::Object(claims)).map_err(|error| refused(&error))
    }

    fn check_times(&self, claims: &Map<String, Value>) -> Result<(), ProviderError> {
        let now = self.clock.now_ms();
        let ms = |name: &str| claims.get(name).and_then(Value::as_f64).map(|seconds| (seconds * 1000.0) as i64);
        match (ms("exp"), ms("nbf").or(ms("iat"))) {
            (Some(ends), _) if now >= ends + LEEWAY_MS => Err(ProviderError::Refused("it is over".to_owned())),
            (_, Some(begins)) if begins > now + LEEWAY_MS => Err(ProviderError::Refused("not valid yet".to_owned())),
            (Some(_), _) => Ok(()),
            (None, _) => Err(ProviderError::Refused("it never ends".to_owned())),
        }
    }

    async fn verified(&self, known: &Known, answer: &Answer, nonce: Option<&Nonce>) -> Result<Claims, ProviderError> {
        match self.claims(known, answer, nonce) {
            Err(ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey)) => {
                let known = self.known_with_new_keys().await?;
                self.claims(&known, answer, nonce)
            }
            result => result,
        }
        .map_err(|error| ProviderError::Refused(chain(&error)))
    }

    fn claims(&self, known: &Known, answer: &Answer, nonce: Option<&Nonce>) -> Result<Claims, ClaimsVerificationError> {
        let other = |message: &str| ClaimsVerificationError::Other(message.to_owned());
        let client = self.client(known).map_err(|error| other(&error.to_string()))?;
        let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.clock.now_ms()).unwrap_or(0));
        let verifier = client.id_token_verifier().set_allowed_algs(SIGNATURES).set_time_fn(move || now.into());
        let id_token = answer.id_token().ok_or_else(|| other("there is no ID token"))?;
        let claims = match nonce {
            Some(nonce) => id_token.claims(&verifier, nonce)?,
            None => id_token.claims(&verifier, |_: Option<&Nonce>| Ok(()))?,
        };
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

    /// Who it is. What the ID token does not say is asked of the userinfo endpoint.
    async fn profile(&self, known: &Known, claims: &Claims, access: &AccessToken) -> Result<Profile, ProviderError> {
        let mut roles = self.roles(&claims.additional_claims().all);
        let mut email = claims.email().map(|email| email.as_str().to_owned());
        let mut email_verified = claims.email_verified();
        let mut name = claims.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_owned());
        if (roles.is_none() || email.is_none() || name.is_none())
            && let Some(more) = self.userinfo(known, access, claims.subject().clone()).await?
        {
            roles = roles.or_else(|| self.roles(&more.additional_claims().all));
            name = name.or_else(|| more.name().and_then(|name| name.get(None)).map(|name| name.as_str().to_owned()));
            if email.is_none() {
                email = more.email().map(|email| email.as_str().to_owned());
                email_verified = more.email_verified();
            }
        }
        Ok(Profile {
            issuer: self.settings.issuer.clone(),
            subject: claims.subject().as_str().to_owned(),
            email: email.unwrap_or_default(),
            email_verified: email_verified.unwrap_or(false),
            name: name.unwrap_or_default(),
            roles: roles.unwrap_or_default(),
        })
    }

    /// An answer's tokens; what a refresh does not renew stays as it was.
    fn tokens(&self, answer: &Answer, before: Option<&Tokens>) -> Option<Tokens> {
        let id_token = answer.id_token().map(ToString::to_string).or_else(|| before.map(|old| old.id_token.clone()))?;
        let new = answer.refresh_token().map(|token| token.secret().clone());
        let refresh_token = new.or_else(|| before.and_then(|old| old.refresh_token.clone()));
        let lives = answer.expires_in().unwrap_or(Duration::from_secs(3600));
        let ends = self.clock.now_ms() + i64::try_from(lives.as_millis()).unwrap_or(HOUR_MS);
        Some(Tokens { refresh_at: Some(ends), refresh_token, id_token })
    }
}

pub fn text(claims: &Map<String, Value>, name: &str) -> Option<String> {
    claims.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// Only `invalid_grant` is about this sign-in. Any other refusal, such as of the client's secret, is the operator's to mend,
/// and ends no session.
fn token_error<E: std::error::Error + 'static>(
    error: RequestTokenError<E, StandardErrorResponse<CoreErrorResponseType>>,
) -> ProviderError {
    match error {
        RequestTokenError::ServerResponse(answer) if *answer.error() == CoreErrorResponseType::InvalidGrant => {
            ProviderError::Refused("invalid_grant".to_owned())
        }
        RequestTokenError::ServerResponse(answer) => ProviderError::Unavailable(answer.error().to_string()),
        error => ProviderError::Unavailable(chain(&error)),
    }
}

/// An error with its causes. They hold addresses and codes, never tokens.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use openidconnect::core::CoreErrorResponseType as Code;
    use openidconnect::{RequestTokenError, StandardErrorResponse};

    use super::{ProviderError, token_error};

    #[test]
    fn only_an_invalid_grant_is_final() {
        let refused = |code: Code| {
            let answer = StandardErrorResponse::new(code, None, None);
            let error: RequestTokenError<std::io::Error, _> = RequestTokenError::ServerResponse(answer);
            matches!(token_error(error), ProviderError::Refused(_))
        };
        assert!(refused(Code::InvalidGrant));
        assert!(!refused(Code::InvalidClient) && !refused(Code::Extension("server_error".to_owned())));
    }
}
