-- From here on, events and decisions of the rules are stored in a form that older versions cannot read. New rows leave the columns of the
-- earlier form null.
-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "event_lines" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "policy_lines" TEXT NOT NULL DEFAULT '',
ALTER COLUMN "events" DROP DEFAULT,
ALTER COLUMN "policy_decisions" DROP DEFAULT;

-- CreateTable
CREATE TABLE "run_event_pages" (
    "run_id" UUID NOT NULL,
    "last_number" INTEGER NOT NULL,
    "lines" TEXT NOT NULL,

    CONSTRAINT "run_event_pages_pkey" PRIMARY KEY ("run_id","last_number")
);

-- AddForeignKey
ALTER TABLE "run_event_pages" ADD CONSTRAINT "run_event_pages_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
