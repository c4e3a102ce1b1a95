//! The pages that there are.

use axum::routing::MethodRouter;

use crate::admin::rights::Permission;
use crate::app::App;

/// A page: it answers at its path with a document and at `{path}/_payload.json` with its envelope.
#[derive(Debug)]
pub struct PageRoute {
    pub path: &'static str,
    pub handler: fn() -> MethodRouter<App>,
    /// Names of middleware, outermost first.
    pub middleware: &'static [&'static str],
    /// Query parameters that change what it shows.
    pub query: &'static [&'static str],
    /// What `admin-rbac` asks for; to see the shop, when it is not said.
    pub needs: Option<Permission>,
}
