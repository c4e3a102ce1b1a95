//! The provider's signing key: P-256.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, encode};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize)]
pub struct Key {
    id: String,
    /// PKCS#8 in base64.
    pkcs8: String,
    /// Coordinates, each 32 bytes in base64url.
    x: String,
    y: String,
}

impl Key {
    pub fn generate() -> io::Result<Self> {
        let random = SystemRandom::new();
        let refused = |_| io::Error::other("a signing key could not be made");
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).map_err(refused)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random)
            .map_err(io::Error::other)?;
        // 0x04, then both coordinates.
        let point = pair.public_key().as_ref();
        let (x, y) =
            point.get(1..).and_then(|xy| xy.split_at_checked(32)).ok_or_else(|| io::Error::other("no point"))?;
        Ok(Self {
            id: uuid::Uuid::new_v4().to_string(),
            pkcs8: STANDARD.encode(pkcs8.as_ref()),
            x: URL_SAFE_NO_PAD.encode(x),
            y: URL_SAFE_NO_PAD.encode(y),
        })
    }

    /// Another key with the id of this one.
    pub fn impostor(&self) -> io::Result<Self> {
        Ok(Self { id: self.id.clone(), ..Self::generate()? })
    }

    pub fn public(&self) -> Value {
        json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": self.x, "y": self.y })
    }

    pub fn sign(&self, kind: &str, claims: &Value) -> io::Result<String> {
        let der = STANDARD.decode(&self.pkcs8).map_err(io::Error::other)?;
        let header = Header { typ: Some(kind.to_owned()), kid: Some(self.id.clone()), ..Header::new(Algorithm::ES256) };
        encode(&header, claims, &EncodingKey::from_ec_der(&der)).map_err(io::Error::other)
    }

    /// Signs with the shared client secret, which no client may accept.
    pub fn sign_with_secret(&self, secret: &str, claims: &Value) -> io::Result<String> {
        let header = Header { kid: Some(self.id.clone()), ..Header::new(Algorithm::HS256) };
        encode(&header, claims, &EncodingKey::from_secret(secret.as_bytes())).map_err(io::Error::other)
    }

    pub fn decoding(&self) -> io::Result<DecodingKey> {
        DecodingKey::from_ec_components(&self.x, &self.y).map_err(io::Error::other)
    }
}
