import type { Case } from './case.ts';
import { type CaseCriteria, type CaseCriteriaInput, caseCriteriaSchema } from './case-criteria.ts';
import { criterionPlaceholderProblems } from './placeholder-problems.ts';
import { refuseCaseCriteria } from './refuse-case-criteria.ts';
import type { ExperimentSettings } from './settings.ts';

/** Reads the criteria that a task brings; throws naming the part at fault. */
export function readTaskCriteria(given: CaseCriteriaInput): CaseCriteria {
  const read = caseCriteriaSchema.safeParse(given);
  if (read.success) {
    for (const [position, criterion] of read.data.add.entries()) {
      const [found] = criterionPlaceholderProblems(criterion);
      if (found === undefined) continue;
      throw new Error(`${['criteria', 'add', position, ...found.path].join('.')}: ${found.message}`);
    }
    return read.data;
  }
  const [issue] = read.error.issues;
  throw new Error(`${['criteria', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'does not fit'}`);
}

/** Throws where the criteria of a task do not go with the settings, or need what an engine does not have. */
export function refuseOwnCriteria(settings: ExperimentSettings, task: Case, evaluates: boolean): void {
  const refusal = refuseCaseCriteria(settings, [task], { code: 'invalid', field: (_place, path) => path });
  if (refusal !== null) throw new Error(refusal.problem.message);
  const added = task.criteria?.add ?? [];
  const human = added.find(({ evaluator }) => evaluator === 'human');
  if (human !== undefined) throw new Error(`criteria: ${human.name} waits for a person, and an engine has none`);
  const [first] = added;
  if (first !== undefined && !evaluates)
    throw new Error(`criteria: ${first.name} (${first.evaluator}) needs "evaluate"`);
}
