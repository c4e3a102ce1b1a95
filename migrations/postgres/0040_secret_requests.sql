-- Which request made the secret, by the browser's name for it: sent again because an answer was lost, it gets the same secret. Null for those
-- that came with the endpoint or were made by a former release.
ALTER TABLE endpoints ADD COLUMN secret_request_id UUID;
