-- What the buyer of a rejected return is told; empty for nothing.

ALTER TABLE returns ADD COLUMN message TEXT NOT NULL DEFAULT '';
