-- AlterTable
ALTER TABLE "run_measures" ADD COLUMN     "searched" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "run_measures_searched_idx" ON "run_measures"("searched");
