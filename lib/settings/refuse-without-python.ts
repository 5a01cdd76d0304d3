import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { runsPython } from '#lib/core/criterion.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { getPythonSetting } from './python-setting.ts';

/** Why a run of these settings over these cases cannot start: without Python one with Python tests could only end unscored. Null when it can. */
export async function refuseWithoutPython(
  context: AppContext,
  settings: ExperimentSettings,
  cases: readonly Pick<Case, 'criteria'>[] = [],
): Promise<Result<never> | null> {
  const position = settings.criteria.findIndex(runsPython);
  const ofCase = cases.flatMap(({ criteria }) => criteria?.add.find(runsPython) ?? [])[0];
  if ((position === -1 && ofCase === undefined) || (await getPythonSetting(context))?.value === true) return null;
  const name = (settings.criteria[position] ?? ofCase)?.name;
  return fail(
    'invalid',
    `The criterion "${name}" runs Python tests, and Python is turned off here. An owner can turn it on under Settings; else take the criterion out.`,
    position === -1 ? null : `criteria.${position}.evaluator`,
  );
}
