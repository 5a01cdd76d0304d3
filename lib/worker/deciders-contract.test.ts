import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ReflectionDecision } from '#lib/core/code-decision.ts';
import type { DecisionKind } from '#lib/core/decision-kinds.ts';
import { createEngine } from '#lib/core/engine.ts';
import type { Hook } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { decide } from '#lib/runs/decide.ts';
import { findRun } from '#lib/runs/queries.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { type Answer, startScriptedServer } from '#lib/testing/scripted-server.test-support.ts';
import { queuedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { saveWebhook } from '#lib/webhooks/save-webhook.ts';
import { performRun } from './perform-run.ts';
import { webhookDeliverer } from './webhooks/webhook-deliverer.ts';

const db = useTestDatabase();
const INPUT = 'Say where we are.';
const SECRET = 'a secret of the contract';

/** The answer at one hook; `auto` if the script has no more answers. */
type CodeDecision = Exclude<ReflectionDecision, string> | { decision: 'auto' };
/** `looks`: decide at every hook, in order, instead of only at `onReflection`. */
type Script = { scores: number[]; says: CodeDecision[]; maxIterations?: number; mode?: 'retry'; looks?: boolean };
/** The result of a loop, which must not depend on the decider. */
type Course = {
  versions: Pick<RunRecord['versions'][number], 'origin' | 'parents' | 'iteration' | 'improvementsApplied'>[];
  convergenceReason: RunRecord['convergenceReason'];
  finalVersion: number | null;
  finalOutput: string | null;
  success: boolean;
  bestVersion: number | null;
  evaluated: (number | null)[][];
  decided: {
    hook: Hook;
    decision: DecisionKind;
    version: number | null;
    guidance: string | null;
    score: number | null;
  }[];
};

function settingsOf({ maxIterations = 3, mode }: Script): ExperimentSettingsInput {
  return {
    mode: mode ?? 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'right', threshold: 0, evaluator: 'llm' }],
    qualityThreshold: 0.8,
    maxIterations,
    convergence: null,
  };
}

/** Settings that pause for people and webhooks at the same hooks at which code decides. */
function asking({ looks = false }: Script): ExperimentSettingsInput['callbacks'] {
  return { pause: 'always', review: { drafts: looks, revisions: looks } };
}

/** A model whose judge returns these scores in turn and then repeats the last one. */
function scriptedModel({ scores }: Script) {
  const asked = new Map<string, number>();
  const textOf = (role: ModelRequest['role'], at: number) => {
    if (role === 'evaluate') return JSON.stringify(verdict({ right: scores[Math.min(at, scores.length - 1)] ?? 0 }));
    if (role === 'reflect') return JSON.stringify({ summary: 'So so.', issues: [], suggestions: [`Fix ${at}`] });
    return `${role} ${at}`;
  };
  return async ({ role }: ModelRequest): Promise<ModelOutcome> => {
    const at = asked.get(role) ?? 0;
    asked.set(role, at + 1);
    const spend = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.001, latencyMs: 20 };
    return {
      ok: true,
      reply: { text: textOf(role, at), finishReason: 'stop', attempts: 1, warnings: [], ...spend },
    };
  };
}

function courseOf(
  result: Omit<Course, 'decided' | 'evaluated' | 'versions'> & Pick<RunRecord, 'decisions' | 'versions'>,
): Course {
  const { versions, convergenceReason, bestVersion, finalVersion, finalOutput, success, decisions } = result;
  return {
    versions: versions.map(({ origin, parents, iteration, improvementsApplied }) => ({
      origin,
      parents,
      iteration,
      improvementsApplied,
    })),
    convergenceReason,
    bestVersion,
    finalVersion,
    finalOutput,
    success,
    evaluated: versions.map(({ evaluations }) => evaluations.map(({ overallScore }) => overallScore)),
    // Code that defers to the rules records no decision.
    decided: decisions
      .filter(({ by, decision }) => by !== 'policy' && decision !== 'auto')
      .map(({ hook, decision, version, guidance, score }) => ({ hook, decision, version, guidance, score })),
  };
}

/** Performs a run and calls `answer` at each pause until the run ends. */
async function coursed(
  context: AppContext,
  settings: ExperimentSettingsInput,
  script: Script,
  answer: (record: RunRecord, decision: CodeDecision) => Promise<void>,
): Promise<Course> {
  const runId = await queuedRun(context, settings, { input: INPUT });
  const worker = testWorkerContext(context, scriptedModel(script));
  for (let turn = 0; turn < 20; turn++) {
    await performRun(worker, runId);
    const record = (await findRun(db.database(), runId))?.record;
    if (record === undefined) throw new Error('no such run');
    if (record.status === 'finished' || record.status === 'stopped') return courseOf(record);
    await answer(record, script.says[turn] ?? { decision: 'auto' });
  }
  throw new Error('the run did not end');
}

const DECIDERS: Record<'code' | 'a person' | 'a webhook', (script: Script) => Promise<Course>> = {
  code: async (script) => {
    let turn = 0;
    const answer = () => {
      const next = script.says[turn++] ?? { decision: 'auto' };
      return next.decision === 'auto' ? 'auto' : next;
    };
    const engine = createEngine({
      settings: settingsOf(script),
      ask: scriptedModel(script),
      evaluate: evaluateAlone,
      onReflection: answer,
      ...(script.looks ? { onGeneration: answer, onRevision: answer } : {}),
    });
    const result = await engine.execute(INPUT);
    return courseOf({ ...result, ...engine.getHistory() });
  },
  'a person': (script) => {
    const context = testContext(db.database());
    return coursed(context, { ...settingsOf(script), callbacks: asking(script) }, script, async (record, decision) => {
      const pauseId = record.waitingFor?.pauseId;
      unwrap(await decide(context, TESTER, record.id, { pauseId, ...decision }));
      // After an override or restore the run stays paused, so a person must also continue it.
      if (decision.decision === 'override' || decision.decision === 'restore')
        unwrap(await decide(context, TESTER, record.id, { pauseId, decision: 'auto' }));
    });
  },
  'a webhook': async (script) => {
    const context = testContext(db.database());
    let answers = 0;
    const server = await startScriptedServer([
      (...request) => signed(script.says[answers++] ?? { decision: 'auto' })(...request),
    ]);
    const name = `decider-${server.baseUrl.replace(/\D/g, '')}`;
    unwrap(await saveWebhook(context, TESTER, { name, url: server.baseUrl, secret: SECRET }));
    const deliverer = webhookDeliverer(context);
    const settings: ExperimentSettingsInput = {
      ...settingsOf(script),
      callbacks: { ...asking(script), webhook: name },
    };
    const course = await coursed(context, settings, script, async () => {
      await deliverer.look();
      await deliverer.idle();
    });
    await server.close();
    return course;
  },
};

function signed(body: object): Answer {
  return (response, { pauseId, delivery }) => {
    const text = JSON.stringify({ pauseId, delivery, ...body });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', SECRET).update(`${timestamp}.${text}`).digest('hex');
    response.writeHead(200, { 'hone-timestamp': timestamp, 'hone-signature': signature });
    response.end(text);
  };
}

type Expected = Pick<Course, 'convergenceReason' | 'finalVersion'> & { parents: number[][] };

const CASES: [name: string, script: Script, expected: Expected][] = [
  [
    'accept',
    { scores: [0.4], says: [{ decision: 'accept' }] },
    { parents: [[]], convergenceReason: 'user_accepted', finalVersion: 0 },
  ],
  [
    'accept an earlier version',
    { scores: [0.6, 0.4], says: [{ decision: 'auto' }, { decision: 'accept', version: 0 }] },
    { parents: [[], [0]], convergenceReason: 'user_accepted', finalVersion: 0 },
  ],
  [
    'continue after the quality is met',
    { scores: [0.9, 0.95], says: [{ decision: 'continue' }] },
    { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'continue at the cap grants one more iteration',
    { scores: [0.4], says: [{ decision: 'auto' }, { decision: 'continue' }], maxIterations: 1 },
    { parents: [[], [0], [1]], convergenceReason: 'max_iterations', finalVersion: 2 },
  ],
  [
    'revise with guidance',
    { scores: [0.4, 0.9], says: [{ decision: 'revise', guidance: 'Be brief.' }] },
    { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'revise an earlier version with guidance',
    {
      scores: [0.6, 0.5, 0.9],
      says: [{ decision: 'auto' }, { decision: 'revise', version: 0, guidance: 'Name the town.' }],
    },
    { parents: [[], [0], [0]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    'revert',
    { scores: [0.5, 0.6, 0.9], says: [{ decision: 'auto' }, { decision: 'revert', version: 0 }] },
    { parents: [[], [0], [0]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  ['auto', { scores: [0.4, 0.9], says: [] }, { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 }],
  [
    'stop',
    { scores: [0.4], says: [{ decision: 'stop', reason: 'too dear' }] },
    { parents: [[]], convergenceReason: 'user_stopped', finalVersion: 0 },
  ],
  [
    'edit',
    { scores: [0.4, 0.9], says: [{ decision: 'edit', output: 'We are in Rome.' }] },
    { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'edit of an earlier version, then accept',
    {
      scores: [0.4, 0.5, 0.6],
      says: [{ decision: 'auto' }, { decision: 'edit', version: 0, output: 'Rome.' }, { decision: 'accept' }],
    },
    { parents: [[], [0], [0]], convergenceReason: 'user_accepted', finalVersion: 2 },
  ],
  [
    'override of the overall score, upwards',
    { scores: [0.4], says: [{ decision: 'override', score: 0.95 }] },
    { parents: [[]], convergenceReason: 'quality_met', finalVersion: 0 },
  ],
  [
    'override of a criterion, downwards',
    { scores: [0.9, 0.95], says: [{ decision: 'override', score: 0.1, criterion: 'right', reason: 'It is wrong.' }] },
    { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'merge',
    {
      scores: [0.4, 0.5, 0.9],
      says: [{ decision: 'auto' }, { decision: 'merge', output: 'Rome, or so.', parents: [0, 1] }],
    },
    { parents: [[], [0], [0, 1]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    // Without its restored score, v1 would not count as a regression and would be revised.
    'restore an overridden score',
    {
      scores: [0.6, 0.4, 0.9],
      says: [
        { decision: 'override', score: 0.1 },
        { decision: 'restore', version: 0 },
      ],
    },
    { parents: [[], [0], [0]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    'guidance for an attempt',
    { mode: 'retry', scores: [0.4, 0.9], says: [{ decision: 'revise', guidance: 'Be brief.' }] },
    { parents: [[], []], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
];

const AUTO: CodeDecision = { decision: 'auto' };

/** Hooks in order: v0 before and after its evaluation, then v1 before and after its evaluation, and so on. */
const BEFORE_JUDGED: [name: string, script: Omit<Script, 'looks'>, expected: Expected][] = [
  [
    'auto at every pause',
    { scores: [0.4, 0.9], says: [] },
    { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'continue: the draft is scored, and the quality is met',
    { scores: [0.9], says: [{ decision: 'continue' }] },
    { parents: [[]], convergenceReason: 'quality_met', finalVersion: 0 },
  ],
  [
    'continue at the last revision grants no iteration',
    { scores: [0.4, 0.5], says: [AUTO, AUTO, { decision: 'continue' }], maxIterations: 1 },
    { parents: [[], [0]], convergenceReason: 'max_iterations', finalVersion: 1 },
  ],
  [
    'accept a draft without a score',
    { scores: [0.4], says: [{ decision: 'accept' }] },
    { parents: [[]], convergenceReason: 'user_accepted', finalVersion: 0 },
  ],
  [
    'accept the previous version at a revision',
    { scores: [0.4], says: [AUTO, AUTO, { decision: 'accept', version: 0 }] },
    { parents: [[], [0]], convergenceReason: 'user_accepted', finalVersion: 0 },
  ],
  [
    'revise a draft with guidance, without a score',
    { scores: [0.9], says: [{ decision: 'revise', guidance: 'Be brief.' }] },
    { parents: [[], [0]], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'revise the last revision with guidance: one more is granted',
    { scores: [0.4, 0.9], says: [AUTO, AUTO, { decision: 'revise', guidance: 'Be brief.' }], maxIterations: 1 },
    { parents: [[], [0], [1]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    'another attempt with guidance, without a lesson',
    { mode: 'retry', scores: [0.9], says: [{ decision: 'revise', guidance: 'Be brief.' }] },
    { parents: [[], []], convergenceReason: 'quality_met', finalVersion: 1 },
  ],
  [
    'revert from a revision',
    { scores: [0.5, 0.9], says: [AUTO, AUTO, { decision: 'revert', version: 0, guidance: 'Another way.' }] },
    { parents: [[], [0], [0]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    'stop at a revision',
    { scores: [0.4], says: [AUTO, AUTO, { decision: 'stop', reason: 'Worse.' }] },
    { parents: [[], [0]], convergenceReason: 'user_stopped', finalVersion: 1 },
  ],
  [
    'edit of a revision: scored instead of it',
    { scores: [0.4, 0.9], says: [AUTO, AUTO, { decision: 'edit', output: 'We are in Rome.' }] },
    { parents: [[], [0], [1]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    'merge of both versions: scored instead of the revision, then accepted',
    {
      scores: [0.4, 0.6],
      says: [AUTO, AUTO, { decision: 'merge', output: 'Rome, or so.', parents: [0, 1] }, { decision: 'accept' }],
    },
    { parents: [[], [0], [0, 1]], convergenceReason: 'user_accepted', finalVersion: 2 },
  ],
  [
    'override of the previous version at a revision: the new one is still scored',
    { scores: [0.4, 0.5, 0.96], says: [AUTO, AUTO, { decision: 'override', score: 0.95, version: 0 }] },
    { parents: [[], [0], [0]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
  [
    'restore the previous version at a revision',
    {
      scores: [0.6, 0.4, 0.9],
      says: [AUTO, { decision: 'override', score: 0.1 }, { decision: 'restore', version: 0 }],
    },
    { parents: [[], [0], [0]], convergenceReason: 'quality_met', finalVersion: 2 },
  ],
];

describe('the same decision has the same effect from code, a person or a webhook', () => {
  const before = BEFORE_JUDGED.map(([name, script, expected]): (typeof CASES)[number] => [
    `before scoring: ${name}`,
    { ...script, looks: true },
    expected,
  ]);
  test.each([...CASES, ...before])('%s', async (_name, script, { parents, ...end }) => {
    const byCode = await DECIDERS.code(script);
    expect(byCode).toMatchObject(end);
    expect(byCode.versions.map((version) => version.parents)).toEqual(parents);
    expect(byCode.decided.map(({ decision }) => decision)).toEqual(
      script.says.map(({ decision }) => decision).filter((decision) => decision !== 'auto'),
    );
    expect(await DECIDERS['a person'](script)).toEqual(byCode);
    expect(await DECIDERS['a webhook'](script)).toEqual(byCode);
  });
});
