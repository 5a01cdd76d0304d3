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

/** A candidate at its place in the chart. */
export type FrontierPoint = {
  version: number;
  score: MeanInterval;
  x: number;
  /** Of measured values; null for the length of a prompt. */
  xLow: number | null;
  xHigh: number | null;
  isOnFront: boolean;
};

export const AXIS_FORMATS: Record<Axis, (value: number) => string> = {
  costUsd: (value) => formatMoney(1_000 * value),
  latencyMs: formatDuration,
  promptTokens: (value) => `${formatCount(Math.round(value))} tokens`,
};

/** The candidates that have a score and a value on the axis, and whether another one scores as high for less. */
export function frontierPoints(
  { versions }: Pick<TuningSummary, 'versions'>,
  candidates: readonly CandidateObjectives[],
  axis: Axis,
): FrontierPoint[] {
  const points = candidates.flatMap(({ version, promptTokens, ...measured }) => {
    const score = versions.find(({ number }) => number === version)?.chosenBy ?? null;
    const taken = axis === 'promptTokens' ? null : measured[axis];
    const x = axis === 'promptTokens' ? promptTokens : (taken?.mean ?? null);
    if (score === null || x === null) return [];
    return [{ version, score, x, xLow: taken?.low ?? null, xHigh: taken?.high ?? null }];
  });
  const front = new Set(paretoFront(points, ({ score, x }) => [score.mean, -x]));
  return points.map((point) => ({ ...point, isOnFront: front.has(point) }));
}
