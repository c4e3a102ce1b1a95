-- Orders of shoppers that are paid for when they are picked up, while they are open: how many one person or one network has is bounded. Rows of
-- orders that are settled are deleted after a day. email is in lower case. held_until is when stock is free again unless the order is placed.
CREATE TABLE open_pickups (
    order_id BLOB NOT NULL PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    user_id BLOB REFERENCES users (id) ON DELETE SET NULL,
    network TEXT NOT NULL,
    units BIGINT NOT NULL,
    held_until BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    reminded_at BIGINT,
    CONSTRAINT open_pickups_units_check CHECK (units > 0)
);
CREATE INDEX open_pickups_email_idx ON open_pickups (email);
CREATE INDEX open_pickups_user_id_idx ON open_pickups (user_id);
CREATE INDEX open_pickups_network_idx ON open_pickups (network, created_at);

-- One letter with a link each, kept for a day so that letters can be counted. The link's token is found by its hash; sealed, a second try
-- writes the same letter. click_id is the browser's click that asked for it.
CREATE TABLE pickup_links (
    id BLOB NOT NULL PRIMARY KEY,
    order_id BLOB NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    click_id BLOB NOT NULL,
    token_hash BLOB NOT NULL,
    token_sealed BLOB NOT NULL,
    email TEXT NOT NULL,
    network TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    replaced_at BIGINT,
    CONSTRAINT pickup_links_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX pickup_links_order_id_idx ON pickup_links (order_id);
CREATE INDEX pickup_links_email_idx ON pickup_links (email, created_at);
CREATE INDEX pickup_links_network_idx ON pickup_links (network, created_at);
CREATE INDEX pickup_links_created_at_idx ON pickup_links (created_at);

-- Orders that wait in the store already, and that staff have not touched, are reminded of as later ones are.
INSERT INTO open_pickups (order_id, email, user_id, network, units, held_until, created_at)
SELECT o.id, lower(o.email), o.user_id, a.network, SUM(l.quantity), 0, o.placed_at
FROM orders o
JOIN payment_attempts a ON a.id = o.attempt_id AND a.provider = 'pickup' AND a.status = 'due'
JOIN order_lines l ON l.order_id = o.id
WHERE o.status = 'placed' AND o.payment_status = 'not_paid' AND o.fulfillment_status = 'unfulfilled' AND o.version = 0
    AND NOT EXISTS (SELECT 1 FROM order_history h WHERE h.order_id = o.id AND h.kind IN ('made_by_staff', 'from_draft'))
GROUP BY o.id, o.email, o.user_id, a.network, o.placed_at;

-- Sessions of staff that cannot be refreshed end with the access token from now on; of those that began before, nobody knows when that was.
DELETE FROM sessions WHERE refresh_at IS NULL AND tokens IS NOT NULL
    AND user_id IN (SELECT id FROM users WHERE role <> 'customer');
