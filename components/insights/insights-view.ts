import { address } from '#components/layout/pager.tsx';
import type { RunReading } from '#lib/statistics/run-readings.ts';

export const INSIGHT_SPANS = [7, 30, 90] as const;

/** Which runs the insights are of, as their address says. `against`: whose word the judge is held against. */
export type InsightsView = {
  experiment: string | null;
  models: 'real' | 'practice' | 'all' | null;
  days: (typeof INSIGHT_SPANS)[number] | null;
  against: 'person' | 'check' | null;
};

const MODELS = ['real', 'practice', 'all'] as const;
const AGAINST = ['person', 'check'] as const;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads the address; what it does not understand is as if it were not there. `of` is an experiment's id, or whose models. */
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

/** The same as parameters of an address. */
export function insightsParams({ experiment, models, days, against }: InsightsView): Record<string, string | null> {
  return { of: experiment ?? models, days: days === null ? null : String(days), against };
}

/** The list of the runs that read so, of those that the insights are of. */
export function runsBehind({ experiment, models, days }: InsightsView, reading: RunReading): string {
  return address('/runs', { reading, experiment, models, days: days === null ? null : String(days) });
}
