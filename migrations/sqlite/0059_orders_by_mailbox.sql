-- Orders by the buyer's email address, in whatever capitals it was typed: former uses of a promo code, and the orders of a guest.
CREATE INDEX orders_mailbox_idx ON orders (lower(email), id);
