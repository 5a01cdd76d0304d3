import type { Case } from '#lib/core/case.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { splitCases, splitProblem } from '#lib/experiments/split-cases.ts';

/** A tuning run as it would be made: what stands for its task in lists, and its cases with what each is for. */
export type PlannedTuning = { case: Case; cases: TuningCase[] };

/** Splits the cases a prompt is to be tuned on; refused where there are too many, or none is left to learn from. */
export function planTuningRun(
  { tune }: Pick<ExperimentSettings, 'tune'>,
  cases: readonly Case[],
  datasetName: string | null,
): Result<PlannedTuning> {
  const split = splitCases(cases, tune);
  const problem = splitProblem(split);
  if (problem !== null) return fail('invalid', problem, datasetName === null ? 'cases' : 'datasetId');
  return succeed({ case: taskOf(split.length, datasetName), cases: split });
}

function taskOf(count: number, datasetName: string | null): Case {
  const counted = `${count.toLocaleString('en')} ${count === 1 ? 'case' : 'cases'}`;
  const input = datasetName === null ? counted : `${counted} of ${datasetName}`;
  return { input, reference: null, tags: [], metadata: {} };
}
