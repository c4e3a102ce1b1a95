-- Jobs by lane, each of which has workers of its own. A row has none when a former version of the program added it, until a node gives
-- it one. additions counts how often the same job was added while it was there. The indexes jobs_own_idx and jobs_dispatch_idx are
-- for nodes of the former version.

ALTER TABLE jobs ADD COLUMN lane TEXT;
ALTER TABLE jobs ADD COLUMN additions BIGINT NOT NULL DEFAULT 0;
CREATE INDEX jobs_lane_idx ON jobs (lane, run_at) WHERE dead_at IS NULL;
