-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "components" JSONB;

-- AlterTable
ALTER TABLE "reflection_versions" ADD COLUMN     "target" JSONB;

-- CreateTable
CREATE TABLE "target_jobs" (
    "id" UUID NOT NULL,
    "target" TEXT NOT NULL,
    "run_id" UUID,
    "step" INTEGER,
    "input" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "worker" TEXT,
    "held_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "target_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "target_workers" (
    "target" TEXT NOT NULL,
    "worker" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "target_workers_pkey" PRIMARY KEY ("target","worker")
);

-- CreateIndex
CREATE INDEX "target_jobs_target_state_created_at_idx" ON "target_jobs"("target", "state", "created_at");

-- CreateIndex
CREATE INDEX "target_jobs_run_id_idx" ON "target_jobs"("run_id");

-- AddForeignKey
ALTER TABLE "target_jobs" ADD CONSTRAINT "target_jobs_target_fkey" FOREIGN KEY ("target") REFERENCES "providers"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "target_jobs" ADD CONSTRAINT "target_jobs_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "target_workers" ADD CONSTRAINT "target_workers_target_fkey" FOREIGN KEY ("target") REFERENCES "providers"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- Processes wait for answers, and targets for work: see lib/database/changes.ts.
CREATE TRIGGER target_jobs_announce AFTER INSERT OR UPDATE OF state ON "target_jobs" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('targets');
