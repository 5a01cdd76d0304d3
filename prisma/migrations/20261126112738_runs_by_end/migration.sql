-- CreateIndex
CREATE INDEX "runs_finished_at_idx" ON "runs"("finished_at");
