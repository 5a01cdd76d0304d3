import { formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import type { RunReading, Target, TargetReading } from '#lib/statistics/read-target.ts';

/** What a target is called, what it counts, and what the runs behind it are. */
export type TargetLabel = { title: string; of: string; unit: string; unitOne: string };

const WORDS: Record<Target, TargetLabel> = {
  final_better: {
    title: 'Final better than first',
    of: 'of runs with two scored versions',
    unit: 'runs',
    unitOne: 'run',
  },
  within_three: {
    title: 'Satisfactory within 3 iterations',
    of: 'of ended runs with a score',
    unit: 'runs',
    unitOne: 'run',
  },
  issues_resolved: {
    title: 'Issues resolved in the next version',
    of: 'of issues a version named; reworded issues stay open',
    unit: 'issues',
    unitOne: 'issue',
  },
  scored_alike: {
    title: 'Same output scored alike',
    of: 're-scores within 0.1',
    unit: 're-scores',
    unitOne: 're-score',
  },
  ended_by_rule: {
    title: 'Stopped by quality or an early rule',
    of: 'of runs that a rule ended',
    unit: 'runs',
    unitOne: 'run',
  },
};

/** The words of a target; that of re-scores says of how many outputs. */
export function targetLabel(target: Target, { rescores }: Pick<InsightsReport, 'rescores'>): TargetLabel {
  const words = WORDS[target];
  if (target !== 'scored_alike' || rescores.outputs === 0) return words;
  return { ...words, of: `re-scores of ${formatNumberOf(rescores.outputs, 'output')}, within 0.1` };
}

/** What makes the verdict so, for a person; of re-scores how far the furthest lies. */
export function targetBecause(reading: TargetReading, { rescores }: Pick<InsightsReport, 'rescores'>): string {
  if (reading.target !== 'scored_alike' || rescores.largestDistance === null) return reading.because;
  return `${reading.verdict === 'missed' ? `${reading.because}, ` : ''}largest distance ${formatScore(rescores.largestDistance)}`;
}

/** The runs behind a target: those that miss it, or those that meet it where none does. */
export function readingBehind({ target, met, of }: TargetReading): RunReading {
  return `${target}.${met < of ? 'missed' : 'met'}`;
}

/** `78 of 92 runs`. */
export function targetCount({ met, of }: TargetReading): string {
  return `${formatCount(met)} of ${formatCount(of)}`;
}
