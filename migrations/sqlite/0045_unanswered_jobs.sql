-- The mail server, or another that a job asked, did not answer, or its node died: it may have been done.
ALTER TABLE jobs ADD COLUMN may_be_done BOOLEAN NOT NULL DEFAULT FALSE;
