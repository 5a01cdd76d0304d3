import type { Case } from './case.ts';
import { caseCriteriaProblem } from './case-criteria.ts';
import { fail, type Problem } from './problem.ts';
import type { ExperimentSettings } from './settings.ts';
import { showValue } from './show-value.ts';

type Started = Pick<Case, 'input' | 'criteria'> & { position?: number };

/**
 * Refuses a start over cases of which some have criteria of their own that do not go with the experiment; null where all do. `field` is
 * the one at fault, given the place (from 0) of the first such case and the path in its criteria.
 */
export function refuseCaseCriteria(
  settings: Pick<ExperimentSettings, 'criteria' | 'mode' | 'embeddingModel'>,
  cases: readonly Started[],
  { code, field }: { code: Problem['code']; field: (first: number, path: string) => string | null },
): { ok: false; problem: Problem } | null {
  for (const [place, task] of cases.entries()) {
    const found = caseCriteriaProblem(settings, task);
    if (found === null) continue;
    const path = ['criteria', ...found.path].join('.');
    const input = showValue(task.input.replace(/\s+/g, ' ').trim());
    const named = cases.length === 1 ? `The case ${input}` : `Case ${(task.position ?? place) + 1} (${input})`;
    return fail(
      code,
      `${named}: ${path} ${found.message}. Nothing was started. Change the criteria of the case or of the experiment.`,
      field(place, path),
    );
  }
  return null;
}
