import { blindPairsSchema } from '#lib/api/experiments-schema.ts';
import { judgeAgreementSchema } from '#lib/statistics/judge-agreement.ts';
import { expect, test } from './api-test.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const MANY = { maxIterations: 3, qualityThreshold: 1, convergence: null };

test('serves anonymous pairs, accepts one judgement per pair, and computes judge agreement', async ({ api }) => {
  const experimentId = await api.createExperiment(MANY);
  const runId = await api.startRun(experimentId, 'Explain how our rate limits work.');
  const { versions } = await api.waitForRun(runId, ['finished']);
  const path = `/api/v1/experiments/${experimentId}`;
  const pairs = () => api.read(blindPairsSchema, 'GET', `${path}/blind-pairs?limit=200`);
  expect(await api.read(judgeAgreementSchema, 'GET', `${path}/agreement`)).toMatchObject({
    judgements: 0,
    interval: null,
  });

  const { items, remaining } = await pairs();
  expect(items.length).toBe(remaining);
  expect(items.length).toBeGreaterThan(1);
  const outputs = versions.map(({ output }) => output);
  for (const { task, left, right } of items) {
    expect(task).toBe('Explain how our rate limits work.');
    expect(outputs).toContain(left);
    expect(outputs).toContain(right);
    expect(left).not.toBe(right);
  }
  expect((await api.read(blindPairsSchema, 'GET', `${path}/blind-pairs?limit=1`)).items).toEqual(items.slice(0, 1));

  const scoreOf = (output: string) =>
    versions.find((version) => version.output === output)?.evaluations.at(-1)?.overallScore ?? 0;
  for (const { pair, left, right } of items) {
    const choice = scoreOf(left) === scoreOf(right) ? 'tie' : scoreOf(left) > scoreOf(right) ? 'left' : 'right';
    expect(await api.call('POST', `${path}/preferences`, { pair, choice, seconds: 1.5 })).toMatchObject({
      status: 201,
    });
  }
  expect(await pairs()).toEqual({ items: [], judged: items.length, remaining: 0 });
  const agreement = await api.read(judgeAgreementSchema, 'GET', `${path}/agreement`);
  expect(agreement).toMatchObject({ judgements: items.length, people: 1, pairs: items.length, equalScores: 0 });
  expect(agreement.agreed).toBe(agreement.picks);
  expect(agreement.picks + agreement.ties).toBe(items.length);
  expect(agreement.interval?.share).toBe(1);
});

test('rejects invalid judgements with their field', async ({ api }) => {
  const experimentId = await api.createExperiment(MANY);
  await api.waitForRun(await api.startRun(experimentId), ['finished']);
  const path = `/api/v1/experiments/${experimentId}`;
  const [first] = (await api.read(blindPairsSchema, 'GET', `${path}/blind-pairs`)).items;
  const { pair } = first ?? { pair: '' };
  const post = (body: unknown, to = path) => api.call('POST', `${to}/preferences`, body);
  const refusal = (code: string, field?: string) => ({
    error: expect.objectContaining({ code, ...(field && { field }) }),
  });
  expect(await post({ pair, choice: 'better' })).toMatchObject({ status: 400, body: refusal('invalid', 'choice') });
  expect(await post({ pair: 'x', choice: 'tie' })).toMatchObject({ status: 400, body: refusal('invalid', 'pair') });
  expect(await post({ choice: 'tie' })).toMatchObject({ status: 400, body: refusal('invalid', 'pair') });
  expect(await post({ pair, choice: 'tie', seconds: 'long' })).toMatchObject({ status: 400 });
  expect(await post({ pair, choice: 'tie' }, `/api/v1/experiments/${UNKNOWN_ID}`)).toMatchObject({ status: 400 });
  expect(await post({ pair, choice: 'tie' })).toMatchObject({ status: 201, body: { judged: 1 } });
  expect(await post({ pair, choice: 'tie' })).toMatchObject({ status: 409, body: refusal('conflict', 'pair') });
  for (const limit of ['0', '201', 'x'])
    expect(await api.call('GET', `${path}/blind-pairs?limit=${limit}`)).toMatchObject({ status: 400 });
  for (const part of ['blind-pairs', 'agreement'])
    expect((await api.call('GET', `/api/v1/experiments/${UNKNOWN_ID}/${part}`)).status).toBe(404);
});
