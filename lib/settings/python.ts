import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import type { Case } from '#lib/core/case.ts';
import { runsPython } from '#lib/core/criterion.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { openPython, type Python } from '#lib/evaluators/python/open-python.ts';
import type { PythonRunner } from '#lib/evaluators/python/python-report.ts';
import { findSetting, type InstallationSetting, PYTHON_SETTING, updateSwitch } from './installation-settings.ts';

/** Returns the Python tests setting, or null if it was never set, which means off. */
export function getPythonSetting(context: AppContext): Promise<InstallationSetting<boolean> | null> {
  return findSetting(context.database, PYTHON_SETTING);
}

/** Turns Python tests on or off for the whole installation: `{on}`. Runs being performed apply it from their next evaluation. */
export function updatePythonSetting(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ on: boolean }>> {
  return updateSwitch(context, actor, { ...PYTHON_SETTING, name: 'Python tests' }, input);
}

/**
 * Returns the reason a run with these settings and cases cannot start, or null. With Python turned off, a run with Python tests could only
 * end unscored.
 */
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
    `The criterion "${name}" runs Python tests, but Python is turned off. Ask an owner to turn it on under Settings, or remove the criterion.`,
    position === -1 ? null : `criteria.${position}.evaluator`,
  );
}

declare global {
  // Global, because routes and the worker load separate module instances but share the prepared interpreter.
  var honePython: Python | undefined;
}

/** Returns a runner for Python tests that only works while an owner has turned them on. The setting is read for each request. */
export function pythonRunner(context: AppContext): PythonRunner {
  return async (request) => {
    const setting = await getPythonSetting(context);
    if (setting?.value !== true) return { type: 'off' };
    return sharedPython().run(request);
  };
}

function sharedPython(): Python {
  if (globalThis.honePython === undefined) {
    const python = openPython();
    globalThis.honePython = python;
    onShutdown(() => {
      globalThis.honePython = undefined;
      python.close();
    });
  }
  return globalThis.honePython;
}
