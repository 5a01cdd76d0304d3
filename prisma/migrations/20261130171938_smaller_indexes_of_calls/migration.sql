-- The id made every entry unique, so PostgreSQL could not store the entries of a run as one.
DROP INDEX "model_calls_run_id_id_idx";
CREATE INDEX "model_calls_run_id_idx" ON "model_calls"("run_id");

-- The sum of the monthly budget needs only calls that cost something. Other reads of a period also read the rows, which are in order of time.
DROP INDEX "model_calls_created_at_cost_usd_idx";
CREATE INDEX "model_calls_created_at_cost_usd_idx" ON "model_calls"("created_at", "cost_usd") WHERE "cost_usd" <> 0;
CREATE INDEX "model_calls_created_at_idx" ON "model_calls" USING BRIN ("created_at") WITH (pages_per_range = 16, autosummarize = on);
