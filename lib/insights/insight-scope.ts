import type { Database } from '#lib/database/database.ts';
import { type InsightArm, listInsightArms } from './insight-arms.ts';
import type { ArmsInTime } from './insight-scope-query.ts';

/** Spans of days, up to now, that insights can be asked for. */
export const INSIGHT_DAYS = [7, 30, 90] as const;
export const INSIGHT_MODELS = ['real', 'practice', 'all'] as const;

/** Which experiments insights are asked for. `models` null: real ones where any of them was scored, so that practice data never mixes in unasked. */
export type InsightFilter = {
  experimentId: string | null;
  models: (typeof INSIGHT_MODELS)[number] | null;
  days: (typeof INSIGHT_DAYS)[number] | null;
};

/** What a filter comes to: its arms, and all that could be chosen. */
export type InsightScope = ArmsInTime & { choices: InsightArm[]; models: (typeof INSIGHT_MODELS)[number] };

/** Finds the arms that a filter means. One experiment is taken whatever its models are. */
export async function insightScope(
  database: Pick<Database, 'pool'>,
  { experimentId, models: asked, days }: InsightFilter,
  now: Date,
): Promise<InsightScope> {
  const choices = await listInsightArms(database);
  const models = asked ?? (choices.some(({ practice, scored }) => !practice && scored) ? 'real' : 'practice');
  return {
    choices,
    models,
    arms: choices.filter((arm) =>
      experimentId === null
        ? models === 'all' || arm.practice === (models === 'practice')
        : arm.experimentId === experimentId,
    ),
    since: days === null ? null : new Date(now.getTime() - days * 86_400_000),
  };
}
