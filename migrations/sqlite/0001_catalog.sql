-- What the shop sells. Ids are UUIDs made by the server, times are UTC milliseconds, money is minor units.

CREATE TABLE categories (
    id BLOB NOT NULL PRIMARY KEY,
    parent_id BLOB REFERENCES categories (id),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    position BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT categories_slug_key UNIQUE (slug),
    CONSTRAINT categories_parent_check CHECK (parent_id IS NULL OR parent_id <> id)
);
CREATE INDEX categories_parent_id_idx ON categories (parent_id, position);

-- What may be sold and how: every product names one class, an unknown class cannot be stored.
CREATE TABLE compliance_classes (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    restriction TEXT NOT NULL
);
INSERT INTO compliance_classes (code, name, restriction) VALUES
    ('general_merchandise', 'General merchandise', 'Sold to adults aged 21 or older. Ships by ground within the United States.'),
    ('smoking_accessory', 'Smoking accessory', 'Sold to adults aged 21 or older, for legal tobacco use only. An adult signs for the parcel.'),
    ('lighter_fluid_hazmat', 'Lighter fuel', 'Sold to adults aged 21 or older. Flammable: travels by ground only, never by air, and an adult signs for the parcel.');

CREATE TABLE products (
    id BLOB NOT NULL PRIMARY KEY,
    handle TEXT NOT NULL,
    title TEXT NOT NULL,
    subtitle TEXT NOT NULL,
    description TEXT NOT NULL,
    highlights TEXT NOT NULL,
    details TEXT NOT NULL,
    category_id BLOB NOT NULL REFERENCES categories (id),
    material TEXT NOT NULL,
    compliance_class TEXT NOT NULL REFERENCES compliance_classes (code),
    status TEXT NOT NULL,
    popularity BIGINT NOT NULL,
    released_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT products_handle_key UNIQUE (handle),
    CONSTRAINT products_status_check CHECK (status IN ('draft', 'active', 'archived'))
);
CREATE INDEX products_category_id_idx ON products (category_id);
CREATE INDEX products_status_idx ON products (status);

-- A handle that a product or a category once had. Without a target it is gone for good (410), else it moved (301).
CREATE TABLE retired_paths (
    path TEXT NOT NULL PRIMARY KEY,
    target TEXT
);

CREATE TABLE product_options (
    id BLOB NOT NULL PRIMARY KEY,
    product_id BLOB NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    position BIGINT NOT NULL,
    CONSTRAINT product_options_name_key UNIQUE (product_id, name)
);

CREATE TABLE product_option_values (
    id BLOB NOT NULL PRIMARY KEY,
    option_id BLOB NOT NULL REFERENCES product_options (id) ON DELETE CASCADE,
    value TEXT NOT NULL,
    hex TEXT,
    position BIGINT NOT NULL,
    CONSTRAINT product_option_values_value_key UNIQUE (option_id, value)
);

-- media_key names the master in the object store; the pipeline makes the renditions.
CREATE TABLE product_images (
    id BLOB NOT NULL PRIMARY KEY,
    product_id BLOB NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    media_key TEXT NOT NULL,
    alt TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    position BIGINT NOT NULL,
    CONSTRAINT product_images_position_key UNIQUE (product_id, position),
    CONSTRAINT product_images_size_check CHECK (width > 0 AND height > 0)
);

CREATE TABLE product_variants (
    id BLOB NOT NULL PRIMARY KEY,
    product_id BLOB NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    sku TEXT NOT NULL,
    title TEXT NOT NULL,
    price BIGINT NOT NULL,
    compare_at_price BIGINT,
    currency TEXT NOT NULL,
    weight_grams BIGINT NOT NULL,
    image_id BLOB REFERENCES product_images (id) ON DELETE SET NULL,
    position BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT product_variants_sku_key UNIQUE (sku),
    CONSTRAINT product_variants_price_check CHECK (price >= 0),
    CONSTRAINT product_variants_compare_at_price_check CHECK (compare_at_price IS NULL OR compare_at_price > price),
    CONSTRAINT product_variants_weight_check CHECK (weight_grams >= 0)
);
CREATE INDEX product_variants_product_id_idx ON product_variants (product_id, position);

CREATE TABLE variant_option_values (
    variant_id BLOB NOT NULL REFERENCES product_variants (id) ON DELETE CASCADE,
    option_value_id BLOB NOT NULL REFERENCES product_option_values (id) ON DELETE CASCADE,
    PRIMARY KEY (variant_id, option_value_id)
);
CREATE INDEX variant_option_values_option_value_id_idx ON variant_option_values (option_value_id);

CREATE TABLE stock_levels (
    variant_id BLOB NOT NULL PRIMARY KEY REFERENCES product_variants (id) ON DELETE CASCADE,
    on_hand BIGINT NOT NULL,
    reserved BIGINT NOT NULL,
    low_stock_threshold BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT stock_levels_on_hand_check CHECK (on_hand >= 0),
    CONSTRAINT stock_levels_reserved_check CHECK (reserved >= 0 AND reserved <= on_hand)
);

CREATE TABLE collections (
    id BLOB NOT NULL PRIMARY KEY,
    handle TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    position BIGINT NOT NULL,
    CONSTRAINT collections_handle_key UNIQUE (handle)
);

CREATE TABLE collection_products (
    collection_id BLOB NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    product_id BLOB NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    PRIMARY KEY (collection_id, product_id)
);
CREATE INDEX collection_products_product_id_idx ON collection_products (product_id);

CREATE TABLE related_products (
    product_id BLOB NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    related_id BLOB NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    PRIMARY KEY (product_id, related_id),
    CONSTRAINT related_products_self_check CHECK (product_id <> related_id)
);
CREATE INDEX related_products_related_id_idx ON related_products (related_id);
