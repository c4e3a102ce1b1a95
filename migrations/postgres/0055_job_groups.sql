-- Whom a job is for, such as an endpoint. Zero if it has no group, or was added by a former version of the program, until a node gives
-- it one.
ALTER TABLE jobs ADD COLUMN group_id UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
