import type { BatchReport } from './batch-report.ts';

/** What a report needs of each run: its first and best score (null = unscored) and whether each version was satisfactory. */
export type RunOutcome = {
  ended: boolean;
  stopReason: string | null;
  satisfactory: boolean[];
  firstScore: number | null;
  bestScore: number | null;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  unpriced: boolean;
};

/**
 * Sums a batch up. The curves have one point a version, as far as the longest run got; a run that ended early counts on with
 * what it ended with. Means leave unscored runs out and say how many counted.
 */
export function reportBatch(runs: RunOutcome[]): BatchReport {
  const length = Math.max(0, ...runs.map((run) => run.satisfactory.length));
  const positions = Array.from({ length }, (_, position) => position);
  const solved = (run: RunOutcome, position: number) => run.satisfactory.slice(0, position + 1).includes(true);
  const current = (run: RunOutcome, position: number) =>
    run.satisfactory[Math.min(position, run.satisfactory.length - 1)] ?? false;
  const input = sum(runs.map((run) => run.inputTokens));
  const output = sum(runs.map((run) => run.outputTokens));
  return {
    total: runs.length,
    ended: runs.filter((run) => run.ended).length,
    solved: runs.filter((run) => run.satisfactory.includes(true)).length,
    solvedByIteration: positions.map((position) => runs.filter((run) => solved(run, position)).length),
    currentByIteration: positions.map((position) => runs.filter((run) => current(run, position)).length),
    stopReasons: counted(runs.flatMap((run) => (run.stopReason === null ? [] : [run.stopReason]))),
    tokenUsage: { input, output, total: input + output },
    costUsd: sum(runs.map((run) => run.costUsd)),
    unpriced: runs.some((run) => run.unpriced),
    firstScore: meanOf(runs.map((run) => run.firstScore)),
    bestScore: meanOf(runs.map((run) => run.bestScore)),
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function meanOf(values: (number | null)[]): { mean: number; n: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { mean: sum(known) / known.length, n: known.length };
}

function counted(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
