//! Blocks and roles of a backup that is restored, held against those of the database that it replaces: what staff have taken away since the
//! backup stays away.

use shop_base::clock::Clock;
use shop_base::db::{Conn, Db, DbError};
use shop_base::role::Role;
use uuid::Uuid;

use super::store;
use super::store::Standing;

/// How many accounts were changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TakenAway {
    pub blocked: usize,
    pub roles: usize,
}

/// The accounts of a restored copy that may do more than a customer, or that have a role which was assigned here.
pub async fn list_with_roles(copy: &Db) -> Result<Vec<Uuid>, DbError> {
    let mut reader = copy.read().await?;
    store::list_with_roles(&mut reader.conn()).await
}

/// What the former database says of these accounts, and of all that are blocked or have a role which was assigned there.
pub async fn list_former(former: &Db, with_roles: &[Uuid]) -> Result<Vec<Standing>, DbError> {
    let mut reader = former.read().await?;
    let mut conn = reader.conn();
    let mut found = store::list_limited(&mut conn).await?;
    for &id in with_roles {
        found.extend(store::find_standing(&mut conn, id).await?);
    }
    Ok(found)
}

/// Blocks in the copy who is blocked in the former database, and takes away the roles that are gone there. Nobody gets more than the backup
/// gives, and accounts that were made after it stay away.
pub async fn take_away(conn: &mut Conn<'_>, clock: &dyn Clock, former: &[Standing]) -> Result<TakenAway, DbError> {
    let (mut taken, now) = (TakenAway::default(), clock.now_ms());
    for former in former {
        let Some(restored) = store::find_standing(conn, former.id).await? else { continue };
        if former.blocked_at.is_some() && restored.blocked_at.is_none() {
            store::update_block(conn, former.id, former.blocked_at, &former.block_reason, now).await?;
            taken.blocked += 1;
        }
        if is_less(former, &restored) {
            store::update_standing(conn, former, now).await?;
            taken.roles += 1;
        }
    }
    Ok(taken)
}

/// Whether the former database gives less. Without an assigned role the provider's count at the next sign-in, which may be more than that of
/// a customer.
fn is_less(former: &Standing, restored: &Standing) -> bool {
    let is_more = former.role < restored.role
        || (former.assigned_role.is_none() && restored.assigned_role.as_deref() == Some(Role::Customer.name()));
    let differs = (former.role, &former.assigned_role) != (restored.role, &restored.assigned_role);
    differs && !is_more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(role: Role, assigned: Option<Role>) -> Standing {
        Standing {
            id: Uuid::nil(),
            roles: "[]".to_owned(),
            role,
            assigned_role: assigned.map(|role| role.name().to_owned()),
            blocked_at: None,
            block_reason: String::new(),
        }
    }

    #[test]
    fn roles_are_taken_away_and_never_given() {
        use Role::{Admin, Customer, Staff};
        for (former, restored, less) in [
            ((Customer, None), (Admin, Some(Admin)), true),
            ((Customer, None), (Staff, None), true),
            ((Staff, None), (Staff, Some(Staff)), true),
            ((Staff, Some(Staff)), (Admin, None), true),
            ((Customer, Some(Customer)), (Customer, None), true),
            ((Customer, None), (Customer, None), false),
            ((Customer, None), (Customer, Some(Customer)), false),
            ((Admin, Some(Admin)), (Staff, Some(Staff)), false),
            ((Admin, None), (Customer, None), false),
        ] {
            let (former, restored) = (standing(former.0, former.1), standing(restored.0, restored.1));
            assert_eq!(is_less(&former, &restored), less, "{former:?} {restored:?}");
        }
    }
}
