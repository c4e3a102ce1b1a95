-- assigned_role is what a super admin has set here; it wins over what the provider lists. role is the effective one. order_count and
-- spent (paid less refunded, minor units) follow from the orders and are counted anew whenever one of them changes.

ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'customer'
    CONSTRAINT users_role_check CHECK (role IN ('customer', 'staff', 'admin', 'super_admin'));
ALTER TABLE users ADD COLUMN assigned_role TEXT
    CONSTRAINT users_assigned_role_check CHECK (assigned_role IN ('customer', 'staff', 'admin', 'super_admin'));
ALTER TABLE users ADD COLUMN blocked_at BIGINT;
ALTER TABLE users ADD COLUMN block_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN order_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN spent BIGINT NOT NULL DEFAULT 0;

UPDATE users SET role = CASE
    WHEN roles LIKE '%"super_admin"%' THEN 'super_admin'
    WHEN roles LIKE '%"admin"%' THEN 'admin'
    WHEN roles LIKE '%"staff"%' THEN 'staff'
    ELSE 'customer' END;
UPDATE users SET
    order_count = (SELECT COUNT(*) FROM orders o WHERE o.user_id = users.id AND o.status IN ('placed', 'archived')),
    spent = (SELECT COALESCE(SUM(a.amount - a.refunded), 0) FROM payment_attempts a JOIN orders o ON o.id = a.order_id
        WHERE o.user_id = users.id AND a.status = 'captured');

CREATE INDEX users_created_at_idx ON users (created_at, id);
CREATE INDEX users_signed_in_at_idx ON users (signed_in_at, id);
CREATE INDEX users_name_idx ON users (name, id);
CREATE INDEX users_order_count_idx ON users (order_count, id);
CREATE INDEX users_spent_idx ON users (spent, id);
CREATE INDEX users_role_idx ON users (role, created_at, id);
