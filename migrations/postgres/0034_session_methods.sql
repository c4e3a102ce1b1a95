-- How a user authenticated: the provider's `acr` and `amr`, a JSON array of strings.
ALTER TABLE sessions ADD COLUMN methods TEXT NOT NULL DEFAULT '[]';
