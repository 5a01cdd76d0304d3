-- One index instead of two. Ascending, because PostgreSQL leaves half of each page empty if most new rows come first.
DROP INDEX "run_measures_experiment_id_experiment_version_ended_at_idx";
DROP INDEX "run_measures_experiment_id_experiment_version_revision_idx";
CREATE INDEX "run_measures_experiment_id_experiment_version_ended_at_revi_idx" ON "run_measures"("experiment_id", "experiment_version", "ended_at", "revision");

-- Almost every row is searched.
DROP INDEX "run_measures_searched_idx";
CREATE INDEX "run_measures_searched_idx" ON "run_measures"("searched") WHERE NOT "searched";

-- Entries are sorted in at once. Otherwise every search reads the pending ones, and one save in about 50 sorts them in for all others.
ALTER INDEX "run_measures_search_idx" SET (fastupdate = off);
ALTER INDEX "run_measures_search_idx" RESET (gin_pending_list_limit);
SELECT gin_clean_pending_list('run_measures_search_idx');
