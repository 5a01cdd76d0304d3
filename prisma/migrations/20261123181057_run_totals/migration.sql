-- DropIndex
DROP INDEX "run_measures_experiment_id_experiment_version_idx";

-- CreateTable
CREATE TABLE "run_totals" (
    "id" SERIAL NOT NULL,
    "experiment_id" UUID NOT NULL,
    "experiment_version" INTEGER NOT NULL,
    "runs" BIGINT NOT NULL,
    "ended" BIGINT NOT NULL,
    "unscored" BIGINT NOT NULL,
    "solved" BIGINT NOT NULL,
    "waiting" BIGINT NOT NULL,
    "under_way" BIGINT NOT NULL,
    "judged" BIGINT NOT NULL,
    "unscorable" BIGINT NOT NULL,
    "ever_satisfactory" BIGINT NOT NULL,
    "first_satisfactory" BIGINT NOT NULL,
    "first_scored" BIGINT NOT NULL,
    "best_scored" BIGINT NOT NULL,
    "unpriced" BIGINT NOT NULL,
    "first_scores" DECIMAL(65,30) NOT NULL,
    "best_scores" DECIMAL(65,30) NOT NULL,
    "cost_usd" DECIMAL(65,30) NOT NULL,
    "own_runs" BIGINT NOT NULL,
    "measured" BIGINT NOT NULL,
    "measured_solved" BIGINT NOT NULL,
    "measured_unpriced" BIGINT NOT NULL,
    "evaluations" BIGINT NOT NULL,
    "unscored_evaluations" BIGINT NOT NULL,
    "final_better_of" BIGINT NOT NULL,
    "final_better_met" BIGINT NOT NULL,
    "scored_runs" BIGINT NOT NULL,
    "solved_within_2" BIGINT NOT NULL,
    "solved_within_3" BIGINT NOT NULL,
    "ended_by_rule_of" BIGINT NOT NULL,
    "ended_by_rule_met" BIGINT NOT NULL,
    "issues_met" BIGINT NOT NULL,
    "issues_of" BIGINT NOT NULL,
    "issues_clusters" BIGINT NOT NULL,
    "issues_met_met" BIGINT NOT NULL,
    "issues_met_of" BIGINT NOT NULL,
    "issues_of_of" BIGINT NOT NULL,
    "corrected_met" BIGINT NOT NULL,
    "corrected_of" BIGINT NOT NULL,
    "corrected_clusters" BIGINT NOT NULL,
    "corrected_met_met" BIGINT NOT NULL,
    "corrected_met_of" BIGINT NOT NULL,
    "corrected_of_of" BIGINT NOT NULL,
    "introduced_met" BIGINT NOT NULL,
    "introduced_of" BIGINT NOT NULL,
    "introduced_clusters" BIGINT NOT NULL,
    "introduced_met_met" BIGINT NOT NULL,
    "introduced_met_of" BIGINT NOT NULL,
    "introduced_of_of" BIGINT NOT NULL,
    "repeats_met" BIGINT NOT NULL,
    "repeats_of" BIGINT NOT NULL,
    "repeats_clusters" BIGINT NOT NULL,
    "repeats_met_met" BIGINT NOT NULL,
    "repeats_met_of" BIGINT NOT NULL,
    "repeats_of_of" BIGINT NOT NULL,
    "gained" BIGINT NOT NULL,
    "gain" DECIMAL(65,30) NOT NULL,
    "measured_cost_usd" DECIMAL(65,30) NOT NULL,

    CONSTRAINT "run_totals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "uncounted_runs" (
    "run_id" UUID NOT NULL,
    "experiment_id" UUID NOT NULL,

    CONSTRAINT "uncounted_runs_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "run_totals_experiment_id_experiment_version_idx" ON "run_totals"("experiment_id", "experiment_version");

-- CreateIndex
CREATE INDEX "uncounted_runs_experiment_id_idx" ON "uncounted_runs"("experiment_id");

-- CreateIndex
CREATE INDEX "run_measures_experiment_id_experiment_version_ended_at_idx" ON "run_measures"("experiment_id", "experiment_version", "ended_at" DESC);

-- What each run adds to the totals of its version. As simple as this, it becomes part of the statement that asks it.
CREATE FUNCTION run_amounts() RETURNS TABLE (run_id uuid, experiment_id uuid, experiment_version integer,
  runs integer, ended integer, unscored integer, solved integer, waiting integer, under_way integer, judged integer, unscorable integer,
  ever_satisfactory integer, first_satisfactory integer, first_scored integer, best_scored integer, unpriced integer, first_scores numeric,
  best_scores numeric, cost_usd numeric, own_runs integer, measured integer, measured_solved integer, measured_unpriced integer, evaluations integer,
  unscored_evaluations integer, final_better_of integer, final_better_met integer, scored_runs integer, solved_within_2 integer,
  solved_within_3 integer, ended_by_rule_of integer, ended_by_rule_met integer, issues_met integer, issues_of integer, issues_clusters integer,
  issues_met_met bigint, issues_met_of bigint, issues_of_of bigint, corrected_met integer, corrected_of integer, corrected_clusters integer,
  corrected_met_met bigint, corrected_met_of bigint, corrected_of_of bigint, introduced_met integer, introduced_of integer,
  introduced_clusters integer, introduced_met_met bigint, introduced_met_of bigint, introduced_of_of bigint, repeats_met integer, repeats_of integer,
  repeats_clusters integer, repeats_met_met bigint, repeats_met_of bigint, repeats_of_of bigint, gained integer, gain numeric, measured_cost_usd numeric)
LANGUAGE sql STABLE AS $$
  SELECT r.id AS run_id, r.experiment_id, r.experiment_version,
    1 AS runs,
    CASE WHEN r.status IN ('finished', 'failed', 'stopped') AND (r.best_score IS NOT NULL OR r.success) THEN 1 ELSE 0 END AS ended,
    CASE WHEN r.status IN ('finished', 'failed', 'stopped') AND NOT (r.best_score IS NOT NULL OR r.success) THEN 1 ELSE 0 END AS unscored,
    CASE WHEN r.success THEN 1 ELSE 0 END AS solved,
    CASE WHEN r.status = 'waiting' THEN 1 ELSE 0 END AS waiting,
    CASE WHEN r.status IN ('queued', 'running') THEN 1 ELSE 0 END AS under_way,
    CASE WHEN r.finished_at IS NOT NULL AND r.satisfied <> '' AND r.best_score IS NOT NULL THEN 1 ELSE 0 END AS judged,
    CASE WHEN r.finished_at IS NOT NULL AND r.satisfied <> '' AND r.best_score IS NULL THEN 1 ELSE 0 END AS unscorable,
    CASE WHEN r.finished_at IS NOT NULL AND r.satisfied <> '' AND r.best_score IS NOT NULL AND strpos(r.satisfied, '1') > 0 THEN 1 ELSE 0 END AS ever_satisfactory,
    CASE WHEN r.finished_at IS NOT NULL AND r.satisfied <> '' AND r.best_score IS NOT NULL AND left(r.satisfied, 1) = '1' THEN 1 ELSE 0 END AS first_satisfactory,
    CASE WHEN r.first_score IS NOT NULL THEN 1 ELSE 0 END AS first_scored,
    CASE WHEN r.best_score IS NOT NULL THEN 1 ELSE 0 END AS best_scored,
    CASE WHEN r.unpriced THEN 1 ELSE 0 END AS unpriced,
    coalesce(r.first_score, 0)::numeric AS first_scores,
    coalesce(r.best_score, 0)::numeric AS best_scores,
    r.cost_usd::numeric AS cost_usd,
    CASE WHEN r.branched_from_version IS NULL THEN 1 ELSE 0 END AS own_runs,
    CASE WHEN m.run_id IS NOT NULL THEN 1 ELSE 0 END AS measured,
    CASE WHEN m.run_id IS NOT NULL AND r.success THEN 1 ELSE 0 END AS measured_solved,
    CASE WHEN m.run_id IS NOT NULL AND r.unpriced THEN 1 ELSE 0 END AS measured_unpriced,
    coalesce(m.evaluations, 0) AS evaluations,
    coalesce(m.unscored, 0) AS unscored_evaluations,
    CASE WHEN m.scored_versions >= 2 THEN 1 ELSE 0 END AS final_better_of,
    CASE WHEN m.scored_versions >= 2 AND m.last_score - m.first_score > 0.0000005 THEN 1 ELSE 0 END AS final_better_met,
    CASE WHEN m.scored_versions >= 1 THEN 1 ELSE 0 END AS scored_runs,
    CASE WHEN m.scored_versions >= 1 AND m.solved_at <= 2 THEN 1 ELSE 0 END AS solved_within_2,
    CASE WHEN m.scored_versions >= 1 AND m.solved_at <= 3 THEN 1 ELSE 0 END AS solved_within_3,
    CASE WHEN m.scored_versions >= 1 AND r.convergence_reason IN ('quality_met', 'semantic_stability', 'repeated_issues', 'oscillation', 'plateau', 'diminishing',
      'max_iterations', 'call_budget', 'token_budget', 'cost_budget', 'time_budget', 'experiment_budget', 'month_budget') THEN 1 ELSE 0 END AS ended_by_rule_of,
    CASE WHEN m.scored_versions >= 1 AND r.convergence_reason IN ('quality_met', 'semantic_stability', 'repeated_issues', 'oscillation', 'plateau', 'diminishing') THEN 1 ELSE 0 END AS ended_by_rule_met,
    coalesce(m.issues_resolved, 0) AS issues_met,
    coalesce(m.issues_named, 0) AS issues_of,
    CASE WHEN m.issues_named > 0 THEN 1 ELSE 0 END AS issues_clusters,
    coalesce(m.issues_resolved::bigint * m.issues_resolved, 0) AS issues_met_met,
    coalesce(m.issues_resolved::bigint * m.issues_named, 0) AS issues_met_of,
    coalesce(m.issues_named::bigint * m.issues_named, 0) AS issues_of_of,
    coalesce(m.checks_corrected, 0) AS corrected_met,
    coalesce(m.checks_failing, 0) AS corrected_of,
    CASE WHEN m.checks_failing > 0 THEN 1 ELSE 0 END AS corrected_clusters,
    coalesce(m.checks_corrected::bigint * m.checks_corrected, 0) AS corrected_met_met,
    coalesce(m.checks_corrected::bigint * m.checks_failing, 0) AS corrected_met_of,
    coalesce(m.checks_failing::bigint * m.checks_failing, 0) AS corrected_of_of,
    coalesce(m.checks_introduced, 0) AS introduced_met,
    coalesce(m.checks_passing, 0) AS introduced_of,
    CASE WHEN m.checks_passing > 0 THEN 1 ELSE 0 END AS introduced_clusters,
    coalesce(m.checks_introduced::bigint * m.checks_introduced, 0) AS introduced_met_met,
    coalesce(m.checks_introduced::bigint * m.checks_passing, 0) AS introduced_met_of,
    coalesce(m.checks_passing::bigint * m.checks_passing, 0) AS introduced_of_of,
    coalesce(m.repeated_answers, 0) AS repeats_met,
    coalesce(m.retries_after_fail, 0) AS repeats_of,
    CASE WHEN m.retries_after_fail > 0 THEN 1 ELSE 0 END AS repeats_clusters,
    coalesce(m.repeated_answers::bigint * m.repeated_answers, 0) AS repeats_met_met,
    coalesce(m.repeated_answers::bigint * m.retries_after_fail, 0) AS repeats_met_of,
    coalesce(m.retries_after_fail::bigint * m.retries_after_fail, 0) AS repeats_of_of,
    CASE WHEN m.first_score IS NOT NULL THEN 1 ELSE 0 END AS gained,
    coalesce(m.best_score - m.first_score, 0)::numeric AS gain,
    CASE WHEN m.run_id IS NULL THEN 0 ELSE r.cost_usd END::numeric AS measured_cost_usd
  FROM runs r LEFT JOIN run_measures m ON m.run_id = r.id AND r.branched_from_version IS NULL
$$;

-- Takes a run out of the totals before it changes. The row in uncounted_runs is locked until commit, so that nobody counts the run meanwhile.
CREATE FUNCTION uncount_run(run uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    PERFORM FROM uncounted_runs WHERE run_id = run FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO uncounted_runs (run_id, experiment_id) SELECT id, experiment_id FROM runs WHERE id = run ON CONFLICT DO NOTHING;
    IF FOUND THEN
      PERFORM subtract_run(run);
      EXIT;
    END IF;
    EXIT WHEN NOT EXISTS (SELECT FROM runs WHERE id = run);
  END LOOP;
END
$$;

CREATE FUNCTION subtract_run(run uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO run_totals (experiment_id, experiment_version,
    runs, ended, unscored, solved, waiting, under_way, judged, unscorable, ever_satisfactory, first_satisfactory, first_scored, best_scored, unpriced,
    first_scores, best_scores, cost_usd, own_runs, measured, measured_solved, measured_unpriced, evaluations, unscored_evaluations, final_better_of,
    final_better_met, scored_runs, solved_within_2, solved_within_3, ended_by_rule_of, ended_by_rule_met, issues_met, issues_of, issues_clusters,
    issues_met_met, issues_met_of, issues_of_of, corrected_met, corrected_of, corrected_clusters, corrected_met_met, corrected_met_of, corrected_of_of,
    introduced_met, introduced_of, introduced_clusters, introduced_met_met, introduced_met_of, introduced_of_of, repeats_met, repeats_of,
    repeats_clusters, repeats_met_met, repeats_met_of, repeats_of_of, gained, gain, measured_cost_usd)
  SELECT a.experiment_id, a.experiment_version,
    -runs, -ended, -unscored, -solved, -waiting, -under_way, -judged, -unscorable, -ever_satisfactory, -first_satisfactory, -first_scored, -best_scored,
    -unpriced, -first_scores, -best_scores, -cost_usd, -own_runs, -measured, -measured_solved, -measured_unpriced, -evaluations, -unscored_evaluations,
    -final_better_of, -final_better_met, -scored_runs, -solved_within_2, -solved_within_3, -ended_by_rule_of, -ended_by_rule_met, -issues_met,
    -issues_of, -issues_clusters, -issues_met_met, -issues_met_of, -issues_of_of, -corrected_met, -corrected_of, -corrected_clusters, -corrected_met_met,
    -corrected_met_of, -corrected_of_of, -introduced_met, -introduced_of, -introduced_clusters, -introduced_met_met, -introduced_met_of,
    -introduced_of_of, -repeats_met, -repeats_of, -repeats_clusters, -repeats_met_met, -repeats_met_of, -repeats_of_of, -gained, -gain, -measured_cost_usd
  FROM run_amounts() a WHERE a.run_id = run;
$$;

CREATE FUNCTION note_new_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncounted_runs (run_id, experiment_id) SELECT id, experiment_id FROM new_runs;
  RETURN NULL;
END
$$;
CREATE TRIGGER runs_note_new AFTER INSERT ON "runs" REFERENCING NEW TABLE AS new_runs FOR EACH STATEMENT EXECUTE FUNCTION note_new_runs();

CREATE FUNCTION uncount_changed_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM uncount_run(OLD.id);
  RETURN NEW;
END
$$;
-- Runs that are queued or running are never counted.
CREATE TRIGGER runs_uncount_changed BEFORE UPDATE ON "runs" FOR EACH ROW
  WHEN (OLD.status NOT IN ('queued', 'running') AND
    (OLD.status, OLD.success, OLD.convergence_reason, OLD.finished_at IS NULL, OLD.satisfied, OLD.first_score, OLD.best_score, OLD.cost_usd, OLD.unpriced, OLD.branched_from_version IS NULL, OLD.experiment_version) IS DISTINCT FROM
    (NEW.status, NEW.success, NEW.convergence_reason, NEW.finished_at IS NULL, NEW.satisfied, NEW.first_score, NEW.best_score, NEW.cost_usd, NEW.unpriced, NEW.branched_from_version IS NULL, NEW.experiment_version))
  EXECUTE FUNCTION uncount_changed_run();

CREATE FUNCTION uncount_deleted_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM uncounted_runs WHERE run_id = OLD.id;
  -- The totals of a deleted experiment go as a whole.
  IF NOT FOUND AND EXISTS (SELECT FROM experiments WHERE id = OLD.experiment_id) THEN
    PERFORM subtract_run(OLD.id);
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER runs_uncount_deleted BEFORE DELETE ON "runs" FOR EACH ROW EXECUTE FUNCTION uncount_deleted_run();

CREATE FUNCTION uncount_measured_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM uncount_run(OLD.run_id);
    RETURN OLD;
  END IF;
  PERFORM uncount_run(NEW.run_id);
  RETURN NEW;
END
$$;
CREATE TRIGGER run_measures_uncount BEFORE INSERT OR DELETE OR UPDATE OF experiment_id, experiment_version, scored_versions, first_score, best_score, last_score, solved_at, evaluations, unscored, issues_named,
  issues_resolved, checks_failing, checks_corrected, checks_passing, checks_introduced, retries_after_fail, repeated_answers
  ON "run_measures" FOR EACH ROW EXECUTE FUNCTION uncount_measured_run();

-- All that is there, at once.
INSERT INTO "uncounted_runs" (run_id, experiment_id) SELECT id, experiment_id FROM "runs" WHERE status IN ('queued', 'running');
INSERT INTO "run_totals" (experiment_id, experiment_version,
  runs, ended, unscored, solved, waiting, under_way, judged, unscorable, ever_satisfactory, first_satisfactory, first_scored, best_scored, unpriced,
  first_scores, best_scores, cost_usd, own_runs, measured, measured_solved, measured_unpriced, evaluations, unscored_evaluations, final_better_of,
  final_better_met, scored_runs, solved_within_2, solved_within_3, ended_by_rule_of, ended_by_rule_met, issues_met, issues_of, issues_clusters,
  issues_met_met, issues_met_of, issues_of_of, corrected_met, corrected_of, corrected_clusters, corrected_met_met, corrected_met_of, corrected_of_of,
  introduced_met, introduced_of, introduced_clusters, introduced_met_met, introduced_met_of, introduced_of_of, repeats_met, repeats_of,
  repeats_clusters, repeats_met_met, repeats_met_of, repeats_of_of, gained, gain, measured_cost_usd)
SELECT experiment_id, experiment_version,
  sum(runs), sum(ended), sum(unscored), sum(solved), sum(waiting), sum(under_way), sum(judged), sum(unscorable), sum(ever_satisfactory),
  sum(first_satisfactory), sum(first_scored), sum(best_scored), sum(unpriced), sum(first_scores), sum(best_scores), sum(cost_usd), sum(own_runs),
  sum(measured), sum(measured_solved), sum(measured_unpriced), sum(evaluations), sum(unscored_evaluations), sum(final_better_of),
  sum(final_better_met), sum(scored_runs), sum(solved_within_2), sum(solved_within_3), sum(ended_by_rule_of), sum(ended_by_rule_met), sum(issues_met),
  sum(issues_of), sum(issues_clusters), sum(issues_met_met), sum(issues_met_of), sum(issues_of_of), sum(corrected_met), sum(corrected_of),
  sum(corrected_clusters), sum(corrected_met_met), sum(corrected_met_of), sum(corrected_of_of), sum(introduced_met), sum(introduced_of),
  sum(introduced_clusters), sum(introduced_met_met), sum(introduced_met_of), sum(introduced_of_of), sum(repeats_met), sum(repeats_of),
  sum(repeats_clusters), sum(repeats_met_met), sum(repeats_met_of), sum(repeats_of_of), sum(gained), sum(gain), sum(measured_cost_usd)
FROM run_amounts() a WHERE NOT EXISTS (SELECT FROM "uncounted_runs" u WHERE u.run_id = a.run_id)
GROUP BY experiment_id, experiment_version;
