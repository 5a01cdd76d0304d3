-- AlterTable
ALTER TABLE "decisions" ADD COLUMN     "guidance" TEXT,
ADD COLUMN     "seen" JSONB;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "pause_expires_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "runs_pause_expires_at_idx" ON "runs"("pause_expires_at");
