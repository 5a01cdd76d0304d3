import type { AppContext } from '#lib/context/app-context.ts';
import { onShutdown } from '#lib/context/shutdown-hooks.ts';
import { openPython, type Python } from '#lib/evaluators/python/open-python.ts';
import type { PythonRunner } from '#lib/evaluators/python/python-report.ts';
import { getPythonSetting } from './python-setting.ts';

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
