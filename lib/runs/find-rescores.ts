import type { History } from '#lib/core/history.ts';
import { overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { type RescoreReport, reportRescores } from '#lib/statistics/rescore-report.ts';
import { listRescores } from './rescores.ts';
import { withoutPeople } from './without-people.ts';

/**
 * How the re-scores of a run's versions spread, one report for each version that has any, in the order of the
 * versions. What only people score is left out of both sides.
 */
export async function findRescores(
  database: Database,
  { run, history, settings }: { run: { id: string }; history: History; settings: ExperimentSettings },
): Promise<RescoreReport[]> {
  const judged = withoutPeople(settings);
  const rescores = await listRescores(database, run.id);
  const versions = [...new Set(rescores.map(({ version }) => version))].sort((one, other) => one - other);
  return versions.map((version) => {
    const own = history.evaluations.filter((one) => one.version === version && one.by === 'machine');
    const first = own.find(({ status }) => status === 'scored') ?? own.at(-1) ?? null;
    return reportRescores(
      version,
      rescores.filter((rescore) => rescore.version === version),
      first && { ...first, overallScore: overallOf(judged, first.criteriaScores) },
      judged.criteria.map(({ name }) => name),
    );
  });
}
