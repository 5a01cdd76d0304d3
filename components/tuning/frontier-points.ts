import { formatCount, formatDuration, formatMoney } from '#lib/format.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { type CandidateObjectives, paretoFront } from '#lib/statistics/tuning-objectives.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';

export const AXES = [
  { value: 'costUsd', label: 'Cost per 1,000 cases' },
  { value: 'latencyMs', label: 'Time per case' },
  { value: 'promptTokens', label: 'Prompt length' },
] as const;
export type Axis = (typeof AXES)[number]['value'];

/** A candidate with its position in the chart. */
export type FrontierPoint = {
  version: number;
  score: MeanInterval;
  x: number;
  /** Bounds of the interval of a measured value. Null for the prompt length. */
  xLow: number | null;
  xHigh: number | null;
  isOnFront: boolean;
};

export const AXIS_FORMATS: Record<Axis, (value: number) => string> = {
  costUsd: (value) => formatMoney(1_000 * value),
  latencyMs: formatDuration,
  // Estimated from the characters of the text.
  promptTokens: (value) => `about ${formatCount(value)} tokens`,
};

/** Explains which lines of the chart are intervals. Empty if no score and no value has one. */
export function intervalNote(points: readonly FrontierPoint[]): string {
  const vertical = points.some(({ score }) => score.low !== null);
  const horizontal = points.some(({ xLow, isOnFront }) => isOnFront && xLow !== null);
  if (vertical && horizontal) return 'Vertical and horizontal lines are 95% intervals.';
  if (vertical) return 'Vertical lines are 95% intervals.';
  return horizontal ? 'Horizontal lines are 95% intervals.' : '';
}

/** Returns the candidates with a score and a value on the axis. `isOnFront`: no other candidate scores as high for less. */
export function frontierPoints(
  { versions }: Pick<TuningSummary, 'versions'>,
  candidates: readonly CandidateObjectives[],
  axis: Axis,
): FrontierPoint[] {
  const points = candidates.flatMap(({ version, promptTokens, ...measured }) => {
    const score = versions.find(({ number }) => number === version)?.chosenBy ?? null;
    const measure = axis === 'promptTokens' ? null : measured[axis];
    const x = axis === 'promptTokens' ? promptTokens : (measure?.mean ?? null);
    if (score === null || x === null) return [];
    return [{ version, score, x, xLow: measure?.low ?? null, xHigh: measure?.high ?? null }];
  });
  const front = new Set(paretoFront(points, ({ score, x }) => [score.mean, -x]));
  return points.map((point) => ({ ...point, isOnFront: front.has(point) }));
}
