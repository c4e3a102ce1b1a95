-- What is low in stock, by what is available. SQLite turns a comparison around whose right side is a column, before it looks for an index:
-- it never used the one of 0012, whose condition has the column there.
CREATE INDEX stock_levels_available_idx ON stock_levels ((on_hand - reserved))
    WHERE low_stock_threshold >= on_hand - reserved;
