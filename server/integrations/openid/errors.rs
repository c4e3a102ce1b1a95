//! How errors of the provider, and missing responses, are classified.

use openidconnect::core::CoreErrorResponseType;
use openidconnect::{RequestTokenError, StandardErrorResponse};
use serde_json::Value;
use shop_domain::identity::provider::ProviderError;

/// Only `invalid_grant` is about this sign-in. Any other error, such as a rejected client secret, is for the operator to fix, and ends no
/// session.
pub fn token_error<E: std::error::Error + 'static>(
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

/// The same at a sign-in. Tokens that cannot be read fail it: the next ones are no better, so this is no outage. At a refresh they end no
/// session.
pub fn sign_in_error<E: std::error::Error + 'static>(
    error: RequestTokenError<E, StandardErrorResponse<CoreErrorResponseType>>,
) -> ProviderError {
    if let RequestTokenError::Parse(_, body) = &error
        && has_tokens(body)
    {
        return ProviderError::Refused(chain(&error));
    }
    token_error(error)
}

/// Whether it is not the error page of a server in between.
fn has_tokens(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|answer| answer.get("access_token").is_some())
}

/// An error with its causes. They contain addresses and codes, but no tokens.
pub fn chain(error: &dyn std::error::Error) -> String {
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

    use shop_domain::identity::provider::ProviderError;

    use super::token_error;

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
