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
        /// Refund; canceling an order includes that, too.
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
struct Rule(Permission, Role, Freshness);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    AnyTime,
    /// Signed in within the last 15 minutes to change something.
    RecentForChanges,
    /// Signed in within the last 15 minutes.
    Recent,
}
use Freshness::{AnyTime, Recent, RecentForChanges};
use Role::{Admin, Staff, SuperAdmin};

const RULES: [Rule; Permission::ALL.len()] = [
    Rule(Permission::SeeShop, Staff, AnyTime),
    Rule(Permission::FulfillOrders, Staff, AnyTime),
    Rule(Permission::ManageOrders, Admin, AnyTime),
    Rule(Permission::Refund, Admin, Recent),
    Rule(Permission::EditCatalog, Admin, AnyTime),
    Rule(Permission::ManageUsers, Admin, RecentForChanges),
    Rule(Permission::ExportData, Admin, Recent),
    Rule(Permission::ChangeRoles, SuperAdmin, Recent),
    Rule(Permission::EditSettings, Admin, RecentForChanges),
    Rule(Permission::SeeAudit, Admin, AnyTime),
    Rule(Permission::Operate, Admin, AnyTime),
];

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
    fn rule(self) -> &'static Rule {
        // The array length and the test below ensure that every permission has a rule.
        RULES.iter().find(|rule| rule.0 == self).unwrap_or(&Rule(Permission::Operate, SuperAdmin, Recent))
    }

    /// Whether a role has this permission.
    pub fn is_held_by(self, role: Option<Role>) -> bool {
        role.is_some_and(|role| role <= self.rule().1)
    }

    /// Whether it requires a recent sign-in to see something, or to change it.
    pub fn needs_fresh_sign_in(self, changes: bool) -> bool {
        match self.rule().2 {
            AnyTime => false,
            RecentForChanges => changes,
            Recent => true,
        }
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
    /// Name in `app/admin/icons.tsx`.
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
    use super::{Permission, RULES};
    use shop_base::role::Role;

    #[test]
    fn every_permission_has_one_rule() {
        for permission in Permission::ALL {
            assert_eq!(RULES.iter().filter(|rule| rule.0 == *permission).count(), 1, "{permission:?}");
        }
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
