import { fail, type Result } from '#lib/reflection/problem.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { readPythonSwitch } from './python-switch.ts';
import type { Workshop } from './workshop.ts';

/** Why a run of these settings cannot start: without Python one with Python tests could only end unscored. Null when it can. */
export async function refuseWithoutPython(
  workshop: Workshop,
  settings: ExperimentSettings,
): Promise<Result<never> | null> {
  const position = settings.criteria.findIndex(({ evaluator }) => evaluator === 'python_tests');
  if (position === -1 || (await readPythonSwitch(workshop))?.value === true) return null;
  const name = settings.criteria[position]?.name;
  return fail(
    'invalid',
    `The criterion "${name}" runs Python tests, and Python is turned off here. An owner can turn it on under Settings; else take the criterion out.`,
    `criteria.${position}.evaluator`,
  );
}
