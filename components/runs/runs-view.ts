import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import { STOP_REASONS, type StopReason } from '#lib/core/stop-reasons.ts';
import { RUN_READINGS, type RunReading } from '#lib/statistics/run-readings.ts';

/** Filters of the list of runs, as stored in the URL. With a `reading`, only that, the experiment, the models and the days apply. */
export type RunsView = {
  experiment: string | null;
  version: number | null;
  status: RunStatus | null;
  reason: StopReason | null;
  reading: RunReading | null;
  models: 'real' | 'practice' | 'all' | null;
  days: (typeof RUN_DAYS)[number] | null;
  /** A run number, or text to search for. */
  q: string | null;
};

const MODELS = ['real', 'practice', 'all'] as const;
/** Available periods of the list, in days. One day is not available with a reading. */
export const RUN_DAYS = [1, 7, 30, 90] as const;
const MAX_CHARACTERS = 200;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Parses the URL parameters. Invalid ones are ignored. */
export function readRunsView(param: (name: string) => string | null): RunsView {
  const [experiment, version, days] = [param('experiment'), param('version'), param('days')];
  return {
    experiment: experiment !== null && ID.test(experiment) ? experiment.toLowerCase() : null,
    version: version !== null && /^[1-9]\d{0,6}$/.test(version) ? Number(version) : null,
    status: RUN_STATUSES.find((status) => status === param('status')) ?? null,
    reason: STOP_REASONS.find((reason) => reason === param('reason')) ?? null,
    reading: RUN_READINGS.find((reading) => reading === param('reading')) ?? null,
    models: MODELS.find((models) => models === param('models')) ?? null,
    days: RUN_DAYS.find((count) => String(count) === days) ?? null,
    q: param('q')?.trim().slice(0, MAX_CHARACTERS) || null,
  };
}

/** Converts the filters back to URL parameters. */
export function runsParams(view: Partial<RunsView>): Record<string, string | null> {
  const { version, days, ...texts } = view;
  return { ...texts, version: textOf(version), days: textOf(days) };
}

/** True if a filter is set. */
export function isRunsFiltered(view: RunsView): boolean {
  return Object.values(view).some((value) => value !== null);
}

function textOf(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Returns the label of a reading, used as a list title and as a filter option. */
export function readingLabel(reading: RunReading): string {
  return LABELS[reading];
}

const LABELS: Record<RunReading, string> = {
  'final_better.met': 'Final better than first',
  'final_better.missed': 'Final no better than first',
  'within_three.met': 'Satisfactory within 3 iterations',
  'within_three.missed': 'Not satisfactory within 3 iterations',
  'issues_resolved.met': 'Every issue resolved in the next version',
  'issues_resolved.missed': 'An issue not resolved in the next version',
  'scored_alike.met': 'Re-scored within 0.1',
  'scored_alike.missed': 'Re-scored more than 0.1 apart',
  'ended_by_rule.met': 'Stopped by quality or an early rule',
  'ended_by_rule.missed': 'Stopped by the cap or a budget',
  'people.let_through': 'The judge passed what people failed',
  'people.held_back': 'The judge failed what people passed',
  'people.agreed': 'The judge agreed with people',
  'checks.let_through': 'The judge passed what checks failed',
  'checks.held_back': 'The judge failed what checks passed',
  'checks.agreed': 'The judge agreed with checks',
};
