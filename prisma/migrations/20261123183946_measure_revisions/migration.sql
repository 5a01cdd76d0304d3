-- AlterTable
ALTER TABLE "run_measures" ADD COLUMN     "revision" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "run_measures_experiment_id_experiment_version_revision_idx" ON "run_measures"("experiment_id", "experiment_version", "revision");
