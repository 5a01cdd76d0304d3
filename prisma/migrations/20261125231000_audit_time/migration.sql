-- Lines of the audit log go by the database's clock, by which all processes go.
ALTER TABLE "audit_entries" ALTER COLUMN "at" SET DEFAULT clock_timestamp();
