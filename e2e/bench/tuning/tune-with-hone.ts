import { setTimeout as sleep } from 'node:timers/promises';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { runSchema, runsSchema } from '#lib/api/runs-schema.ts';
import type { Split } from '#lib/core/history.ts';
import { withTuned } from '#lib/core/targets/component-texts.ts';
import { targetViewSchema } from '#lib/targets/schema.ts';
import type { Api } from '../../api/open-api.ts';
import { createProvider } from '../../create-provider.ts';
import type { Landscape } from './landscapes.ts';
import { type SimulatedApp, simulatedApp, type Texts } from './simulated-app.ts';

export type MadeByHone = {
  landscape: string;
  seed: number;
  texts: Texts;
  reason: string | null;
  /** null if the simulated server counted the calls. */
  counts: { metricCalls: number; reflections: number } | null;
};

/** Overrides of the `tune` settings of the benchmark. */
export type TuneChanges = Record<string, unknown>;

/** Returns the settings of a run that tunes the app of a seed. */
export function tuningSettings({ landscape, seed, start }: SimulatedApp, tool: string, tune: TuneChanges) {
  const tuned = Object.keys(start);
  return {
    mode: 'tune' as const,
    generator: { provider: tool, model: 'none', target: { name: targetOf(tool, landscape), components: start, tuned } },
    reflectionModel: { provider: tool, model: `${landscape.name}:${seed}` },
    criteria: [{ name: 'score', evaluator: 'target' as const, config: {} }],
    qualityThreshold: 1,
    maxIterations: 50,
    convergence: null,
    lessons: { store: 'none' as const, write: 'off' as const },
    tune: { validationShare: 0, heldOutShare: 0, maxTries: landscape.metricCalls, seed, ...tune },
  };
}

/** Returns the cases of a run. Their metadata identifies ticket and seed for the app. */
export function tuningCases({ tickets, seed }: SimulatedApp, splits: readonly Split[]) {
  const used = tickets.filter(({ split }) => splits.includes(split));
  return used.map(({ id, split, input }) => ({
    ...{ input, reference: null, tags: [split] },
    metadata: { ticket: id, seed },
  }));
}

/** Splits that a tool may use. True held-out scores are known to the benchmark only. */
export const OPEN_SPLITS: readonly Split[] = ['train', 'validation'];

/** Returns the texts of an app for the output of a version. */
export function textsOf({ start }: SimulatedApp, output: string): Texts {
  const tuned = Object.keys(start);
  return withTuned({ name: '', components: start, tuned }, output).components;
}

type Options = {
  base: string;
  tool: string;
  latencyMs: number;
  landscapes: Landscape[];
  seeds: number[];
  tune: TuneChanges;
};

/** Tunes over the API of a running Hone. Starts all runs, then waits until they end. */
export async function tuneWithHone(api: Api, { base, tool, latencyMs, landscapes, seeds, tune }: Options) {
  await createProvider(api, { name: tool, baseUrl: `${base}/model/${tool}/${latencyMs}/v1` });
  const started: { app: SimulatedApp; runId: string }[] = [];
  for (const landscape of landscapes) {
    const url = `${base}/app/${tool}/${latencyMs}/${landscape.name}`;
    await api.read(targetViewSchema, 'PUT', `/api/v1/targets/${targetOf(tool, landscape)}`, { kind: 'http', url });
    for (const seed of seeds) started.push(await startRun(api, simulatedApp(landscape, seed), tool, tune));
  }
  await settled(api);
  const made: MadeByHone[] = [];
  for (const { app, runId } of started) {
    const run = await api.read(runSchema, 'GET', `/api/v1/runs/${runId}`);
    const best = run.versions.find(({ number }) => number === run.bestVersion);
    if (best === undefined) throw new Error(`the run ${runId} has no best version: ${JSON.stringify(run.failure)}`);
    made.push({
      ...{ landscape: app.landscape.name, seed: app.seed, reason: run.convergenceReason },
      texts: textsOf(app, best.output),
      counts: null,
    });
  }
  return made;
}

async function startRun(api: Api, app: SimulatedApp, tool: string, tune: TuneChanges) {
  const name = `${tool} ${app.landscape.name} ${app.seed}`;
  const experimentId = await api.createExperiment({ ...tuningSettings(app, tool, tune), name });
  const cases = tuningCases(app, OPEN_SPLITS);
  const { runIds } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases });
  return { app, runId: runIds[0] ?? '' };
}

async function settled(api: Api): Promise<void> {
  for (const status of ['queued', 'running'] as const) {
    while ((await api.read(runsSchema, 'GET', `/api/v1/runs?status=${status}&limit=1`)).items.length > 0)
      await sleep(25);
  }
}

function targetOf(tool: string, { name }: Landscape): string {
  return `${tool}-${name}`;
}
