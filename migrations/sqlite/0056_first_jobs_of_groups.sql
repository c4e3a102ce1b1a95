-- The first job of each group of a lane, however many wait in another. jobs_lane_idx finds when a lane has work next.
CREATE INDEX jobs_group_idx ON jobs (lane, group_id, run_at) WHERE dead_at IS NULL;
