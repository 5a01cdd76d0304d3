-- DropIndex
DROP INDEX "decisions_pause_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "decisions_pause_id_criterion_key" ON "decisions"("pause_id", "criterion");
