//! The table of permissions by role.

use serde::Serialize;
use shop_base::config;
use shop_base::db::stored;
use shop_base::role::Role;
use shop_domain::identity::model::Session;
use utoipa::ToSchema;

stored! {
    /// A permission in the admin area.
    Permission {
        /// See lists and pages of orders, products, customers and figures.
        SeeShop = "see_shop",
        /// Parcels, notes, returns in the store, address changes before shipping, resent emails, payments at pickup.
        FulfillOrders = "fulfill_orders",
        /// Create orders on behalf of customers.
        ManageOrders = "manage_orders",
        /// Refund; cancel an order, which includes that; undo a payment in the store.
        Refund = "refund",
        /// Edit products, prices, pictures, categories, stock.
        EditCatalog = "edit_catalog",
        /// Block and delete customers, end their sessions.
        ManageUsers = "manage_users",
        /// Download lists that name people, and all that is stored about one.
        ExportData = "export_data",
        /// Make a user staff or admin.
        ChangeRoles = "change_roles",
        /// Edit company, tax, shipping, compliance, promo codes, legal texts, mails, webhooks; let goods leave against a compliance rule.
        EditSettings = "edit_settings",
        /// See the audit log.
        SeeAudit = "see_audit",
        /// See the state of the system and its errors; manage jobs; run tests against external services.
        Operate = "operate",
    }
}

/// The lowest role that has a permission, and what requires a recent sign-in.
struct Rule(Role, Freshness);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    AnyTime,
    /// Signed in within the last 15 minutes to change something.
    RecentForChanges,
    /// Signed in within the last 15 minutes.
    Recent,
}
use Freshness::{AnyTime, Recent, RecentForChanges};
use Role::{Admin, Customer, Staff, SuperAdmin};

/// Why a permission is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The role lacks the permission.
    Role,
    /// The role has it, but the sign-in is too old.
    Stale,
    /// The role has it, but the user authenticated by none of the methods that it requires.
    Weak,
}

impl Permission {
    fn rule(self) -> Rule {
        match self {
            Self::SeeShop | Self::FulfillOrders => Rule(Staff, AnyTime),
            Self::ManageOrders | Self::EditCatalog | Self::SeeAudit | Self::Operate => Rule(Admin, AnyTime),
            Self::ManageUsers | Self::EditSettings => Rule(Admin, RecentForChanges),
            Self::Refund | Self::ExportData => Rule(Admin, Recent),
            Self::ChangeRoles => Rule(SuperAdmin, Recent),
        }
    }

    /// Whether a role has this permission.
    pub fn is_held_by(self, role: Option<Role>) -> bool {
        role.is_some_and(|role| role <= self.rule().0)
    }

    /// Whether it requires a recent sign-in to see something, or to change it.
    pub fn needs_fresh_sign_in(self, changes: bool) -> bool {
        match self.rule().1 {
            AnyTime => false,
            RecentForChanges => changes,
            Recent => true,
        }
    }

    /// Who may use it to see something, or to change it: for the API's document.
    pub fn needed(self, changes: bool) -> String {
        let who = match self.rule().0 {
            SuperAdmin => "Super admins",
            Admin => "Admins",
            Staff => "Staff",
            Customer => "Customers",
        };
        let recently = if self.needs_fresh_sign_in(changes) { ", signed in within the last 15 minutes" } else { "" };
        format!("{who} only{recently}")
    }

    /// Whether a signed-in visitor may use it at `now`, UTC milliseconds, to see something, or to change it. `provider` has the methods of
    /// authentication that it requires.
    pub fn check(
        self,
        session: &Session,
        provider: Option<&config::Identity>,
        changes: bool,
        now: i64,
    ) -> Result<(), Refusal> {
        if !self.is_held_by(session.role()) {
            return Err(Refusal::Role);
        }
        let must_be_fresh = self.needs_fresh_sign_in(changes);
        let is_strong = |provider: &config::Identity| {
            session.is_by(&provider.staff_methods) && (!must_be_fresh || session.is_by(&provider.confirm_methods))
        };
        if !provider.is_none_or(is_strong) {
            return Err(Refusal::Weak);
        }
        if must_be_fresh && !session.is_fresh(now) { Err(Refusal::Stale) } else { Ok(()) }
    }

    /// All permissions of a role.
    pub fn of(role: Option<Role>) -> Vec<Self> {
        Self::ALL.iter().copied().filter(|permission| permission.is_held_by(role)).collect()
    }
}

/// An entry of the admin area's navigation.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct NavItem {
    pub label: &'static str,
    pub href: &'static str,
    /// Name in `PATHS` of `app/admin/parts/admin-icon.tsx`.
    pub icon: &'static str,
    /// The key that opens it after `g`.
    pub key: &'static str,
    #[serde(skip)]
    pub needs: Permission,
}

/// Each page has the same permission here as in the route table.
const NAVIGATION: &[NavItem] = &[
    way("Overview", "/admin/overview", "overview", "h", Permission::SeeShop),
    way("Orders", "/admin/orders", "orders", "o", Permission::SeeShop),
    way("Products", "/admin/products", "products", "p", Permission::SeeShop),
    way("Users", "/admin/users", "users", "u", Permission::SeeShop),
    way("Analytics", "/admin/analytics", "analytics", "a", Permission::SeeShop),
    way("Settings", "/admin/settings", "settings", "s", Permission::EditSettings),
    way("Audit log", "/admin/audit", "audit", "l", Permission::SeeAudit),
    way("Testing", "/admin/testing", "testing", "t", Permission::Operate),
    way("Debug", "/admin/debug", "bug", "d", Permission::Operate),
];

const fn way(
    label: &'static str,
    href: &'static str,
    icon: &'static str,
    key: &'static str,
    needs: Permission,
) -> NavItem {
    NavItem { label, href, icon, key, needs }
}

/// The navigation entries that a role may use.
pub fn navigation(role: Option<Role>) -> Vec<NavItem> {
    NAVIGATION.iter().copied().filter(|item| item.needs.is_held_by(role)).collect()
}

#[cfg(test)]
mod tests {
    use super::Permission;
    use shop_base::role::Role;

    #[test]
    fn who_may_use_a_permission_is_said_with_what_it_is_used_for() {
        let recently = ", signed in within the last 15 minutes";
        assert_eq!(Permission::SeeShop.needed(true), "Staff only");
        assert_eq!(Permission::EditSettings.needed(false), "Admins only");
        assert_eq!(Permission::EditSettings.needed(true), format!("Admins only{recently}"));
        assert_eq!(Permission::ExportData.needed(false), format!("Admins only{recently}"));
        assert_eq!(Permission::ChangeRoles.needed(true), format!("Super admins only{recently}"));
    }

    #[test]
    fn a_role_holds_what_the_lesser_ones_hold_and_customers_nothing() {
        let count = |role| Permission::of(Some(role)).len();
        assert_eq!(count(Role::Customer), 0);
        assert!(Permission::of(None).is_empty());
        assert!(count(Role::Staff) < count(Role::Admin) && count(Role::Admin) < count(Role::SuperAdmin));
        assert_eq!(count(Role::SuperAdmin), Permission::ALL.len());
    }
}
