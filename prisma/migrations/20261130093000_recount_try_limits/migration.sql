-- The last migration also counts runs that ended at their limit of tries. Corrects the totals that were counted before it.
-- No process of the earlier version may change or merge totals at the same time.
LOCK TABLE "run_totals" IN SHARE ROW EXCLUSIVE MODE;
UPDATE "run_totals" t SET ended_by_rule_of = t.ended_by_rule_of + c.missing
FROM (
  SELECT a.experiment_id, a.experiment_version,
    sum(a.ended_by_rule_of) - (SELECT sum(k.ended_by_rule_of) FROM "run_totals" k
      WHERE k.experiment_id = a.experiment_id AND k.experiment_version = a.experiment_version) AS missing,
    (SELECT min(k.id) FROM "run_totals" k
      WHERE k.experiment_id = a.experiment_id AND k.experiment_version = a.experiment_version) AS id
  FROM run_amounts() a
  WHERE (a.experiment_id, a.experiment_version) IN
      (SELECT r.experiment_id, r.experiment_version FROM "runs" r WHERE r.convergence_reason = 'try_limit')
    AND NOT EXISTS (SELECT FROM "uncounted_runs" u WHERE u.run_id = a.run_id)
  GROUP BY a.experiment_id, a.experiment_version) c
WHERE t.id = c.id;
