-- Who opens an order, or undoes one of its parcels, looks for the records of its parcels.
CREATE INDEX delivery_records_order_number_idx ON delivery_records (order_number);
