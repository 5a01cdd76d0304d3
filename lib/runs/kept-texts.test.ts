import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { requestReflection } from '#lib/worker/request-reflection.ts';
import { decide } from './decide.ts';
import { findRun } from './queries.ts';
import { rescoreVersion } from './rescores.ts';

const db = useTestDatabase();
const FOUR: ExperimentSettingsInput = {
  ...PRACTICE_WRITING,
  qualityThreshold: 1,
  maxIterations: 3,
  convergence: null,
  preserveAllVersions: false,
};

async function performed(changes: Partial<ExperimentSettingsInput> = {}) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...FOUR, ...changes }, { input: 'Explain our rate limits to a new user' });
  await performRun(testWorkerContext(context), runId);
  return { context, runId };
}

const stored = (runId: string) => storedRun(db.database(), runId);

const texts = async (runId: string) =>
  (await stored(runId)).history.versions.map(({ output, outputDropped }) =>
    outputDropped ? `dropped ${output}` : 'kept',
  );

describe('preserveAllVersions: false', () => {
  test('keeps only the first, best and final text at the end, and all scores', async () => {
    const { runId } = await performed();
    const { history, run } = await stored(runId);
    expect(history.versions).toHaveLength(4);
    const kept = [0, run.finalVersion, (await findRun(db.database(), runId))?.record.bestVersion];
    expect(history.versions.filter(({ outputDropped }) => !outputDropped).map(({ number }) => number)).toEqual(
      [0, 1, 2, 3].filter((number) => kept.includes(number)),
    );
    for (const { output, outputDropped } of history.versions) expect(output === '').toBe(outputDropped);
    expect(history.versions.some(({ outputDropped }) => outputDropped)).toBe(true);
    expect(history.evaluations.map(({ version, status }) => [version, status])).toEqual(
      [0, 1, 2, 3].map((version) => [version, 'scored']),
    );
    const record = (await findRun(db.database(), runId))?.record;
    expect(record?.bestOutput).toMatch(/\S/);
    expect(record?.versions.map(({ outputDropped }) => outputDropped)).toEqual(
      history.versions.map(({ outputDropped }) => outputDropped),
    );
  });

  test('a dropped text cannot be accepted, reflected on or re-scored', async () => {
    const { context, runId } = await performed();
    const version = (await stored(runId)).history.versions.find(({ outputDropped }) => outputDropped)?.number ?? -1;
    const refused = { ok: false, problem: { code: 'conflict', message: expect.stringContaining('not kept') } };
    expect(await decide(context, TESTER, runId, { decision: 'accept', version })).toMatchObject(refused);
    const { signal } = new AbortController();
    expect(await requestReflection(context, TESTER, runId, { version }, signal)).toMatchObject(refused);
    expect(await rescoreVersion(context, TESTER, runId, version, { times: 1 })).toMatchObject(refused);
  });

  test('a later score drops no more texts', async () => {
    const { context, runId } = await performed();
    const before = await texts(runId);
    unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 1 }));
    expect(await texts(runId)).toEqual(before);
  });

  test('a waiting or stopped run keeps all texts; a later accept keeps the accepted one', async () => {
    const { context, runId } = await performed({ callbacks: { pause: 'before_finish' } });
    expect(await texts(runId)).toEqual(['kept', 'kept', 'kept', 'kept']);
    const pauseId = (await stored(runId)).history.pause?.pauseId ?? '';
    unwrap(await decide(context, TESTER, runId, { decision: 'stop', pauseId }));
    expect(await texts(runId)).toEqual(['kept', 'kept', 'kept', 'kept']);
    unwrap(await decide(context, TESTER, runId, { decision: 'accept', version: 1 }));
    const after = await texts(runId);
    expect([after[0], after[1]]).toEqual(['kept', 'kept']);
    expect(after).toContain('dropped ');
  });

  test('keeps all texts if preserveAllVersions is true', async () => {
    const { runId } = await performed({ preserveAllVersions: true });
    expect(await texts(runId)).toEqual(['kept', 'kept', 'kept', 'kept']);
  });
});
