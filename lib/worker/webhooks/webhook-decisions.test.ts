import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { Resolve } from '#lib/outgoing/outgoing-address.ts';
import { signBody } from '#lib/outgoing/sign-body.ts';
import { decide } from '#lib/runs/decide.ts';
import { type Answer, raw, status } from '#lib/testing/scripted-server.test-support.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { type DecidingRun, decidingRun, SECRET, signed, TASK } from '#lib/webhooks/deciding-webhook.test-support.ts';
import { deleteWebhook } from '#lib/webhooks/save-webhook.ts';
import type { WebhookDelivery } from '#lib/webhooks/schema.ts';
import { testWebhook } from './test-webhook.ts';

const db = useTestDatabase();
const ACCEPT = { decision: 'accept', reason: 'It will do.' };

const ELSEWHERE = '5d2f3c1e-0a51-4d1c-9d3e-6a1f8f0f7b21';

const slow: Answer = () => undefined;
const redirect: Answer = (response) => {
  response.writeHead(307, { location: 'http://127.0.0.1:1/inside' });
  response.end();
};

type End = {
  state: WebhookDelivery['state'];
  tries: number;
  responseStatus?: number | null;
  error?: RegExp | null;
  outcome?: RegExp | null;
};

/** The documented result of each kind of response. If the run still waits, nothing in it has changed. */
const ENDS: [name: string, answers: Answer[], delivery: End, run: 'decided' | 'waits'][] = [
  ['a decision', [signed(ACCEPT)], { state: 'decided', tries: 1, outcome: /Taken: accept of version 0/ }, 'decided'],
  ['one timeout, then a response', [slow, signed(ACCEPT)], { state: 'decided', tries: 2, error: null }, 'decided'],
  [
    'only timeouts',
    [slow],
    { state: 'failed', tries: 3, responseStatus: null, error: /within 0\.3 seconds/, outcome: /Gave up after 3/ },
    'waits',
  ],
  ['500', [status(500, 'broken')], { state: 'failed', tries: 3, responseStatus: 500, error: /status 500/ }, 'waits'],
  [
    '503, then a response',
    [status(503, 'busy'), signed(ACCEPT)],
    { state: 'decided', tries: 2, responseStatus: 200 },
    'decided',
  ],
  [
    '429, then a response',
    [status(429, 'slowly', { 'retry-after-ms': '2' }), signed(ACCEPT)],
    { state: 'decided', tries: 2 },
    'decided',
  ],
  [
    'a dropped connection',
    [(response) => response.destroy()],
    { state: 'failed', tries: 3, error: /could not be reached/ },
    'waits',
  ],
  [
    '400',
    [status(400, 'no')],
    { state: 'failed', tries: 1, responseStatus: 400, error: /status 400/, outcome: /^Gave up\. The run/ },
    'waits',
  ],
  ['404', [status(404, 'no')], { state: 'failed', tries: 1, error: /must accept POST/ }, 'waits'],
  [
    'a wrong signature',
    [signed(ACCEPT, { secret: 'another secret' })],
    { state: 'refused', tries: 1, error: /does not match/ },
    'waits',
  ],
  [
    'no signature',
    [raw(JSON.stringify(ACCEPT))],
    { state: 'refused', tries: 1, responseStatus: 200, error: /did not sign/ },
    'waits',
  ],
  [
    'an outdated signature',
    [signed(ACCEPT, { at: Date.now() - 600_000 })],
    { state: 'refused', tries: 1, error: /5 minutes/ },
    'waits',
  ],
  [
    'a response that is too large',
    [signed({ ...ACCEPT, reason: 'x'.repeat(1_200_000) })],
    { state: 'failed', tries: 1, error: /more than 1 MB/ },
    'waits',
  ],
  ['a redirect', [redirect], { state: 'failed', tries: 1, responseStatus: 307, error: /redirect/ }, 'waits'],
  [
    'a decision without a pause',
    [signed({ ...ACCEPT, pauseId: undefined })],
    { state: 'refused', tries: 1, error: /without pauseId.*Copy pauseId and delivery from the request/ },
    'waits',
  ],
  [
    'a decision without a delivery',
    [signed({ ...ACCEPT, delivery: undefined })],
    { state: 'refused', tries: 1, error: /without delivery.*Copy pauseId and delivery from the request/ },
    'waits',
  ],
  [
    'a decision for another pause',
    [signed({ ...ACCEPT, pauseId: ELSEWHERE })],
    { state: 'refused', tries: 1, error: /for another pause/ },
    'waits',
  ],
  [
    'a decision from another delivery',
    [signed({ ...ACCEPT, delivery: ELSEWHERE })],
    { state: 'refused', tries: 1, error: /for another delivery/ },
    'waits',
  ],
  [
    'null for another pause',
    [signed({ decision: null, pauseId: ELSEWHERE })],
    { state: 'refused', tries: 1, error: /for another pause/ },
    'waits',
  ],
  ['invalid JSON', [signed('{"decision": "accept"')], { state: 'refused', tries: 1, error: /JSON object/ }, 'waits'],
  ['no decision', [signed({})], { state: 'refused', tries: 1, error: /decision must be one of/ }, 'waits'],
  [
    'an unknown decision',
    [signed({ decision: 'approve' })],
    { state: 'refused', tries: 1, error: /decision must be one of accept/ },
    'waits',
  ],
  ['an unknown field', [signed({ ...ACCEPT, colour: 1 })], { state: 'refused', tries: 1, error: /colour/ }, 'waits'],
  [
    'blank guidance',
    [signed({ decision: 'revise' })],
    { state: 'refused', tries: 1, error: /guidance must say/ },
    'waits',
  ],
  [
    'guidance that quotes the reference',
    [signed({ decision: 'revise', guidance: `Say: ${TASK.reference}` })],
    { state: 'refused', tries: 1, error: /quotes the reference/ },
    'waits',
  ],
  [
    'an unknown version',
    [signed({ decision: 'accept', version: 7 })],
    { state: 'refused', tries: 1, error: /version 7 does not exist/ },
    'waits',
  ],
  [
    'a score that was not requested',
    [signed({ decision: 'score', score: 1 })],
    { state: 'refused', tries: 1, error: /waits for a decision, not for a score/ },
    'waits',
  ],
  [
    '204',
    [(response) => response.writeHead(204).end()],
    { state: 'declined', tries: 1, error: null, outcome: /does not decide/ },
    'waits',
  ],
  ['null as decision', [signed({ decision: null })], { state: 'declined', tries: 1 }, 'waits'],
];

describe('the result of a delivery and of its pause', () => {
  test.each(ENDS)('%s', async (_name, answers, expected, run) => {
    const gate = await decidingRun(testContext(db.database()), answers);
    const before = await gate.record();
    expect(before).toMatchObject({ status: 'waiting', waitingFor: { version: 0, wouldStopAs: 'max_iterations' } });
    expectEnd(await gate.deliver(), expected);
    expect(gate.server.requests).toHaveLength(expected.tries);
    const after = await gate.record();
    if (run === 'waits') expect(after).toEqual(before);
    else
      expect(after).toMatchObject({
        status: 'finished',
        convergenceReason: 'user_accepted',
        decisions: [
          {
            decision: 'accept',
            by: 'webhook',
            actor: gate.name,
            reason: 'It will do.',
            pauseId: before.waitingFor?.pauseId,
            seen: { versions: 1, evaluations: 1, wouldStopAs: 'max_iterations' },
          },
        ],
      });
    await gate.server.close();
  });

  test('sends nothing if the address now resolves to this machine', async () => {
    const gate = await decidingRun(testContext(db.database()), [signed(ACCEPT)]);
    const url = gate.server.baseUrl.replace('127.0.0.1', 'public.example');
    await db.database().pool.query('UPDATE webhooks SET url = $1 WHERE name = $2', [url, gate.name]);
    const rebound: Resolve = (_host, found) => found(null, [{ address: '127.0.0.1' }]);
    expectEnd(await gate.deliver({ resolve: rebound }), { state: 'failed', tries: 1, error: /127\.0\.0\.1.*refused/ });
    expect(gate.server.requests).toEqual([]);
    expect((await gate.record()).status).toBe('waiting');
    await gate.server.close();
  });

  test('marks a response that arrives after a decision by a person as late', async () => {
    const gate: DecidingRun = await decidingRun(testContext(db.database()), [
      async (...request) => {
        const pauseId = (await gate.record()).waitingFor?.pauseId;
        unwrap(await decide(gate.context, { ...TESTER, name: 'Bea' }, gate.runId, { decision: 'stop', pauseId }));
        signed(ACCEPT)(...request);
      },
    ]);
    expectEnd(await gate.deliver(), {
      state: 'late',
      tries: 1,
      responseStatus: 200,
      error: null,
      outcome: /^Answered after Bea decided \(stop of version 0, .* UTC\)\. Not taken\.$/,
    });
    expect(await gate.record()).toMatchObject({
      status: 'stopped',
      convergenceReason: 'user_stopped',
      decisions: [{ decision: 'stop', by: 'person', actor: 'Bea' }],
    });
    await gate.server.close();
  });

  test('ignores an override that arrives after a decision by a person', async () => {
    const gate: DecidingRun = await decidingRun(testContext(db.database()), [
      async (...request) => {
        const pauseId = (await gate.record()).waitingFor?.pauseId;
        unwrap(await decide(gate.context, TESTER, gate.runId, { decision: 'accept', pauseId }));
        signed({ decision: 'override', score: 0 })(...request);
      },
    ]);
    expect(await gate.deliver()).toMatchObject({ state: 'late' });
    expect((await gate.record()).versions[0]?.evaluations).toHaveLength(1);
    await gate.server.close();
  });

  test('sends nothing if the pause ended before delivery', async () => {
    const gate = await decidingRun(testContext(db.database()), [signed(ACCEPT)]);
    const pauseId = (await gate.record()).waitingFor?.pauseId;
    unwrap(await decide(gate.context, TESTER, gate.runId, { decision: 'stop', pauseId }));
    expectEnd(await gate.deliver(), { state: 'dropped', tries: 0, outcome: /^Not sent\. Tester decided \(stop/ });
    expect(gate.server.requests).toEqual([]);
    await gate.server.close();
  });

  test('fails the delivery if the webhook was deleted', async () => {
    const gate = await decidingRun(testContext(db.database()), [signed(ACCEPT)], { maxIterations: 5 });
    unwrap(await deleteWebhook(gate.context, TESTER, gate.name, { evenInUse: true }));
    expect(await gate.deliveries()).toEqual([]);
    const pauseId = (await gate.record()).waitingFor?.pauseId;
    unwrap(await decide(gate.context, TESTER, gate.runId, { decision: 'continue', pauseId }));
    expect((await gate.perform()).status).toBe('waiting');
    expectEnd(await gate.deliver(), { state: 'failed', tries: 0, error: /does not exist/ });
    expect(gate.server.requests).toEqual([]);
    await gate.server.close();
  });
});

describe('a replayed response', () => {
  test('is refused for a later pause of its run', async () => {
    const wire = captured();
    const gate = await decidingRun(
      testContext(db.database()),
      [wire.keep(signed({ decision: 'continue' })), wire.replay],
      { maxIterations: 5 },
    );
    expect(await gate.deliver()).toMatchObject({ state: 'decided' });
    expect(await gate.perform()).toMatchObject({ status: 'waiting', waitingFor: { version: 1 } });
    const waiting = await gate.record();
    expectEnd(await gate.deliver(), {
      state: 'refused',
      tries: 1,
      responseStatus: 200,
      error: /responded for another pause/,
      outcome: /is still waiting/,
    });
    expect(await gate.record()).toEqual(waiting);
    await gate.server.close();
  });

  test('is refused for a pause of another run', async () => {
    const wire = captured();
    const context = testContext(db.database());
    const gate = await decidingRun(context, [wire.keep(signed(ACCEPT))]);
    expect(await gate.deliver()).toMatchObject({ state: 'decided' });
    const other = await decidingRun(context, [wire.replay]);
    expectEnd(await other.deliver(), { state: 'refused', tries: 1, error: /responded for another pause/ });
    expect(await other.record()).toMatchObject({ status: 'waiting', decisions: [] });
    await gate.server.close();
    await other.server.close();
  });

  test('is refused for any pause if captured from a webhook test', async () => {
    const wire = captured();
    const context = testContext(db.database());
    const gate = await decidingRun(context, [wire.keep(signed(ACCEPT)), wire.replay]);
    expect(unwrap(await testWebhook(context, TESTER, gate.name))).toMatchObject({ ok: true, decision: 'accept' });
    expectEnd(await gate.deliver(), { state: 'refused', tries: 1, error: /responded for another pause/ });
    expect(await gate.record()).toMatchObject({ status: 'waiting', decisions: [] });
    await gate.server.close();
  });
});

describe('a webhook request', () => {
  test('contains the signed data that validators get, and no data meant for people only', async () => {
    const gate = await decidingRun(testContext(db.database()), [signed({ decision: null })], {
      callbacks: { timeoutSeconds: 3_600 },
    });
    const record = await gate.record();
    const delivery = await gate.deliver();
    const [request] = gate.server.requests;
    const evaluation = record.versions[0]?.evaluations[0];
    expect(request?.body).toEqual({
      hook: 'onReflection',
      runId: gate.runId,
      pauseId: record.waitingFor?.pauseId,
      delivery: delivery.id,
      experiment: 'test',
      version: 0,
      iteration: 0,
      output: record.versions[0]?.output,
      evaluation: {
        overallScore: evaluation?.overallScore,
        criteriaScores: evaluation?.criteriaScores,
        satisfactory: false,
        issues: expect.any(Array),
        suggestions: evaluation?.suggestions,
        confidence: evaluation?.confidence,
        feedback: expect.any(String),
      },
      wouldStopAs: 'max_iterations',
      expiresAt: record.waitingFor?.expiresAt,
      ...TASK,
      metadata: {},
      tags: [],
    });
    const timestamp = String(request?.headers['hone-timestamp']);
    expect(request?.headers).toMatchObject({
      'hone-delivery': delivery.id,
      'hone-signature': signBody(SECRET, timestamp, JSON.stringify(request?.body)),
    });
    expect(delivery).toMatchObject({
      runId: gate.runId,
      runNumber: record.number,
      pauseId: record.waitingFor?.pauseId,
      request: JSON.stringify(request?.body).slice(0, 4_000),
      response: JSON.stringify({ pauseId: record.waitingFor?.pauseId, delivery: delivery.id, decision: null }),
      nextTryAt: null,
      durationMs: expect.any(Number),
    });
    await gate.server.close();
  });

  test('is sent before a revision is evaluated, with the old and new output, and allows a merge', async () => {
    const gate = await decidingRun(
      testContext(db.database()),
      [signed({ decision: 'merge', output: 'Twice a day.', parents: [0, 1] }), signed({ decision: 'accept' })],
      { maxIterations: 1, callbacks: { pause: 'never', review: { revisions: true } } },
    );
    const record = await gate.record();
    expect(record).toMatchObject({ status: 'waiting', waitingFor: { hook: 'onRevision', version: 1 } });
    expect(await gate.deliver()).toMatchObject({ state: 'decided', outcome: 'Taken: merge of version 2.' });
    const [old, made] = record.versions;
    expect(gate.server.requests[0]?.body).toMatchObject({
      hook: 'onRevision',
      version: 1,
      iteration: 1,
      output: made?.output,
      oldVersion: 0,
      oldOutput: old?.output,
      evaluation: null,
      wouldStopAs: null,
    });
    expect(await gate.perform()).toMatchObject({ status: 'waiting', waitingFor: { hook: 'onReflection', version: 2 } });
    expect(await gate.deliver()).toMatchObject({ state: 'decided', outcome: 'Taken: accept of version 2.' });
    const { versions, decisions } = await gate.record();
    expect(versions.map(({ evaluations }) => evaluations.length)).toEqual([1, 0, 1]);
    expect(decisions.filter(({ by }) => by === 'webhook').map(({ hook }) => hook)).toEqual([
      'onRevision',
      'onReflection',
    ]);
    expect(gate.server.requests[1]?.body).not.toHaveProperty('oldOutput');
    await gate.server.close();
  });

  test('is sent for a draft, which cannot be overridden before its evaluation', async () => {
    const gate = await decidingRun(testContext(db.database()), [signed({ decision: 'override', score: 1 })], {
      callbacks: { pause: 'never', review: { drafts: true } },
    });
    expectEnd(await gate.deliver(), { state: 'refused', tries: 1, error: /was not evaluated yet/ });
    expect(gate.server.requests[0]?.body).toMatchObject({ hook: 'onGeneration', version: 0, evaluation: null });
    expect(gate.server.requests[0]?.body).not.toHaveProperty('oldOutput');
    expect(await gate.record()).toMatchObject({ status: 'waiting', waitingFor: { hook: 'onGeneration' } });
    await gate.server.close();
  });

  test('is sent again after its own version is scored; an override leaves the decision to the rules', async () => {
    const gate = await decidingRun(
      testContext(db.database()),
      [signed({ decision: 'edit', output: 'Twice a day.' }), signed({ decision: 'override', score: 1, version: 1 })],
      { maxIterations: 5 },
    );
    expect(await gate.deliver()).toMatchObject({ state: 'decided', outcome: 'Taken: edit of version 1.' });
    expect(await gate.perform()).toMatchObject({ status: 'waiting', waitingFor: { version: 1 } });
    expect(await gate.deliver()).toMatchObject({ state: 'decided', outcome: 'Taken: override of version 1.' });
    expect(await gate.perform()).toMatchObject({
      status: 'finished',
      convergenceReason: 'quality_met',
      finalVersion: 1,
      finalOutput: 'Twice a day.',
    });
    expect(gate.server.requests.map(({ body }) => body.version)).toEqual([0, 1]);
    expect(await gate.deliveries()).toHaveLength(2);
    await gate.server.close();
  });

  test.each<[string, Partial<ExperimentSettingsInput>]>([
    ['human scores are requested', { criteria: [{ name: 'taste', evaluator: 'human' }] }],
    ['no webhook is configured', { callbacks: { webhook: null } }],
  ])('not if %s', async (_name, settings) => {
    const gate = await decidingRun(testContext(db.database()), [signed(ACCEPT)], settings);
    expect((await gate.record()).status).toBe('waiting');
    expect(await gate.deliveries()).toEqual([]);
    await gate.server.close();
  });
});

/** A proxy between Hone and a webhook that records the bytes of a response and replays them later. */
function captured(): { keep(answer: Answer): Answer; replay: Answer } {
  let bytes: { headers: Record<string, string>; text: string } | null = null;
  return {
    keep: (answer) => (response, body, request) => {
      const end = response.end.bind(response);
      const writeHead = response.writeHead.bind(response);
      let headers: Record<string, string> = {};
      response.writeHead = ((code: number, given: Record<string, string>) => {
        headers = given;
        return writeHead(code, given);
      }) as typeof response.writeHead;
      response.end = ((text: string) => {
        bytes = { headers, text };
        return end(text);
      }) as typeof response.end;
      answer(response, body, request);
    },
    replay: (response) => {
      if (bytes === null) throw new Error('nothing was captured');
      response.writeHead(200, bytes.headers);
      response.end(bytes.text);
    },
  };
}

function expectEnd(delivery: WebhookDelivery, { error, outcome, ...exact }: End): void {
  expect(delivery).toMatchObject({
    ...exact,
    nextTryAt: null,
    ...(error === undefined ? {} : { error: error === null ? null : expect.stringMatching(error) }),
    ...(outcome === undefined ? {} : { outcome: outcome === null ? null : expect.stringMatching(outcome) }),
  });
}
