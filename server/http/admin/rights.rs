//! The one table of who may do what.

use serde::Serialize;
use shop_base::db::stored;
use shop_base::role::Role;
use shop_domain::identity::model::Session;
use utoipa::ToSchema;

stored! {
    /// What somebody may do in the admin area.
    Permission {
        /// Lists and pages of orders, products, customers and figures.
        SeeShop = "see_shop",
        /// Parcels, notes, returns at the counter, addresses before shipping, emails sent again, money taken at pickup.
        FulfillOrders = "fulfill_orders",
        /// Make orders for somebody.
        ManageOrders = "manage_orders",
        /// Give money back; to cancel an order does that, too.
        Refund = "refund",
        /// Products, prices, pictures, categories, stock.
        EditCatalog = "edit_catalog",
        /// Block, export and delete customers, end their sessions.
        ManageUsers = "manage_users",
        /// Make somebody staff or admin.
        ChangeRoles = "change_roles",
        /// Company, tax, shipping, compliance, promo codes, legal texts, mails, webhooks.
        EditSettings = "edit_settings",
        /// Who changed what.
        SeeAudit = "see_audit",
        /// What runs and what failed; jobs; tests against the outside world.
        Operate = "operate",
    }
}

/// The least role that has a permission, and whether its credentials must be fresh.
struct Rule(Permission, Role, Freshness);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    AnyTime,
    /// Given within the last 15 minutes.
    Recent,
}
use Freshness::{AnyTime, Recent};
use Role::{Admin, Staff, SuperAdmin};

const RULES: [Rule; Permission::ALL.len()] = [
    Rule(Permission::SeeShop, Staff, AnyTime),
    Rule(Permission::FulfillOrders, Staff, AnyTime),
    Rule(Permission::ManageOrders, Admin, AnyTime),
    Rule(Permission::Refund, Admin, Recent),
    Rule(Permission::EditCatalog, Admin, AnyTime),
    Rule(Permission::ManageUsers, Admin, AnyTime),
    Rule(Permission::ChangeRoles, SuperAdmin, Recent),
    Rule(Permission::EditSettings, Admin, AnyTime),
    Rule(Permission::SeeAudit, Admin, AnyTime),
    Rule(Permission::Operate, Admin, AnyTime),
];

/// Why somebody may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The role does not suffice.
    Role,
    /// It does, but the credentials are too old.
    Stale,
}

impl Permission {
    fn rule(self) -> &'static Rule {
        // The length of the table and the test below see to it that there is one.
        RULES.iter().find(|rule| rule.0 == self).unwrap_or(&Rule(Permission::Operate, SuperAdmin, Recent))
    }

    /// Whether a role has it.
    pub fn is_held_by(self, role: Option<Role>) -> bool {
        role.is_some_and(|role| role <= self.rule().1)
    }

    pub fn needs_fresh_sign_in(self) -> bool {
        self.rule().2 == Recent
    }

    /// Whether a signed-in visitor may use it now, UTC milliseconds.
    pub fn check(self, session: &Session, now: i64) -> Result<(), Refusal> {
        if !self.is_held_by(session.role()) {
            return Err(Refusal::Role);
        }
        if self.needs_fresh_sign_in() && !session.is_fresh(now) { Err(Refusal::Stale) } else { Ok(()) }
    }

    /// All that a role has.
    pub fn of(role: Option<Role>) -> Vec<Self> {
        Self::ALL.iter().copied().filter(|permission| permission.is_held_by(role)).collect()
    }
}

/// A way into a part of the admin area.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct NavItem {
    pub label: &'static str,
    pub href: &'static str,
    /// Of `app/admin/icons.tsx`.
    pub icon: &'static str,
    /// Key that leads there after `g`.
    pub key: &'static str,
    #[serde(skip)]
    pub needs: Permission,
}

/// Every page of it names the same permission in the route table.
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

/// The ways that a role may go.
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
