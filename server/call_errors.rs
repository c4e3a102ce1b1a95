//! What calls answer besides what their handlers document: the errors of extractors and layers, which are the same for all, who may make
//! those of the admin area, and how a caller says who they are.

use shop_http::admin::guard::Needs;
use utoipa::Modify;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, OpenApi as Document, PathItem, Ref, RefOr, Response, ResponseBuilder};

use crate::admin_routes::{AdminCall, CALLS};

/// Errors are problems (RFC 9457), whatever a handler's annotation says.
const PROBLEM: &str = "application/problem+json";

/// Names and descriptions of the shared responses, by status.
const SHARED: [(&str, &str, &str); 8] = [
    ("400", "NotJson", "The body isn’t valid JSON"),
    ("401", "BadToken", "The access token isn’t valid"),
    ("403", "OtherSite", "Sent by a browser from another site"),
    ("404", "NotFound", "The address doesn’t exist"),
    ("413", "TooLarge", "The body is too large"),
    ("415", "OtherType", "The body has another content type"),
    ("422", "Invalid", "Messages by field"),
    ("503", "Unavailable", "Try again in a few seconds"),
];

pub struct CallErrors;

impl Modify for CallErrors {
    fn modify(&self, document: &mut Document) {
        for (path, item) in &mut document.paths.paths {
            for (method, operation) in operations(item) {
                let is_this =
                    |call: &&AdminCall| call.path == path && call.method.as_str().eq_ignore_ascii_case(method);
                if let Some(call) = CALLS.iter().find(is_this) {
                    say_who_may(operation, call.needs);
                }
                complete(operation, method != "get");
            }
        }
        let components = document.components.get_or_insert_default();
        for (_, name, description) in SHARED {
            components.responses.insert(name.to_owned(), RefOr::T(problem(description)));
        }
        let cookie = ApiKeyValue::with_description("session", "Set at sign-in; `__Host-` precedes its name over HTTPS");
        components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("The provider's access token"));
        components.add_security_scheme("token", SecurityScheme::Http(token.build()));
    }
}

/// The operations of a path by method.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let all = [
        ("get", &mut item.get),
        ("put", &mut item.put),
        ("post", &mut item.post),
        ("delete", &mut item.delete),
        ("patch", &mut item.patch),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Who may make a call of the admin area, and then what its handler says besides.
fn say_who_may(operation: &mut Operation, needs: Needs) {
    let responses = &mut operation.responses.responses;
    let mut who = needs.permission.needed(needs.changes);
    if let Some(RefOr::T(own)) = responses.get("403") {
        who = format!("{who}. {}", own.description);
    }
    responses.insert("401".to_owned(), RefOr::T(problem("Not signed in")));
    responses.insert("403".to_owned(), RefOr::T(problem(&who)));
}

fn problem(description: &str) -> Response {
    let content = Content::new(Some(Ref::from_schema_name("Problem")));
    ResponseBuilder::new().description(description).content(PROBLEM, content).build()
}

fn complete(operation: &mut Operation, changes: bool) {
    let responses = &mut operation.responses.responses;
    if responses.contains_key("401") {
        let by = |scheme: &str| SecurityRequirement::new(scheme, Vec::<String>::new());
        operation.security = Some(vec![by("session"), by("token")]);
    }
    for response in responses.values_mut() {
        if let RefOr::T(response) = response {
            say_problem(response);
        }
    }
    let has_id = operation
        .parameters
        .iter()
        .flatten()
        .any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Path));
    let body = operation.request_body.as_ref();
    let takes_json = matches!(body, Some(RefOr::T(body)) if body.content.contains_key("application/json"));
    for (status, name, _) in SHARED {
        let may_answer = match status {
            "400" | "422" => takes_json,
            "403" => changes,
            "404" => has_id,
            "413" | "415" => body.is_some(),
            _ => true,
        };
        if may_answer {
            let shared = || RefOr::Ref(Ref::from_response_name(name));
            responses.entry(status.to_owned()).or_insert_with(shared);
        }
    }
}

fn say_problem(response: &mut Response) {
    let is_problem = |content: &RefOr<Content>| {
        let RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) = content else { return false };
        schema.ref_location.ends_with("/Problem")
    };
    for (kind, content) in std::mem::take(&mut response.content) {
        let kind = if is_problem(&content) { PROBLEM.to_owned() } else { kind };
        response.content.insert(kind, content);
    }
}
