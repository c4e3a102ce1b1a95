//! A shop to try: settings for this machine only and a catalogue with pictures drawn by the project. Never part of a
//! production start.

mod catalogue;
pub mod illustrations;
mod seed;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use rand::RngCore;
use url::Url;

pub use seed::{SeedError, seed};

use crate::config::{Company, Config, Data, Http, Rendering, Secret};

/// Settings of `shop demo`: SQLite and everything else inside `data`.
pub fn config(port: u16, data: PathBuf, dev: bool) -> io::Result<Config> {
    fs::create_dir_all(&data)?;
    let origin = Url::parse(&format!("http://localhost:{port}")).map_err(io::Error::other)?;
    let time_zone = TimeZone::get("America/New_York").map_err(io::Error::other)?;
    Ok(Config {
        http: Http {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            origin,
            api_base: None,
            grace: Duration::from_secs(20),
        },
        company: Company {
            name: "Cardinal & Briar".to_owned(),
            email: "care@cardinal-and-briar.example".to_owned(),
            phone: "+1 614 555 0142".to_owned(),
            address: "48 Gay Street, Columbus, OH 43215".to_owned(),
            time_zone,
        },
        rendering: Rendering::default(),
        analytics: None,
        square: None,
        secret: secret(&data)?,
        demo: true,
        dev_bundle: dev.then(|| PathBuf::from("target/dev-bundle")),
        data: Data { database: Secret::new(format!("sqlite:{}", data.join("shop.db").display())), folder: data },
    })
}

/// A secret that outlives restarts, so that cookies do.
fn secret(data: &Path) -> io::Result<Secret> {
    let file = data.join("secret");
    if let Ok(kept) = fs::read_to_string(&file) {
        return Ok(Secret::new(kept));
    }
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    let made: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(&file, &made)?;
    Ok(Secret::new(made))
}
