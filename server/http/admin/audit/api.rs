//! The check of the hash chain.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::head::Head;
use shop_platform::audit::service::{Chain, Mark};
use shop_platform::web::extract::Asked;
use utoipa::ToSchema;

/// Whether every entry up to one is intact.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChainView {
    pub is_sound: bool,
    /// Whether the check is over; otherwise ask for what follows that entry.
    pub is_complete: bool,
    /// The number of the last entry verified; for a broken chain, that of the first entry that was altered.
    pub seq: i64,
    /// The hash of the last one verified, in hexadecimal, to compare with earlier ones in the server's log.
    pub head: Option<String>,
}

impl From<Chain> for ChainView {
    fn from(chain: Chain) -> Self {
        match chain {
            Chain::Sound { entries, head } => {
                Self { is_sound: true, is_complete: true, seq: entries, head: Some(head) }
            }
            Chain::SoundUntil(Mark { seq, hash }) => Self { is_sound: true, is_complete: false, seq, head: Some(hash) },
            Chain::Broken { seq } => Self { is_sound: false, is_complete: true, seq, head: None },
        }
    }
}

/// `GET /api/admin/audit/chain`
#[utoipa::path(get, path = "/api/admin/audit/chain", params(
    ("after" = Option<i64>, Query, description = "The `seq` of the answer before, to go on from there; none for the first"),
    ("head" = Option<String>, Query, description = "Its `head`"),
), responses(
    (status = 200, description = "How the chain stands, as far as it was read", body = ChainView),
    (status = 422, description = "A parameter has no valid value", body = shop_base::error::Problem),
))]
pub async fn chain(
    State(cx): State<Context>,
    State(head): State<Arc<Head>>,
    asked: Asked,
) -> Result<Json<ChainView>, Error> {
    let seq = asked.value("after")?.unwrap_or_default();
    let from = Mark { seq, hash: asked.parameter("head").unwrap_or_default() };
    Ok(Json(head.check(&cx.db, &from).await?.into()))
}
