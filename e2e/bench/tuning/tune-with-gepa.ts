import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Texts } from './simulated-app.ts';

export const GEPA_VERSION = '0.1.4';
const FOLDER = path.resolve(import.meta.dirname, '../../../node_modules/.cache/hone-bench', `gepa-${GEPA_VERSION}`);
const run = promisify(execFile);

const madeSchema = z.object({
  landscape: z.string(),
  seed: z.int(),
  elapsedMs: z.number(),
  candidates: z.array(
    z.object({
      texts: z.record(z.string(), z.string()),
      /** Mean score over the validation cases. */
      score: z.number(),
      /** Metric calls until the candidate was validated. */
      metricCalls: z.int(),
    }),
  ),
});
export type MadeByGepa = z.infer<typeof madeSchema>;

/** Returns the Python with gepa, installed on first use, or the reason why it is unavailable. */
export async function findGepa(): Promise<{ python: string } | string> {
  const python = path.join(FOLDER, 'bin/python');
  if (existsSync(path.join(FOLDER, 'installed'))) return { python };
  try {
    mkdirSync(path.dirname(FOLDER), { recursive: true });
    await run('python3', ['-m', 'venv', '--clear', FOLDER]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `gepa==${GEPA_VERSION}`]);
    await run('touch', [path.join(FOLDER, 'installed')]);
    return { python };
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return `gepa ${GEPA_VERSION} could not be installed with python3 and pip: ${line}`;
  }
}

/** Overrides of the arguments of `gepa.optimize`. */
export type GepaChanges = Record<string, unknown>;

type Options = {
  base: string;
  tool: string;
  latencyMs: number;
  landscapes: string[];
  seeds: number[];
  changes: GepaChanges;
};

/** Tunes with gepa in one process, one seed at a time. */
export async function tuneWithGepa(python: string, options: Options): Promise<MadeByGepa[]> {
  const child = spawn(python, [path.join(import.meta.dirname, 'run_gepa.py'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const made: MadeByGepa[] = [];
  for await (const line of createInterface({ input: child.stdout })) made.push(madeSchema.parse(JSON.parse(line)));
  const code = await ended;
  if (code !== 0) throw new Error(`run_gepa.py ended with ${code}`);
  return made;
}

/** Returns gepa's result: the first candidate with the highest mean among those validated within the metric calls. */
export function bestOf({ candidates }: MadeByGepa, within: number): Texts {
  const [first, ...others] = candidates.filter(({ metricCalls }) => metricCalls <= within);
  if (first === undefined) throw new Error('gepa has no candidate');
  return others.reduce((best, one) => (one.score > best.score ? one : best), first).texts;
}
