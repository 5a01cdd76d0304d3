/** Runs that were not begun with the text of another run. */
export const OWN_RUN = 'r.branched_from_version IS NULL';
/** Runs of which anything was scored: the others say neither that a case was solved nor that it was not. */
export const SCORED_RUN = 'r.best_score IS NOT NULL';
/** Runs that say whether their case was solved: by a score, or by a person who accepted what was not scored. */
export const TELLING_RUN = `(${SCORED_RUN} OR r.success)`;
export const ENDED_RUN = `r.status IN ('finished', 'failed', 'stopped')`;
export const UNFINISHED_RUN = `r.status IN ('queued', 'running', 'waiting')`;
