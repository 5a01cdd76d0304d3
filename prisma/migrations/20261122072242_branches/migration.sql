-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "branched_from_run_id" UUID,
ADD COLUMN     "branched_from_version" INTEGER;

-- CreateIndex
CREATE INDEX "runs_branched_from_run_id_idx" ON "runs"("branched_from_run_id");

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_branched_from_run_id_fkey" FOREIGN KEY ("branched_from_run_id") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;
