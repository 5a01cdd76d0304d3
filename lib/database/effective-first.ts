/**
 * SQL: order of the evaluations `e` of a version, the effective one first: the latest full score by a person since the last restored
 * score, otherwise the latest of all. `effectiveEvaluation` of the core decides the same for a loaded history.
 */
export const EFFECTIVE_FIRST = `(e.by = 'person' AND e.status = 'scored' AND NOT EXISTS (
  SELECT 1 FROM decisions d WHERE d.run_id = e.run_id AND d.decision = 'restore' AND d.version = e.version AND d.at > e.created_at)) DESC, e.ordinal DESC`;
