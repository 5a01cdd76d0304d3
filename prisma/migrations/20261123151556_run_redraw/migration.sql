-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "redraw" JSONB;

-- The same default, written the way PostgreSQL keeps it.
ALTER TABLE "case_tries" ALTER COLUMN "suggestions" SET DEFAULT '{}';
