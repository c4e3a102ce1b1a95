-- no-transaction
-- Whoever deletes a picture looks for the variants that refer to it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS product_variants_image_id_idx ON product_variants (image_id) WHERE image_id IS NOT NULL;
