-- What outlives an account that is erased, for the next one of its subject: the role that a super admin has assigned, if it takes something
-- away, and since when the account is blocked. Null if there is none, if the next account has it, and for what former releases have erased.
ALTER TABLE erased_subjects ADD COLUMN assigned_role TEXT
    CONSTRAINT erased_subjects_assigned_role_check CHECK (assigned_role IN ('customer', 'staff', 'admin', 'super_admin'));
ALTER TABLE erased_subjects ADD COLUMN blocked_at BIGINT;
