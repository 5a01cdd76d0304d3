import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';

/** A solution and its tests, both as Python source. `timeoutMs` limits the total time. */
export type PythonRequest = { code: string; tests: string; timeoutMs: number };

/** Result of one test. `not_run`: the process ended before the test started. Messages have at most 1,000 characters. */
export type PythonTest = {
  name: string;
  isHidden: boolean;
  outcome: 'passed' | 'failed' | 'skipped' | 'not_run';
  message: string;
};

/**
 * Result of running tests. `off`: the owner has not enabled Python. `unavailable`: no interpreter could be started. `unusable`: the tests
 * themselves are invalid.
 * `problem` of `tested` is the reason why tests could not run, such as a syntax error in the solution, or null. `hiddenProblem` is a
 * problem of hidden tests, for people only.
 */
export type PythonReport =
  | { type: 'off' }
  | { type: 'unavailable'; problem: string }
  | { type: 'unusable'; problem: string }
  | { type: 'tested'; tests: PythonTest[]; problem: string | null; hiddenProblem: string | null; durationMs: number };

/** Runs Python tests in isolation. Never rejects. */
export type PythonRunner = (request: PythonRequest) => Promise<PythonReport>;

const names = z.array(z.string().max(500)).max(10_000);
const message = z.string().transform((text) => text.slice(0, 1_100).toWellFormed());
const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('planned'), visible: names, hidden: names }),
  z.object({ type: z.literal('collected'), names, isHidden: z.boolean() }),
  z.object({ type: z.literal('begun'), name: z.string(), isHidden: z.boolean() }),
  z.object({
    type: z.literal('tested'),
    name: z.string(),
    isHidden: z.boolean(),
    outcome: z.enum(['passed', 'failed', 'skipped']),
    message,
  }),
  z.object({ type: z.literal('not_loaded'), problem: message, isHidden: z.boolean() }),
  z.object({ type: z.literal('unusable'), problem: message }),
  z.object({ type: z.literal('done') }),
]);
type Line = z.infer<typeof lineSchema>;

/** Maximum output length in characters. Hone's own process never writes more. */
const MAX_TRANSCRIPT_LENGTH = 4_000_000;

/** Parses the output of an interpreter while it runs tests. Results read so far remain valid if it is stopped. */
export class PythonTranscript {
  isDone = false;
  #rest = '';
  #length = 0;
  #tests: PythonTest[] = [];
  #running: PythonTest | null = null;
  #problem: string | null = null;
  #hiddenProblem: string | null = null;
  #unusable: string | null = null;

  /** Adds a chunk of output. Returns true if it was the last. */
  read(chunk: Buffer): boolean {
    this.#length += chunk.length;
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = lineSchema.safeParse(parseJson(line));
      if (parsed.success) this.#take(parsed.data);
    }
    return this.isDone || this.#length > MAX_TRANSCRIPT_LENGTH;
  }

  report(ending: 'done' | 'out_of_time' | 'broken', limits: { durationMs: number; timeoutMs: number }): PythonReport {
    if (this.#unusable !== null) return { type: 'unusable', problem: this.#unusable };
    const stopped = stoppedLabel(ending, limits.timeoutMs);
    if (stopped !== null && this.#running !== null)
      Object.assign(this.#running, { outcome: 'failed', message: stopped });
    const problem = this.#problem ?? (this.#running === null ? stopped : null);
    return {
      type: 'tested',
      tests: this.#tests,
      problem,
      hiddenProblem: this.#hiddenProblem,
      durationMs: limits.durationMs,
    };
  }

  #take(line: Line): void {
    switch (line.type) {
      case 'planned':
        this.#tests = [...line.visible.map(notRun(false)), ...line.hidden.map(notRun(true))];
        return;
      case 'collected':
        // The actual tests. Classes may inherit some.
        this.#tests = [
          ...this.#tests.filter(({ isHidden }) => isHidden !== line.isHidden),
          ...line.names.map(notRun(line.isHidden)),
        ];
        return;
      case 'begun':
        this.#running =
          this.#tests.find(({ name, isHidden }) => name === line.name && isHidden === line.isHidden) ?? null;
        return;
      case 'tested': {
        const { outcome } = line;
        if (this.#running !== null) Object.assign(this.#running, { outcome, message: line.message });
        this.#running = null;
        return;
      }
      case 'not_loaded':
        this.#problem = line.isHidden ? null : line.problem;
        this.#hiddenProblem = line.isHidden ? line.problem : null;
        return;
      case 'unusable':
        this.#unusable = line.problem;
        return;
      case 'done':
        this.isDone = true;
    }
  }
}

function notRun(isHidden: boolean) {
  return (name: string): PythonTest => ({ name, isHidden, outcome: 'not_run', message: '' });
}

function stoppedLabel(ending: 'done' | 'out_of_time' | 'broken', timeoutMs: number): string | null {
  const texts: Record<typeof ending, string | null> = {
    done: null,
    out_of_time: `it did not finish within ${timeoutMs / 1_000} s`,
    broken: 'it crashed the interpreter',
  };
  return texts[ending];
}
