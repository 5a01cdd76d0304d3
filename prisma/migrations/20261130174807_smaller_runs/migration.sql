-- Each save copies the row of its run. Space on the page keeps the copies together, and PostgreSQL reuses it for the next ones without new
-- index entries.
ALTER TABLE "runs" SET (fillfactor = 60);

-- New entries at the start of an index leave its pages half empty. Read backward, an ascending index gives the same order.
DROP INDEX "runs_experiment_id_number_idx";
DROP INDEX "runs_status_number_idx";
CREATE INDEX "runs_experiment_id_number_idx" ON "runs"("experiment_id", "number");
CREATE INDEX "runs_status_number_idx" ON "runs"("status", "number");
