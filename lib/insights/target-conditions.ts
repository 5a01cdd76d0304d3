import type { StopReason } from '#lib/core/history.ts';
import { CAP_STOPS, EARLY_STOPS } from '#lib/statistics/ended-by-rule.ts';
import type { Target } from '#lib/statistics/run-readings.ts';

/** Numbers that are rounded to 6 decimals elsewhere: what differs by less is the same. */
const MORE = '0.0000005';

/**
 * Whether a run counts for a target, and whether it meets it: `r` = runs, `m` = its row of run_measures, `a` has `within`, the number of
 * the last version that is still within three iterations. The target of re-scores is not one of runs alone.
 */
export const TARGET_CONDITIONS: Record<Exclude<Target, 'scored_alike'>, { counts: string; met: string }> = {
  final_better: { counts: 'm.scored_versions >= 2', met: `m.last_score - m.first_score > ${MORE}` },
  // A run of which nothing was scored, as where a provider refuses the key, says nothing of quality.
  within_three: { counts: 'm.scored_versions >= 1', met: 'm.solved_at <= a.within' },
  issues_resolved: { counts: 'm.issues_named > 0', met: 'm.issues_resolved = m.issues_named' },
  ended_by_rule: {
    // Neither good enough nor of no use: no rule can tell, and a cap that ended it came before anything was judged.
    counts: `m.scored_versions >= 1 AND r.convergence_reason IN (${listed([...EARLY_STOPS, ...CAP_STOPS])})`,
    met: `r.convergence_reason IN (${listed(EARLY_STOPS)})`,
  },
};

function listed(reasons: readonly StopReason[]): string {
  return reasons.map((reason) => `'${reason}'`).join(', ');
}
