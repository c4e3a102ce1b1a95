-- What staff need to keep the catalogue: versions against overwriting, schedules, SEO texts, pictures by key, stock with reasons.

ALTER TABLE products ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- When a draft becomes active by itself.
ALTER TABLE products ADD COLUMN publish_at BIGINT;
-- Empty: the title and the first paragraph stand for them.
ALTER TABLE products ADD COLUMN seo_title TEXT NOT NULL DEFAULT '';
ALTER TABLE products ADD COLUMN seo_description TEXT NOT NULL DEFAULT '';
CREATE INDEX products_publish_at_idx ON products (publish_at);
CREATE INDEX products_updated_at_idx ON products (updated_at, id);
CREATE INDEX products_title_idx ON products (title, id);

ALTER TABLE categories ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE collections ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- No longer sold; kept for its orders, its stock's history and the carts that have it.
ALTER TABLE product_variants ADD COLUMN archived_at BIGINT;

-- Every picture that the shop has, on a product or not yet.
CREATE TABLE pictures (
    media_key TEXT NOT NULL PRIMARY KEY,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    uploaded_at BIGINT NOT NULL,
    CONSTRAINT pictures_size_check CHECK (width > 0 AND height > 0)
);
INSERT INTO pictures (media_key, width, height, uploaded_at)
    SELECT media_key, MIN(width), MIN(height), 0 FROM product_images GROUP BY media_key;

-- Why staff changed the stock, in their words and as a kind; who. Sales have neither.
ALTER TABLE stock_movements ADD COLUMN reason TEXT;
ALTER TABLE stock_movements ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE stock_movements ADD COLUMN actor_id BLOB REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX stock_movements_at_idx ON stock_movements (at, id);
CREATE INDEX stock_movements_actor_id_idx ON stock_movements (actor_id);

-- A file of products as it was read: report is a JSON line per line of the file, digest covers it and the state of the shop that it
-- was compared with, so that an old report is never carried out.
CREATE TABLE product_imports (
    id BLOB NOT NULL PRIMARY KEY,
    actor_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    file_name TEXT NOT NULL,
    file BLOB NOT NULL,
    state TEXT NOT NULL,
    report TEXT NOT NULL,
    digest TEXT NOT NULL,
    problem TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT product_imports_state_check CHECK (state IN ('reading', 'checked', 'applying', 'applied', 'failed'))
);
CREATE INDEX product_imports_created_at_idx ON product_imports (created_at);
CREATE INDEX product_imports_actor_id_idx ON product_imports (actor_id);
