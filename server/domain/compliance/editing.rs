//! Administration of rules.

use jiff::civil::Date;
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::validity::Span;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::settings::dated;
use shop_platform::settings::dated::{Actions, Dated};
use shop_platform::settings::parts::Part;
use uuid::Uuid;

use super::model::{Class, Rule, RuleInput};
use super::store;

/// All rules: past, present and future.
pub async fn list_rules(conn: &mut Conn<'_>) -> Result<Vec<Rule>, DbError> {
    store::list_rules(conn).await
}

pub async fn list_classes(conn: &mut Conn<'_>) -> Result<Vec<Class>, DbError> {
    store::list_classes(conn).await
}

/// Adds a rule; the one in force on its first day ends there.
pub async fn add(cx: &Context, actor: &Actor, input: &RuleInput) -> Result<(), Error> {
    let mut reader = cx.db.read().await?;
    let classes = store::list_classes(&mut reader.conn()).await?;
    drop(reader);
    dated::add(cx, actor, input.version, input.rule(new_id(cx.clock.as_ref()), &classes)?).await
}

/// Without a rule nothing is sold.
impl Dated for Rule {
    const PART: Part = Part::Compliance;
    const ACTIONS: Actions =
        Actions { add: "compliance.add_rule", end: "compliance.end_rule", withdraw: "compliance.withdraw_rule" };

    fn id(&self) -> Uuid {
        self.id
    }

    fn span(&self) -> Span {
        self.span
    }

    fn with_span(self, span: Span) -> Self {
        Self { span, ..self }
    }

    fn is_about_the_same(&self, other: &Self) -> bool {
        (&self.class, &self.state) == (&other.class, &other.state)
    }

    fn subject(&self) -> Subject {
        Subject::new("setting", self.id, format!("{} in {}", self.class, self.state))
    }

    fn recorded(&self) -> Value {
        json!({
            "may_ship": self.may_ship, "may_pick_up": self.may_pick_up, "may_pay_online": self.may_pay_online,
            "adult_signature": self.adult_signature, "ground_only": self.ground_only,
            "reason": self.reason, "source": self.source, "excise": self.excise,
        })
    }

    async fn list(conn: &mut Conn<'_>) -> Result<Vec<Self>, DbError> {
        store::list_rules(conn).await
    }

    async fn insert(&self, conn: &mut Conn<'_>) -> Result<(), DbError> {
        store::insert_rule(conn, self).await
    }

    async fn set_end(conn: &mut Conn<'_>, id: Uuid, until: Option<Date>) -> Result<(), DbError> {
        store::set_end(conn, id, until).await
    }

    async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
        store::delete_rule(conn, id).await
    }
}
