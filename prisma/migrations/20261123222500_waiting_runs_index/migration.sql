-- CreateIndex
CREATE INDEX "runs_waiting_idx" ON "runs"(((pause->>'since') COLLATE "C"), "number") INCLUDE ("experiment_id", "experiment_version") WHERE status = 'waiting';
