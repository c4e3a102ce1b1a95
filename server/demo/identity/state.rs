//! The provider's stored state. Accounts, the key and grants are in one file, so that sign-ins survive a restart.

use std::collections::HashMap;
use std::path::PathBuf;
use std::{fs, io};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngCore;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::keys::Key;

/// The built-in accounts: the end of their subject, their name, their role.
pub const SAMPLES: [(&str, &str, &str); 4] = [
    ("shopper", "Sample Shopper", "customer"),
    ("staff", "Sample Staff", "staff"),
    ("admin", "Sample Admin", "admin"),
    ("super-admin", "Sample Owner", "super_admin"),
];

#[derive(Clone, Serialize, Deserialize)]
pub struct Account {
    pub sub: String,
    pub name: String,
    pub email: String,
    pub roles: Vec<String>,
}

/// A family of refresh tokens, of which only the current one is valid.
#[derive(Clone, Serialize, Deserialize)]
pub struct Grant {
    pub sub: String,
    pub sid: String,
    pub auth_time: i64,
    pub scope: String,
    /// SHA-256 of the current token, and of those used before.
    current: String,
    used: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    key: Key,
    accounts: Vec<Account>,
    grants: HashMap<String, Grant>,
}

pub struct Store {
    file: PathBuf,
    kept: Kept,
}

/// An authorization code, valid once and for a minute.
#[derive(Clone)]
pub struct Code {
    pub sub: String,
    pub sid: String,
    pub auth_time: i64,
    pub scope: String,
    pub nonce: Option<String>,
    pub challenge: String,
    pub redirect_uri: String,
    pub ends_at: i64,
    /// The token family that it was exchanged for.
    pub grant: Option<String>,
}

/// A browser's session at the provider.
#[derive(Clone)]
pub struct Login {
    pub sub: String,
    pub sid: String,
    pub auth_time: i64,
}

#[derive(Default)]
pub struct Memory {
    pub codes: HashMap<String, Code>,
    pub logins: HashMap<String, Login>,
}

impl Store {
    pub fn open(file: PathBuf) -> io::Result<Self> {
        if let Ok(text) = fs::read_to_string(&file)
            && let Ok(kept) = serde_json::from_str(&text)
        {
            return Ok(Self { file, kept });
        }
        let account = |sub: &str, name: &str, roles: &[&str]| Account {
            sub: format!("demo-{sub}"),
            name: name.to_owned(),
            email: format!("{sub}@cardinal-and-briar.example"),
            roles: roles.iter().map(|&role| role.to_owned()).collect(),
        };
        let accounts = SAMPLES.map(|(sub, name, role)| account(sub, name, &[role])).to_vec();
        let store = Self { file, kept: Kept { key: Key::generate()?, accounts, grants: HashMap::new() } };
        store.keep()?;
        Ok(store)
    }

    /// Written to a temporary file and renamed, so that a crash leaves either the old or the new version.
    fn keep(&self) -> io::Result<()> {
        let beside = self.file.with_extension("new");
        fs::write(&beside, serde_json::to_vec_pretty(&self.kept)?)?;
        fs::rename(beside, &self.file)
    }

    pub fn key(&self) -> &Key {
        &self.kept.key
    }

    pub fn rotate_key(&mut self) -> io::Result<()> {
        self.kept.key = Key::generate()?;
        self.keep()
    }

    pub fn accounts(&self) -> &[Account] {
        &self.kept.accounts
    }

    pub fn account(&self, sub: &str) -> Option<&Account> {
        self.kept.accounts.iter().find(|account| account.sub == sub)
    }

    pub fn set_roles(&mut self, sub: &str, roles: &[&str]) -> io::Result<()> {
        for account in self.kept.accounts.iter_mut().filter(|account| account.sub == sub) {
            account.roles = roles.iter().map(|&role| role.to_owned()).collect();
        }
        self.keep()
    }

    /// The account with this email address, created if there is none.
    pub fn sign_up(&mut self, name: &str, email: &str) -> io::Result<Account> {
        if let Some(known) = self.kept.accounts.iter().find(|account| account.email.eq_ignore_ascii_case(email)) {
            return Ok(known.clone());
        }
        let account = Account {
            sub: uuid::Uuid::new_v4().to_string(),
            name: name.to_owned(),
            email: email.to_owned(),
            roles: vec!["customer".to_owned()],
        };
        self.kept.accounts.push(account.clone());
        self.keep()?;
        Ok(account)
    }

    /// Starts a token family; returns its id and first token.
    pub fn grant(&mut self, sub: &str, sid: &str, auth_time: i64, scope: &str) -> io::Result<(String, String)> {
        let (id, token) = (secret(), secret());
        let grant = Grant {
            sub: sub.to_owned(),
            sid: sid.to_owned(),
            auth_time,
            scope: scope.to_owned(),
            current: hash(&token),
            used: Vec::new(),
        };
        self.kept.grants.insert(id.clone(), grant);
        self.keep()?;
        Ok((id, token))
    }

    /// The grant of a refresh token and the next token. Reusing an old token revokes the family.
    pub fn rotate(&mut self, token: &str) -> io::Result<Option<(Grant, String)>> {
        let hash = hash(token);
        let reused = self.kept.grants.iter().find(|(_, grant)| grant.used.contains(&hash)).map(|(id, _)| id.clone());
        if let Some(id) = reused {
            self.revoke(&id)?;
            return Ok(None);
        }
        let Some(grant) = self.kept.grants.values_mut().find(|grant| grant.current == hash) else { return Ok(None) };
        let next = secret();
        let before = std::mem::replace(&mut grant.current, self::hash(&next));
        grant.used.push(before);
        let grant = grant.clone();
        self.keep()?;
        Ok(Some((grant, next)))
    }

    pub fn revoke(&mut self, id: &str) -> io::Result<()> {
        self.kept.grants.remove(id);
        self.keep()
    }

    pub fn revoke_session(&mut self, sid: &str) -> io::Result<()> {
        self.kept.grants.retain(|_, grant| grant.sid != sid);
        self.keep()
    }
}

/// 256 random bits.
pub fn secret() -> String {
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

pub fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}
