import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import type { ListedArmCase } from './arm-cases.ts';
import type { ArmRun } from './arm-runs.ts';
import { type ArmCaseChange, armCaseChange, type CaseChangeKind } from './case-change.ts';
import type { ComparedCaseRow } from './comparison-view.ts';

/** A case on every arm, the baseline first: null where an arm did not run it. `changes` are those of each arm against the baseline. */
export type ChangedCase = {
  caseKey: string;
  arms: (ListedArmCase | null)[];
  changes: ArmCaseChange[];
};

/** All cases that any arm ran, paired by their keys: the baseline's in its order, then what only others ran. */
export function changedCases(lists: readonly (readonly ListedArmCase[])[], metric: ComparedMetric): ChangedCase[] {
  const byKey = lists.map((cases) => new Map(cases.map((one) => [one.caseKey, one])));
  const keys = new Set(lists.flatMap((cases) => cases.map(({ caseKey }) => caseKey)));
  return [...keys].map((caseKey) => {
    const arms = byKey.map((cases) => cases.get(caseKey) ?? null);
    const baseline = arms[0] ?? null;
    return {
      caseKey,
      arms,
      changes: arms.map((arm) => armCaseChange(baseline, arm, metric)),
    };
  });
}

/** The cases on which the arm at `place` came out so, those that changed most first. */
export function casesThat(cases: readonly ChangedCase[], place: number, kind: CaseChangeKind): ChangedCase[] {
  const size = ({ changes }: ChangedCase) => Math.abs(changes[place]?.by ?? 0);
  return cases.filter(({ changes }) => changes[place]?.kind === kind).sort((one, other) => size(other) - size(one));
}

/** Cases as they are listed, with the first run of each arm; `runs` by arm, of these cases. */
export function caseRows(cases: readonly ChangedCase[], runs: readonly (readonly ArmRun[])[]): ComparedCaseRow[] {
  const firsts = runs.map((ofArm) => new Map(ofArm.toReversed().map((run) => [run.caseKey, run])));
  return cases.map(({ caseKey, arms, changes }) => ({
    caseKey,
    // Runs of one case have one input.
    title: firsts.find((ofArm) => ofArm.has(caseKey))?.get(caseKey)?.title ?? '',
    changes,
    arms: arms.map((arm, place) => {
      if (arm === null) return null;
      const first = firsts[place]?.get(caseKey);
      return {
        runs: arm.runs,
        judged: arm.judged,
        solved: arm.solved,
        score: arm.score,
        runId: first?.id ?? null,
        scores: first?.scores ?? [],
      };
    }),
  }));
}
