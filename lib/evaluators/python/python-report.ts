/** One solution and the tests to run on it; both as Python source. `timeoutMs` bounds all of it together. */
export type PythonRequest = { code: string; tests: string; timeoutMs: number };

/** What one test came to. `not_run`: the process ended before its turn. Messages are at most 1,000 characters. */
export type PythonTest = {
  name: string;
  isHidden: boolean;
  outcome: 'passed' | 'failed' | 'skipped' | 'not_run';
  message: string;
};

/**
 * What running tests came to. `off`: the owner has not turned Python on. `unavailable`: no interpreter could be started.
 * `unusable`: the tests themselves can't be run. `problem` of `tested` says what kept tests from running, such as a mistake in
 * the solution; null when all had their turn; `hiddenProblem` is one that hidden tests met, for people only.
 */
export type PythonReport =
  | { type: 'off' }
  | { type: 'unavailable'; problem: string }
  | { type: 'unusable'; problem: string }
  | { type: 'tested'; tests: PythonTest[]; problem: string | null; hiddenProblem: string | null; durationMs: number };

/** Runs Python tests shut off from everything. Never rejects. */
export type PythonRunner = (request: PythonRequest) => Promise<PythonReport>;
