-- Whom a job is for, such as an endpoint. Zero if it has no group, or was added by a former version of the program, until a node gives
-- it one.
ALTER TABLE jobs ADD COLUMN group_id BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
