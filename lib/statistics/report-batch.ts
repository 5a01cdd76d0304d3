import type { BatchReport } from './batch-report.ts';
import { wilsonInterval } from './intervals.ts';
import { endedByRule } from './read-target.ts';
import { clusteredShare } from './shares.ts';

/**
 * Values of each run that a report needs: its first and best score (null = unscored), and for each version, true if it was satisfactory.
 */
export type RunOutcome = {
  /** Equal for runs of the same case, which are correlated. */
  caseKey: string;
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
 * Returns the report of a batch. The curves have one point per version, up to the longest run. A run that ended early keeps its final
 * state. A run without any score or verdict is left out, however it ended. Means leave out unscored runs and include the number of counted
 * ones.
 */
export function reportBatch(runs: RunOutcome[]): BatchReport {
  const telling = runs.filter(hasKnownOutcome);
  const length = Math.max(0, ...telling.map((run) => run.satisfactory.length));
  const positions = Array.from({ length }, (_, position) => position);
  const solved = (run: RunOutcome, position: number) => run.satisfactory.slice(0, position + 1).includes(true);
  const ever = (run: RunOutcome) => run.satisfactory.includes(true);
  const current = (run: RunOutcome, position: number) =>
    run.satisfactory[Math.min(position, run.satisfactory.length - 1)] ?? false;
  const input = sum(runs.map((run) => run.inputTokens));
  const output = sum(runs.map((run) => run.outputTokens));
  const cases = new Set(runs.map((run) => run.caseKey)).size;
  // Skips grouping if every run has its own case, because grouping is most of the work for a large batch.
  const isApart = cases === runs.length;
  const solveCurve = positions.flatMap((version) => {
    const [everBy, currentAt] = [
      solvedBy(telling, isApart, (run) => solved(run, version)),
      solvedBy(telling, isApart, (run) => current(run, version)),
    ];
    return everBy === null || currentAt === null
      ? []
      : [{ version, n: telling.length, ever: everBy, current: currentAt }];
  });
  return {
    total: runs.length,
    cases,
    ended: runs.filter((run) => run.ended).length,
    unscored: runs.filter((run) => run.ended && !hasKnownOutcome(run)).length,
    solved: runs.filter(ever).length,
    solvedShare: solvedOf(
      telling.filter((run) => run.ended),
      isApart,
      ever,
    ),
    solvedByIteration: solveCurve.map((point) => point.ever.solved),
    currentByIteration: solveCurve.map((point) => point.current.solved),
    solveCurve,
    stopReasons: stopReasonsOf(runs),
    endedByRule: endedByRule(stopReasonsOf(telling)),
    tokenUsage: { input, output, total: input + output },
    costUsd: sum(runs.map((run) => run.costUsd)),
    unpriced: runs.some((run) => run.unpriced),
    firstScore: meanOf(runs.map((run) => run.firstScore)),
    bestScore: meanOf(runs.map((run) => run.bestScore)),
  };
}

/** Returns true if anything of the run was judged. Otherwise it is unknown if its case was solved. */
function hasKnownOutcome({ firstScore, bestScore, satisfactory }: RunOutcome): boolean {
  return firstScore !== null || bestScore !== null || satisfactory.includes(true);
}

function solvedOf(runs: RunOutcome[], isApart: boolean, isSolved: (run: RunOutcome) => boolean) {
  const solved = solvedBy(runs, isApart, isSolved);
  return solved === null ? null : { ...solved, n: runs.length };
}

function solvedBy(runs: RunOutcome[], isApart: boolean, isSolved: (run: RunOutcome) => boolean) {
  const share = shareOf(runs, isApart, isSolved);
  return share === null ? null : { solved: runs.filter(isSolved).length, ...share };
}

/** Returns the share of runs that meet a condition. Runs of one case are correlated. */
function shareOf(runs: RunOutcome[], isApart: boolean, holds: (run: RunOutcome) => boolean) {
  if (isApart) return wilsonInterval(runs.filter(holds).length, runs.length);
  const clusters = new Map<string, { successes: number; runs: number }>();
  for (const run of runs) {
    const cluster = clusters.get(run.caseKey) ?? { successes: 0, runs: 0 };
    cluster.runs++;
    if (holds(run)) cluster.successes++;
    clusters.set(run.caseKey, cluster);
  }
  return clusteredShare([...clusters.values()]);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function meanOf(values: (number | null)[]): { mean: number; n: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { mean: sum(known) / known.length, n: known.length };
}

function stopReasonsOf(runs: readonly RunOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { stopReason } of runs) if (stopReason !== null) counts[stopReason] = (counts[stopReason] ?? 0) + 1;
  return counts;
}
