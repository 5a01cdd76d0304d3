-- A search reads all entries that the index has not sorted in yet, and the save that exceeds the limit sorts them. With the default of 4 MB,
-- that one save would take a second.
ALTER INDEX "run_measures_search_idx" SET (gin_pending_list_limit = 64);

-- Almost no run has these values, and each change of a run's status writes an entry to each index of the table.
DROP INDEX "runs_pause_expires_at_idx";
CREATE INDEX "runs_pause_expires_at_idx" ON "runs"("pause_expires_at") WHERE "pause_expires_at" IS NOT NULL;
DROP INDEX "runs_branched_from_run_id_idx";
CREATE INDEX "runs_branched_from_run_id_idx" ON "runs"("branched_from_run_id") WHERE "branched_from_run_id" IS NOT NULL;
