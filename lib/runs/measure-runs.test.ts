import { expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { digestRun } from '#lib/statistics/digest-run.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide } from './decide.ts';
import { loadRun } from './load-run.ts';
import { makeSearchable, measureRuns, newestRunNumber } from './run-measures.ts';

const db = useTestDatabase();
const signal = new AbortController().signal;
const GUIDE = { input: 'Explain how to verify a webhook and handle retries.' };

/** Performs a run until it ends or waits, and returns helpers to read its stored measures. */
async function performed(settings: ExperimentSettingsInput, task: { input: string; reference?: string }) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, task);
  await performRun(testWorkerContext(context), runId);
  const stored = async () => {
    const found = await loadRun(db.database(), runId);
    if (found === null) throw new Error('no run');
    return found;
  };
  const kept = async () => {
    const { rows } = await db.database().pool.query<Record<string, unknown>>(
      `SELECT run_id, experiment_id, experiment_version, format, ended_at AS "endedAt", scores, scored_versions AS "scoredVersions",
         first_score AS "firstScore", best_score AS "bestScore", last_score AS "lastScore", solved_at AS "solvedAt",
         last_satisfactory AS "lastSatisfactory", evaluations, unscored, issues_named AS "issuesNamed", issues_resolved AS "issuesResolved",
         checks_failing AS "checksFailing", checks_corrected AS "checksCorrected", checks_passing AS "checksPassing",
         checks_introduced AS "checksIntroduced", retries_after_fail AS "retriesAfterFail", repeated_answers AS "repeatedAnswers",
         judged, searched FROM run_measures WHERE run_id = $1`,
      [runId],
    );
    return rows[0] ?? null;
  };
  const digested = async () => {
    const { run, settings: own, history } = await stored();
    return {
      ...digestRun(history, own, run),
      run_id: runId,
      experiment_id: run.experimentId,
      experiment_version: run.experimentVersion,
      endedAt: new Date(run.finishedAt ?? ''),
    };
  };
  return { context, runId, stored, kept, digested };
}

const found = async (words: string) => {
  const { rows } = await db
    .database()
    .pool.query<{ run_id: string }>(`SELECT run_id FROM run_measures WHERE search @@ plainto_tsquery('simple', $1)`, [
      words,
    ]);
  return rows.map(({ run_id }) => run_id);
};

test('stores all measures of a run when it ends', async () => {
  const { kept, digested } = await performed(PRACTICE_WRITING, GUIDE);
  const row = await kept();
  expect(row).toEqual({ ...(await digested()), searched: true });
  expect(Number(row?.scoredVersions)).toBeGreaterThan(1);
});

test('stores the attempts of a run in retry mode, and updates the measures after an override', async () => {
  const { context, runId, kept, digested } = await performed(PRACTICE_SUMS, {
    input: 'What is 3 + 4?',
    reference: '7',
  });
  expect(await kept()).toEqual({ ...(await digested()), searched: true });
  const before = await kept();
  const last = (Array.isArray(before?.scores) ? before.scores.length : 0) - 1;
  const reversed = before?.lastScore === 1 ? 0 : 1;
  unwrap(
    await decide(context, TESTER, runId, { decision: 'override', version: last, score: reversed, reason: 'wrong' }),
  );
  expect(await kept()).toMatchObject({ lastScore: reversed, lastSatisfactory: reversed === 1 });
  expect(await kept()).toEqual({ ...(await digested()), searched: true });
});

test('deletes the measures of a resumed run until it ends again', async () => {
  const { context, runId, kept, stored, digested } = await performed(
    { ...PRACTICE_WRITING, callbacks: { pause: 'before_revision' }, qualityThreshold: 1 },
    GUIDE,
  );
  expect(await kept()).toBeNull();
  const { history } = await stored();
  unwrap(await decide(context, TESTER, runId, { decision: 'stop', pauseId: history.pause?.pauseId }));
  expect(await kept()).toMatchObject({ scoredVersions: 1 });
  unwrap(await resumeRun(context, TESTER, runId));
  expect(await kept()).toBeNull();
  await performRun(testWorkerContext(context), runId);
  const again = await stored();
  unwrap(
    await decide(context, TESTER, runId, { decision: 'accept', version: 0, pauseId: again.history.pause?.pauseId }),
  );
  expect(await kept()).toEqual({ ...(await digested()), searched: true });
});

test('fills in missing and outdated measures of ended runs only', async () => {
  await measureRuns({ database: db.database() }, signal);
  const ended = await performed(PRACTICE_SUMS, { input: 'What is 5 + 6?', reference: '11' });
  const old = await performed(PRACTICE_SUMS, { input: 'What is 6 + 6?', reference: '12' });
  const waits = await performed({ ...PRACTICE_WRITING, callbacks: { pause: 'always' } }, GUIDE);
  expect(await measureRuns({ database: db.database() }, signal)).toBe(0);
  const { pool } = db.database();
  await pool.query('DELETE FROM run_measures WHERE run_id = $1', [ended.runId]);
  await pool.query('UPDATE run_measures SET format = 0, best_score = NULL WHERE run_id = $1', [old.runId]);
  expect(await measureRuns({ database: db.database() }, signal)).toBe(2);
  expect(await ended.kept()).toEqual({ ...(await ended.digested()), searched: true });
  expect(await old.kept()).toEqual({ ...(await old.digested()), searched: true });
  expect(await waits.kept()).toBeNull();
});

test('skips runs up to the last surveyed run number', async () => {
  const { runId, stored } = await performed(PRACTICE_SUMS, { input: 'What is 8 + 6?', reference: '14' });
  const { pool } = db.database();
  await pool.query('DELETE FROM run_measures WHERE run_id = $1', [runId]);
  const { number } = (await stored()).run;
  expect(await newestRunNumber(db.database())).toBe(number);
  expect(await measureRuns({ database: db.database() }, signal, number)).toBe(0);
  expect(await measureRuns({ database: db.database() }, signal, number - 1)).toBe(1);
});

test('makes input and outputs searchable, and updates them after a manual change', async () => {
  const { context, runId, stored } = await performed(PRACTICE_WRITING, { input: 'Explain zebrafish to a child.' });
  expect(await found('zebrafish')).toEqual([runId]);
  const [first] = (await stored()).history.versions;
  const word = first?.output.match(/[a-z]{6,}/)?.[0] ?? 'none';
  expect(await found(word)).toContain(runId);
  await db
    .database()
    .pool.query(`UPDATE reflection_versions SET output = output || ' quokka' WHERE run_id = $1`, [runId]);
  unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.1, reason: 'no' }));
  expect(await found('quokka')).toEqual([runId]);
});

test('indexes only the beginning of a text with too many different words', async () => {
  const { runId } = await performed(PRACTICE_SUMS, { input: 'What is 2 + 2?', reference: '4' });
  // Distinct words of three-byte characters exceed the size limit of the search index.
  const words = Array.from({ length: 60_000 }, (_, at) =>
    String.fromCodePoint(0x4e00 + (at % 20_000), 0x4e00 + Math.floor(at / 3), 0x4e00 + ((at * 7) % 20_000)),
  );
  const { pool } = db.database();
  await pool.query('UPDATE reflection_versions SET output = $2 WHERE run_id = $1', [runId, words.join(' ')]);
  await pool.query('UPDATE run_measures SET searched = false WHERE run_id = $1', [runId]);
  await makeSearchable({ database: db.database() }, signal);
  expect(await found(words[10] ?? '')).toEqual([runId]);
  expect(await found(words[50_000] ?? '')).toEqual([]);
});
