import { describe, expect, test } from 'vitest';
import { tryCriterion } from '#lib/batches/try-criterion.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { findRun } from '#lib/runs/queries.ts';
import {
  type Answer,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { listWebhooks } from '#lib/webhooks/queries.ts';
import { deleteWebhook, saveWebhook } from '#lib/webhooks/save-webhook.ts';
import { performRun } from '../perform-run.ts';

const db = useTestDatabase();
const TASK = { input: 'Explain tides.', reference: 'The moon pulls the water twice a day.' };

let webhooks = 0;
/** A context with a webhook that returns these responses, and settings that score only with it. */
async function withWebhook(answers: Answer[]): Promise<{
  context: ReturnType<typeof testContext>;
  server: ScriptedServer;
  name: string;
  settings: ExperimentSettingsInput;
}> {
  const context = testContext(db.database());
  const server = await startScriptedServer(answers);
  const name = `checker-${webhooks++}`;
  unwrap(await saveWebhook(context, TESTER, { name, url: server.baseUrl }));
  const criteria: ExperimentSettingsInput['criteria'] = [
    { name: 'house rules', description: 'as the house writes', evaluator: 'webhook', threshold: 0.5, config: { name } },
  ];
  return {
    context,
    server,
    name,
    settings: { ...PRACTICE_WRITING, criteria, qualityThreshold: 0.7, maxIterations: 1 },
  };
}

async function performed(answers: Answer[]) {
  const { context, server, name, settings } = await withWebhook(answers);
  const runId = await queuedRun(context, settings, TASK);
  await performRun(testWorkerContext(context), runId);
  await server.close();
  const found = await findRun(db.database(), runId);
  if (found === null) throw new Error('no run');
  return { record: found.record, requests: server.requests, name, runId };
}

describe('a run scored by a webhook', () => {
  test('posts the data of each version, and uses the score, reason, issues and suggestions', async () => {
    const { record, requests, name, runId } = await performed([
      raw('{"score": 0.4, "reason": "Too stiff.", "issues": ["No greeting."], "suggestions": ["Greet the reader."]}'),
      raw('{"score": 0.9, "note": "left unread"}'),
    ]);
    expect(record).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', bestVersion: 1 });
    expect(requests.map(({ body }) => body)).toMatchObject([
      {
        run: runId,
        version: 0,
        criterion: { name: 'house rules', description: 'as the house writes', threshold: 0.5 },
        output: record.versions[0]?.output,
        ...TASK,
        metadata: {},
        tags: [],
      },
      { run: runId, version: 1, output: record.versions[1]?.output },
    ]);
    expect(record.versions[0]?.evaluations[0]).toMatchObject({
      overallScore: 0.4,
      satisfactory: false,
      reasons: { 'house rules': `The webhook "${name}" gave 0.4: Too stiff.` },
      issues: [{ text: 'No greeting.', criterion: 'house rules' }],
      suggestions: ['Greet the reader.'],
      sameModelJudge: false,
    });
    const critique = (await listModelCalls(db.database(), runId)).find(({ role }) => role === 'reflect');
    expect(critique?.prompt).toContain('No greeting.');
  });

  test('removes quotes of the reference from model prompts, and shows them to people', async () => {
    const guidance = 'Say that the moon pulls the water twice a day';
    const { record, runId } = await performed([
      raw(
        JSON.stringify({
          score: 0.1,
          reason: guidance,
          feedback: guidance,
          issues: [guidance, 'Too long.'],
          suggestions: [guidance],
        }),
      ),
      raw('{"score": 0.9}'),
    ]);
    expect(record.versions[0]?.evaluations[0]?.detail).toContain(guidance);
    const prompts = (await listModelCalls(db.database(), runId)).map(({ prompt }) => prompt);
    expect(prompts.some((prompt) => prompt.includes('Too long.'))).toBe(true);
    for (const prompt of prompts) expect(prompt).not.toContain('pulls the water');
  });
});

describe('an unusable response leaves the version unscored, with the reason in the run', () => {
  const redirect: Answer = (response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' });
    response.end();
  };
  const huge: Answer = (response) => response.end(JSON.stringify({ score: 1, reason: 'x'.repeat(1_200_000) }));
  test.each<[string, Answer, RegExp, number]>([
    ['500', status(500, 'broken'), /status 500.*Tried 3 times/, 6],
    ['403', status(403, 'no'), /status 403/, 2],
    ['a timeout', () => undefined, /no complete response within 2 seconds/, 2],
    ['a redirect', redirect, /redirect \(302\), which is not followed/, 2],
    ['more than 1 MB', huge, /more than 1 MB/, 2],
    ['a dropped connection', (response) => response.destroy(), /could not be reached/, 6],
    ['a response that is not JSON', raw('fine!'), /not with JSON/, 2],
    ['no score', raw('{"reason": "good"}'), /score must be a number from 0 to 1, got nothing/, 2],
    ['a score out of range', raw('{"score": 87}'), /score must be a number from 0 to 1, got 87/, 2],
    ['a score as a string', raw('{"score": "0.9"}'), /score must be a number from 0 to 1, got "0.9"/, 2],
    ['issues that are not text', raw('{"score": 1, "issues": [1]}'), /issues\.0 must be a text/, 2],
  ])('%s', async (_name, answer, reason, requested) => {
    const { record, requests } = await performed([answer]);
    expect(record).toMatchObject({ status: 'failed', convergenceReason: 'evaluation_failed' });
    expect(record.versions[0]?.evaluations).toHaveLength(2);
    for (const evaluation of record.versions[0]?.evaluations ?? []) {
      expect(evaluation).toMatchObject({ status: 'partial', overallScore: null, satisfactory: false });
      expect(evaluation.reasons['house rules']).toMatch(reason);
    }
    expect(requests).toHaveLength(requested);
  });

  test('a webhook deleted before the run', async () => {
    const { context, server, name, settings } = await withWebhook([raw('{"score": 1}')]);
    const runId = await queuedRun(context, settings, TASK);
    unwrap(await deleteWebhook(context, TESTER, name, { evenInUse: true }));
    await performRun(testWorkerContext(context), runId);
    const record = (await findRun(db.database(), runId))?.record;
    expect(record?.convergenceReason).toBe('evaluation_failed');
    expect(record?.versions[0]?.evaluations[0]?.reasons['house rules']).toMatch(/does not exist/);
    await server.close();
  });
});

describe('webhooks used by experiments', () => {
  test('rejects an unknown webhook with its field on create, update and trial', async () => {
    const { context, server, settings } = await withWebhook([raw('{"score": 1}')]);
    const unknown = { name: 'house rules', evaluator: 'webhook', config: { name: 'nobody' } };
    const refusal = {
      code: 'invalid',
      field: 'criteria.0.config.name',
      message: expect.stringMatching(/no webhook named "nobody"/),
    };
    expect(await createExperiment(context, TESTER, { name: 'x', ...settings, criteria: [unknown] })).toMatchObject({
      ok: false,
      problem: refusal,
    });
    const { id } = unwrap(await createExperiment(context, TESTER, { name: 'x', ...settings }));
    expect(await updateExperiment(context, TESTER, id, { criteria: [unknown] })).toMatchObject({
      ok: false,
      problem: refusal,
    });
    const { mode: _mode, criteria: _criteria, qualityThreshold: _quality, maxIterations: _most, ...judging } = settings;
    const tried = await tryCriterion(
      context,
      TESTER,
      { ...judging, criterion: unknown, output: 'Hi.', case: { input: 'Greet.' } },
      new AbortController().signal,
    );
    expect(tried).toMatchObject({ ok: false, problem: { field: 'criterion.config.name' } });
    await server.close();
  });

  test('tries a criterion on an output through its webhook', async () => {
    const { context, server, settings } = await withWebhook([raw('{"score": 0.6, "reason": "Fine."}')]);
    const { generator, criteria } = settings;
    const tried = unwrap(
      await tryCriterion(
        context,
        TESTER,
        { generator, criterion: criteria?.[0], output: 'Hi.', case: { input: 'Greet.' } },
        new AbortController().signal,
      ),
    );
    expect(tried).toMatchObject({ score: 0.6, passed: true, reason: expect.stringMatching(/Fine\.$/) });
    expect(server.requests[0]?.body).toMatchObject({ output: 'Hi.', version: null, run: null });
    await server.close();
  });

  test('rejects deletion while in use, listing the experiments, and allows it afterwards', async () => {
    const { context, server, name, settings } = await withWebhook([raw('{"score": 1}')]);
    const { id } = unwrap(await createExperiment(context, TESTER, { name: 'House style', ...settings }));
    expect(await listWebhooks(context)).toContainEqual(
      expect.objectContaining({ name, usedBy: [{ id, name: 'House style' }] }),
    );
    const refused = await deleteWebhook(context, TESTER, name, { evenInUse: false });
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/used by 1 experiment: House style/) },
    });
    unwrap(await deleteExperiment(context, TESTER, id));
    unwrap(await deleteWebhook(context, TESTER, name, { evenInUse: false }));
    await server.close();
  });
});
