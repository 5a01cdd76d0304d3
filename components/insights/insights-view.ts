import { address } from '#components/layout/pager.tsx';
import type { RunReading } from '#lib/statistics/run-readings.ts';

export const INSIGHT_SPANS = [7, 30, 90] as const;

/** Filters of the insights as stored in the URL. `against`: source of the labels the judge is compared with. */
export type InsightsView = {
  experiment: string | null;
  models: 'real' | 'practice' | 'all' | null;
  days: (typeof INSIGHT_SPANS)[number] | null;
  against: 'person' | 'check' | null;
};

const MODELS = ['real', 'practice', 'all'] as const;
const AGAINST = ['person', 'check'] as const;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Parses the URL parameters. Invalid ones are ignored. `of`: an experiment's id, or a group of models. */
export function readInsightsView(param: (name: string) => string | null): InsightsView {
  const of = param('of') ?? param('experiment');
  const days = param('days');
  return {
    experiment: of !== null && ID.test(of) ? of.toLowerCase() : null,
    models: MODELS.find((models) => models === (param('models') ?? of)) ?? null,
    days: INSIGHT_SPANS.find((span) => String(span) === days) ?? null,
    against: AGAINST.find((against) => against === param('against')) ?? null,
  };
}

/** Returns the view as URL parameters. */
export function insightsParams({ experiment, models, days, against }: InsightsView): Record<string, string | null> {
  return { of: experiment ?? models, days: days === null ? null : String(days), against };
}

/** Returns the URL of the runs with this reading, within the filters of the insights. */
export function runsBehind({ experiment, models, days }: InsightsView, reading: RunReading): string {
  return address('/runs', { reading, experiment, models, days: days === null ? null : String(days) });
}
