/** Runs that were not begun with the text of another run. */
export const OWN_RUN = 'r.branched_from_version IS NULL';
/** Runs of which anything was scored: the others say neither that a case was solved nor that it was not. */
export const SCORED_RUN = 'r.best_score IS NOT NULL';
/** Runs that say whether their case was solved: by a score, or by a person who accepted what was not scored. */
export const TELLING_RUN = `(${SCORED_RUN} OR r.success)`;
export const ENDED_RUN = `r.status IN ('finished', 'failed', 'stopped')`;
export const UNFINISHED_RUN = `r.status IN ('queued', 'running', 'waiting')`;

/** Of the arm that is version `v` of experiment `x`: another text once any of its ended runs has changed. Read from one index alone. */
export const ARM_STAMP = `SELECT concat_ws(' ', count(*), sum(m.revision), bit_xor(m.revision)) FROM run_measures m
  WHERE m.experiment_id = x.id AND m.experiment_version = v.version`;
