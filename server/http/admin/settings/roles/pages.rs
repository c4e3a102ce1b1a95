//! The page of the roles.

use serde::Serialize;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;
use crate::admin::rights::Permission;

#[derive(Debug, Serialize, ToSchema)]
pub struct RolesPage {
    /// Staff roles, the lowest first.
    pub roles: Vec<Role>,
    pub permissions: Vec<PermissionView>,
}

impl PageProps for RolesPage {
    const NAME: &'static str = "admin/settings/roles";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionView {
    pub permission: Permission,
    pub held_by: Vec<Role>,
    /// Requires a sign-in within the last 15 minutes.
    pub needs_fresh_sign_in: bool,
}

/// `GET /admin/settings/roles`
pub async fn page() -> Result<Page, Error> {
    let roles = [Role::Staff, Role::Admin, Role::SuperAdmin];
    let permissions = Permission::ALL.iter().map(|&permission| PermissionView {
        permission,
        held_by: roles.into_iter().filter(|role| permission.is_held_by(Some(*role))).collect(),
        needs_fresh_sign_in: permission.needs_fresh_sign_in(true),
    });
    let props = RolesPage { roles: roles.into(), permissions: permissions.collect() };
    Page::new("/admin/settings/roles", &props, admin_meta("Roles"))
}
