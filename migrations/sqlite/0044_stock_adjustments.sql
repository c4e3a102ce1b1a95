-- Changes of stock by staff and imports are counted per variant, apart from its sales, which are far more.
CREATE INDEX stock_movements_adjustments_idx ON stock_movements (variant_id) WHERE kind = 'adjustment';
