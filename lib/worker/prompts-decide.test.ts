import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { type ScriptedServer, startScriptedServer } from '#lib/testing/scripted-server.test-support.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { answerByWords } from './prompts-decide.test-support.ts';

const db = useTestDatabase();
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer([answerByWords]);
});
afterAll(() => server.close());

type Models = { writer?: string; judge?: string; critic?: string };
type Base = ExperimentSettingsInput['generator']['base'];
type Changes = Partial<Omit<ExperimentSettingsInput, 'generator'>> & Models & { instructions?: string; base?: Base };

/** A part of a prompt, with the settings of a run that includes it and of one that does not. `scores` are the best scores of both. */
type Row = {
  name: string;
  mode: 'revise' | 'retry' | 'tune';
  common: Changes;
  present: Changes;
  absent: Changes;
  scores: [present: number, absent: number];
};

const SYSTEM = { instructions: 'Sign every text with KEY-SYS.' };
const NO_SYSTEM = { instructions: '' };

/** A criterion that requires some words. `says` is JavaScript for additional result fields, computed from the `missing` words. */
function wants(words: string[], says = '{}'): Pick<Changes, 'criteria'> {
  const code = `function evaluate({ output }) {
    const missing = ${JSON.stringify(words)}.filter((word) => !output.includes(word));
    return { score: 1 - missing.length / ${words.length}, ...(${says}) };
  }`;
  return {
    criteria: [{ name: 'words', description: 'it is complete', evaluator: 'function', threshold: 0, config: { code } }],
  };
}

/** A judge criterion with its requirement in the rubric. */
function judged(rubric: string): Pick<Changes, 'criteria'> {
  return { criteria: [{ name: 'words', evaluator: 'llm', threshold: 0, config: { rubric } }] };
}

const NAMES_TASK = wants(
  ['KEY-SYS', 'KEY-TASK'],
  '{ issues: missing.includes("KEY-TASK") ? ["KEY-TASK is missing"] : [] }',
);
const SUGGESTS = '{ suggestions: missing.map((word) => "Add " + word) }';
/** Reports one missing word at a time. */
const ONE_BY_ONE = wants(['KEY-C', 'KEY-D'], '{ issues: missing.slice(0, 1) }');
/** Always reports KEY-A as missing, although only KEY-B raises the score. */
const MISLEADS = wants(['KEY-B'], '{ issues: missing.length === 0 ? [] : ["KEY-A is missing"] }');
const AGENT: Base = { type: 'react', tools: ['javascript'] };
const NO_REFERENCES = { tune: { references: false } };
const FULL = { revision: { strategy: 'full_rewrite' as const } };

const ROWS: Row[] = [
  // The judge suggests the reference itself, so the score also shows that suggestions do not leak it to the writer.
  ...(['revise', 'retry', 'tune'] as const).map(
    (mode): Row => ({
      name: 'the reference, only in judge prompts',
      ...{ mode, common: { judge: 'judge', critic: mode === 'tune' ? 'mute-critic' : 'critic' } },
      ...{ present: judged('it says {{reference}}'), absent: judged('it is right'), scores: [0, 1] },
    }),
  ),
  ...(['full_rewrite', 'targeted_edit', 'incremental'] as const).map(
    (strategy): Row => ({
      name: `the system prompt, in revisions by ${strategy} and in rewrites after a response that does not apply`,
      ...{ mode: 'revise', common: { ...NAMES_TASK, revision: { strategy } }, present: SYSTEM, absent: NO_SYSTEM },
      scores: [1, 0.5],
    }),
  ),
  {
    name: 'the system prompt, in revisions with a custom prompt',
    ...{ mode: 'revise', common: { ...NAMES_TASK, ...FULL, prompts: { revise: 'Do it better.' } } },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0.5] },
  },
  {
    name: 'the system prompt, in critic prompts',
    ...{ mode: 'revise', common: { ...wants(['KEY-SYS']), ...FULL, writer: 'deaf-writer' } },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0] },
  },
  {
    name: 'the system prompt, in judge prompts',
    ...{
      mode: 'revise',
      common: { ...judged('it keeps the rules'), ...FULL, writer: 'deaf-writer', critic: 'mute-critic' },
    },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [0, 1] },
  },
  {
    name: 'suggestions of a function, in revision prompts',
    ...{ mode: 'revise', common: { ...FULL, critic: 'mute-critic' } },
    ...{ present: wants(['KEY-A'], SUGGESTS), absent: wants(['KEY-A']), scores: [1, 0] },
  },
  {
    name: 'suggestions of a function, in critic prompts',
    ...{ mode: 'revise', common: { ...FULL, writer: 'deaf-writer' } },
    ...{ present: wants(['KEY-A'], SUGGESTS), absent: wants(['KEY-A']), scores: [1, 0] },
  },
  {
    name: 'suggestions of a judge, in revision prompts',
    ...{ mode: 'revise', common: { ...FULL, ...judged('it holds KEY-A'), critic: 'mute-critic' } },
    ...{ present: { judge: 'judge' }, absent: { judge: 'silent-judge' }, scores: [1, 0] },
  },
  {
    name: 'earlier issues, in revision prompts',
    ...{ mode: 'revise', common: { ...ONE_BY_ONE, critic: 'mute-critic' } },
    present: { revision: { strategy: 'full_rewrite', includeReflectionHistory: true } },
    absent: { revision: { strategy: 'full_rewrite', includeReflectionHistory: false } },
    scores: [1, 0.5],
  },
  {
    name: 'earlier issues, in critic prompts',
    ...{ mode: 'revise', common: { ...MISLEADS, ...FULL } },
    ...{ present: { critic: 'critic' }, absent: { critic: 'forgetful-critic' }, scores: [1, 0] },
  },
  {
    name: 'the system prompt, in revisions of an agent draft',
    ...{ mode: 'revise', common: { ...NAMES_TASK, ...FULL, base: AGENT }, present: SYSTEM, absent: NO_SYSTEM },
    scores: [1, 0.5],
  },
  {
    name: 'the system prompt, in every attempt of an agent',
    ...{ mode: 'retry', common: { ...NAMES_TASK, base: AGENT }, present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0.5] },
  },
  {
    name: 'the system prompt, in every attempt',
    ...{ mode: 'retry', common: NAMES_TASK, present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0.5] },
  },
  {
    name: 'the system prompt, in lesson prompts',
    ...{ mode: 'retry', common: { ...wants(['KEY-SYS']), writer: 'deaf-writer' } },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0] },
  },
  {
    name: 'the system prompt, in judge prompts',
    ...{ mode: 'retry', common: { ...judged('it keeps the rules'), writer: 'deaf-writer', critic: 'mute-critic' } },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [0, 1] },
  },
  {
    name: 'suggestions of a function, in lesson prompts',
    ...{ mode: 'retry', common: {}, present: wants(['KEY-A'], SUGGESTS), absent: wants(['KEY-A']), scores: [1, 0] },
  },
  {
    name: 'suggestions of a judge, in lesson prompts',
    ...{
      mode: 'retry',
      common: judged('it holds KEY-A'),
      present: { judge: 'judge' },
      absent: { judge: 'silent-judge' },
    },
    scores: [1, 0],
  },
  {
    name: 'earlier issues, in lesson prompts',
    ...{ mode: 'retry', common: MISLEADS, present: { critic: 'critic' }, absent: { critic: 'forgetful-critic' } },
    scores: [1, 0],
  },
  {
    name: 'the system prompt, with every candidate',
    ...{ mode: 'tune', common: wants(['KEY-SYS']), present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0] },
  },
  {
    name: 'the system prompt, in judge prompts',
    ...{ mode: 'tune', common: { ...judged('it keeps the rules'), writer: 'deaf-writer', critic: 'mute-critic' } },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [0, 1] },
  },
  {
    name: 'the system prompt, in reflection prompts',
    ...{ mode: 'tune', common: { ...wants(['KEY-SYS']), writer: 'task-writer' } },
    ...{ present: SYSTEM, absent: NO_SYSTEM, scores: [1, 0] },
  },
  {
    name: 'references of training cases, in reflection prompts',
    ...{ mode: 'tune', common: wants(['KEY-REF']) },
    ...{ present: { tune: { references: true } }, absent: NO_REFERENCES, scores: [1, 0] },
  },
  {
    name: 'suggestions of a function, in reflection prompts',
    ...{ mode: 'tune', common: NO_REFERENCES },
    ...{ present: wants(['KEY-C'], SUGGESTS), absent: wants(['KEY-C']), scores: [1, 0] },
  },
  {
    name: 'suggestions of a judge, in reflection prompts',
    ...{ mode: 'tune', common: { ...judged('it holds KEY-C'), ...NO_REFERENCES } },
    ...{ present: { judge: 'judge' }, absent: { judge: 'silent-judge' }, scores: [1, 0] },
  },
  {
    name: 'results of earlier proposals, in reflection prompts',
    ...{
      mode: 'tune',
      common: { ...wants(['KEY-B']), tune: { references: false, proposalsAtOnce: 1 } },
      present: { critic: 'critic' },
      absent: { critic: 'mute-critic' },
    },
    scores: [1, 0],
  },
];

const CASES = Array.from({ length: 10 }, (_, at) => ({ input: `Write text ${at}.`, reference: 'KEY-REF' }));

function settingsOf(mode: Row['mode'], { writer, judge, critic, instructions, base, ...changes }: Changes) {
  const model = (name: string) => ({ provider: 'practice', model: name });
  return settingsSchema.parse({
    mode,
    evaluatorModel: model(judge ?? 'silent-judge'),
    reflectionModel: model(critic ?? 'critic'),
    qualityThreshold: 1,
    maxIterations: 3,
    maxAttempts: 3,
    convergence: null,
    ...(mode === 'tune' && { prompts: { generate: '{{input}}' } }),
    ...changes,
    generator: { ...model(writer ?? 'writer'), instructions: instructions ?? '', base },
  });
}

/** Performs a run as a worker does, with its models on a fake server. Returns the score of its best version. */
async function scoreUnder(mode: Row['mode'], changes: Changes): Promise<number | null> {
  const context = testContext(db.database());
  const call = createModelCaller({
    addresses: context.addresses,
    resolveProvider: async () => ({
      ...{ name: 'p', kind: 'openai-compatible', baseUrl: server.baseUrl, apiKey: 'key-12345678', prices: {} },
    }),
    maxAttempts: 1,
    sleep: async () => {},
  });
  const settings = settingsOf(mode, changes);
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'words', ...settings }));
  const cases = mode === 'tune' ? CASES : CASES.slice(0, 1);
  const { runIds } = unwrap(await startBatch(context, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
  const [runId = ''] = runIds;
  await performRun(testWorkerContext(context, call), runId);
  const stored = await storedRun(db.database(), runId);
  const { history, run } = stored;
  expect(run.status).toBe('finished');
  const best = bestVersion(history, 'highest_score');
  return best === null ? null : scoreOf(history, best);
}

describe.each(['revise', 'retry', 'tune'] as const)('prompt parts that change the outcome in %s mode', (mode) => {
  test.each(ROWS.filter((row) => row.mode === mode))('$name', async ({ common, present, absent, scores }) => {
    expect([
      await scoreUnder(mode, { ...common, ...present }),
      await scoreUnder(mode, { ...common, ...absent }),
    ]).toEqual(scores);
  });
});
