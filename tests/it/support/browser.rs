//! A browser for sign-in tests: cookies of the shop and of the identity provider, and redirects between the two.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::Value;
use shop_base::clock::{Clock, ManualClock};
use shop_base::config::Identity;
use shop_demo::identity::{Provider, settings};
use tokio::net::TcpListener;
use url::Url;

use super::{Answer, Database, TestShop, temporary_folder};

/// A separate shop with a provider that listens on a socket.
pub async fn shop_with_provider(database: Database) -> (TestShop, Provider) {
    shop_with_provider_and(database, |_| {}).await
}

/// The same with other settings of the provider.
pub async fn shop_with_provider_and(database: Database, change: impl Fn(&mut Identity)) -> (TestShop, Provider) {
    start(database, change, |shop| Arc::clone(&shop.clock)).await
}

/// The same with a provider that has a clock of its own, which stands still.
pub async fn shop_with_another_clock_than_its_provider(database: Database) -> (TestShop, Provider) {
    start(database, |_| {}, |shop| Arc::new(ManualClock::at(shop.clock.now_ms()))).await
}

async fn start(
    database: Database,
    change: impl Fn(&mut Identity),
    clock_of: impl Fn(&TestShop) -> Arc<ManualClock>,
) -> (TestShop, Provider) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let mut identity = settings(&issuer);
    change(&mut identity);
    let shop = TestShop::with(database, |config| config.identity = Some(identity.clone())).await;
    let file = temporary_folder().join("identity.json");
    let clock = clock_of(&shop) as Arc<dyn Clock>;
    let provider = Provider::open(issuer, shop.app.config.http.shop_origin(), file, clock).unwrap();
    tokio::spawn(provider.clone().serve(listener));
    (shop, provider)
}

pub struct Browser {
    pub shop: TestShop,
    pub cookies: BTreeMap<String, String>,
    provider_cookie: Option<String>,
    http: reqwest::Client,
}

impl Browser {
    pub fn new(shop: &TestShop) -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { shop: shop.clone(), cookies: BTreeMap::new(), provider_cookie: None, http }
    }

    pub fn cookie_line(&self) -> String {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// From now on the age gate is open.
    pub fn pass_age_gate(&mut self) {
        let line = self.shop.age_cookie();
        let (name, value) = line.split_once('=').unwrap();
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// The session's token.
    pub fn session(&self) -> Option<&str> {
        self.cookies.get("session").map(String::as_str)
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        let request = Request::get(path).header(header::COOKIE, self.cookie_line()).body(Body::empty()).unwrap();
        let answer = self.shop.send(request).await;
        self.keep(&answer);
        answer
    }

    pub async fn call(&mut self, method: &str, path: &str, body: Value) -> Answer {
        let answer = self.shop.call(method, path, &self.cookie_line(), body).await;
        self.keep(&answer);
        answer
    }

    /// Submits one of the shop's forms, as a browser without JavaScript does.
    pub async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.shop.form(path, &self.cookie_line(), "same-origin", fields).await;
        self.keep(&answer);
        answer
    }

    /// Signs out at the shop; returns the provider's URL to which the page leads by itself, and by its link.
    pub async fn sign_out(&mut self) -> String {
        leads_on(&self.call("POST", "/auth/logout", Value::Null).await)
    }

    fn keep(&mut self, answer: &Answer) {
        for line in answer.headers.get_all(header::SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            if line.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// Starts a sign-in at the shop; returns the provider's URL.
    pub async fn begin(&mut self, path: &str) -> Url {
        let answer = self.get(path).await;
        answer.assert_status(303);
        Url::parse(answer.header("location")).unwrap()
    }

    /// Chooses an account at the provider; returns the path and query at the shop to which the browser is redirected.
    pub async fn choose(&mut self, authorize: &Url, fields: &[(&str, &str)]) -> String {
        let mut form = vec![("request", authorize.query().unwrap())];
        form.extend_from_slice(fields);
        let origin = authorize.origin().ascii_serialization();
        let request = self.http.post(format!("{origin}/sign-in")).header("origin", origin).form(&form);
        let response = request.send().await.unwrap();
        self.returned(&response).unwrap_or_else(|| panic!("{} {fields:?}", response.status()))
    }

    /// Follows the authorization request; returns the redirect target, or none if the provider asks for an account.
    pub async fn authorize(&mut self, authorize: &Url) -> Option<String> {
        let mut request = self.http.get(authorize.clone());
        if let Some(cookie) = &self.provider_cookie {
            request = request.header("cookie", cookie);
        }
        let response = request.send().await.unwrap();
        self.returned(&response)
    }

    fn returned(&mut self, response: &reqwest::Response) -> Option<String> {
        if let Some(line) = response.headers().get("set-cookie") {
            self.provider_cookie = Some(line.to_str().unwrap().split(';').next().unwrap().to_owned());
        }
        let location = Url::parse(response.headers().get("location")?.to_str().unwrap()).unwrap();
        assert_eq!(location.origin().ascii_serialization(), self.shop.app.config.http.shop_origin());
        Some(format!("{}?{}", location.path(), location.query().unwrap_or_default()))
    }

    /// The whole sign-in; returns the response to the callback.
    pub async fn sign_in(&mut self, account: &str) -> Answer {
        let authorize = self.begin("/auth/login?return_to=%2Fproducts%3Fq%3Dpipe").await;
        let callback = self.choose(&authorize, &[("account", account)]).await;
        self.get(&callback).await
    }
}

/// The URL to which a page leads by itself, and by its link.
pub fn leads_on(answer: &Answer) -> String {
    let text = answer.assert_status(200).text();
    assert_eq!(answer.header("cache-control"), "no-store");
    let (_, rest) = text.split_once("<meta http-equiv=\"refresh\" content=\"0; url=").expect("a page that leads on");
    let location = rest.split('"').next().unwrap();
    assert!(text.contains(&format!("<a href=\"{location}\">")) && !text.contains("<script"), "{text}");
    location.replace("&amp;", "&")
}
