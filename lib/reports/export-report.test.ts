import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { agentLines } from '#lib/exchange/agent-run.test-support.ts';
import { importRuns } from '#lib/exchange/import-runs.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { recordQueries } from '#lib/testing/record-queries.test-support.ts';
import { PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { exportReport, writeReport } from './export-report.ts';
import { readReport } from './read-report.ts';

const { database } = useTestDatabase();
const HOSTILE = '<script>alert("x")</script><img src=https://example.org/x onerror=alert(1)>';

/** Imports cases solved at the given attempt; null is a case not solved in three attempts. */
async function imported(name: string, solvedAt: (number | null)[]): Promise<string> {
  const lines = solvedAt.flatMap((solved, index) =>
    Array.from({ length: solved ?? 3 }, (_, attempt) => ({
      ...{ run: name, case: { id: `c${index}`, input: `${HOSTILE} ${index}` }, attempt: attempt + 1 },
      ...{ output: `answer ${attempt}`, solved: attempt + 1 === solved },
    })),
  );
  async function* bytes() {
    yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  }
  const options = { name, solvedFrom: 1, dryRun: false };
  return unwrap(await importRuns(testContext(database()), TESTER, bytes(), options)).experimentId ?? '';
}

async function reportOf(experimentId: string, origin: string | null = null): Promise<string> {
  const { chunks } = unwrap(await exportReport(testContext(database()), experimentId, origin));
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Returns the cells of the row with this header. */
function cells(page: string, head: string): string[] {
  const row = page.split('<tr>').find((part) => part.startsWith(`<th scope="row">${head}</th>`)) ?? '';
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text = '']) => text);
}

describe('exportReport', () => {
  test('shows the curve, stop reasons and targets with n and intervals', async () => {
    const page = await reportOf(await imported('Retries', [1, 1, 2, 2, 2, 3, null, null]));
    // Wilson interval (1927) for 6 of 8.
    expect(page).toContain('Solved: 6 of 8 runs, 75% (41% to 93%).');
    expect([cells(page, '1')[0], cells(page, '2')[0], cells(page, '3')[0]]).toEqual(['2 of 8', '5 of 8', '6 of 8']);
    expect(cells(page, 'quality met')).toEqual(['6', '75%']);
    expect(cells(page, 'no more attempts')).toEqual(['2', '25%']);
    expect(cells(page, 'Satisfactory within 3 iterations').slice(0, 2)).toEqual(['70%', '6 of 8']);
    // Imported runs without cost.
    expect(cells(page, 'Cost of a gain of 0.10')).toEqual(['8 runs', 'not known']);
    expect(cells(page, 'Cost of a solved run')).toEqual(['6 runs', 'not known']);
    expect(page).toContain('imported runs');
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page.split('</style>')[1]?.replaceAll(/&#?\w+;/g, '')).not.toMatch(/; \w/);
  });

  test('reads runs again only after one of them has changed', async () => {
    const solved = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? null : 1));
    const experimentId = await imported('Again', solved);
    const first = await reportOf(experimentId);
    const { database: recording, recorded } = recordQueries(database());
    const context = testContext(recording);
    expect(writeReport(unwrap(await readReport(context, experimentId)))).toBe(first);
    expect(recorded.every(({ rows, characters }) => rows < 10 && characters < 20_000)).toBe(true);
    const [run] = await database().prisma.run.findMany({
      where: { experimentId },
      orderBy: { number: 'asc' },
      take: 1,
    });
    unwrap(await deleteRun(context, TESTER, run?.id ?? ''));
    const after = await reportOf(experimentId);
    expect(after).toContain('39 ended runs of 39 cases');
    expect(after).toContain('Solved: 30 of 39 runs');
  });

  test('counts cases, not runs, in the intervals of the mean scores', async () => {
    const experimentId = await imported('Repeated', [1, 1, 1, null]);
    const { prisma } = database();
    const solved = { experimentId, success: true };
    const { count } = await prisma.run.updateMany({ where: solved, data: { input: 'the same' } });
    expect(count).toBe(3);
    expect(await reportOf(experimentId)).toMatch(/best version 0\.50 \([^)]*, n = 2 cases\)/);
  });

  test('lists the agents that made the attempts and their tools', async () => {
    async function* lines() {
      yield Buffer.from(agentLines());
    }
    const options = { name: 'Agents', solvedFrom: 1, dryRun: false };
    const stored = unwrap(await importRuns(testContext(database()), TESTER, lines(), options));
    const page = await reportOf(stored.experimentId ?? '');
    expect(page).toContain('attempts made by a supervisor of reader');
    expect(cells(page, 'main')).toEqual(['practice/practice-1', 'calculator', '10']);
    expect(cells(page, 'reader')).toEqual(['practice/practice-1', 'none', '6']);
    expect(page).toContain('A person was asked before each use of calculator.');
    expect(await reportOf(await imported('No agents', [1]))).not.toContain('<h2>Agents</h2>');
  });

  test('states the agreement of blind reviews with the scores and between reviewers', async () => {
    const experimentId = await imported('Blind', [2, 2, 2, 2, 2, 2, 2, 2]);
    expect(await reportOf(experimentId)).not.toContain('Blind reviews');
    const { prisma } = database();
    const runs = await prisma.run.findMany({ where: { experimentId }, orderBy: { number: 'asc' } });
    const pair = { experimentId, firstVersion: 0, secondVersion: 1, leftVersion: 0, seconds: null, at: new Date() };
    const choices = runs.flatMap(({ id: runId }, at) => [
      { ...pair, runId, actorId: 'a', actor: 'Ada', choice: 'right' },
      { ...pair, runId, actorId: 'b', actor: 'Bo', choice: at < 6 ? 'right' : 'left' },
    ]);
    await prisma.preference.createMany({ data: choices.map((one) => ({ ...one, id: randomUUID() })) });
    const page = await reportOf(experimentId, 'https://hone.example');
    expect(page).toContain('16 judgements of 8 pairs by 2 people, of all settings versions.');
    expect(cells(page, 'Reviewers with the scores').slice(0, 2)).toEqual(['14 of 16', '88% (59% to 97%)']);
    expect(cells(page, 'Reviewers with each other')).toEqual(['6 of 8', '75% (41% to 93%)', '0.00 (no interval)']);
    expect(page).toContain('because one of the two always gave the same answer');
    expect(page).toContain(`<a href="https://hone.example/insights?of=${experimentId}#reviewers">`);
    expect(await reportOf(experimentId)).not.toContain('<a ');
  });

  test('links to the agreement between reviewers only if Insights show it', async () => {
    const experimentId = await imported('Blind alone', [2, 2]);
    const { prisma } = database();
    const runs = await prisma.run.findMany({ where: { experimentId } });
    const one = { experimentId, firstVersion: 0, secondVersion: 1, leftVersion: 0, seconds: null, at: new Date() };
    await prisma.preference.createMany({
      data: runs.map(({ id: runId }) => {
        return { ...one, id: randomUUID(), runId, actorId: 'a', actor: 'Ada', choice: 'right' };
      }),
    });
    const page = await reportOf(experimentId, 'https://hone.example');
    expect(page).toContain('2 judgements of 2 pairs by 1 person');
    expect(page).toContain('No pair was judged by several people.');
    expect(page).not.toContain('#reviewers');
    expect(page).not.toContain('Reviewers with each other');
  });

  test('is self-contained: no scripts, no external resources, and escaped user text', async () => {
    const page = await reportOf(await imported(HOSTILE.slice(0, 80), [1, null]));
    expect(page).not.toMatch(/<script|<img|<link|<iframe|\son\w+=[^&]*>|url\(|@import/i);
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
    expect(page.match(/https?:/g)?.length).toBe(page.match(/src=https:/g)?.length);
    expect(page).toContain(`default-src 'none'`);
  });

  test.each<['better' | 'worse', (number | null)[], (number | null)[], string]>([
    [
      'better',
      Array.from({ length: 12 }, () => null),
      Array.from({ length: 12 }, () => 1),
      'Better than the baseline: solved 100% against 0% (+100 points',
    ],
    [
      'worse',
      Array.from({ length: 12 }, () => 1),
      Array.from({ length: 12 }, () => null),
      'Worse than the baseline: solved 0% against 100% (−100 points',
    ],
  ])('compares it with its source: %s', async (name, before, after, sentence) => {
    const parentId = await imported(`parent, ${name}`, before);
    const id = await imported(`child, ${name}`, after);
    await database().prisma.experiment.update({ where: { id }, data: { parentId, parentVersion: 1 } });
    const page = await reportOf(id);
    expect(page).toContain(`Against parent, ${name}, which it was made from`);
    expect(page).toContain(sentence);
  });

  test('labels practice data and states that no run has ended', async () => {
    const { id } = unwrap(
      await createExperiment(testContext(database()), TESTER, { name: 'New', ...PRACTICE_WRITING }),
    );
    const page = await reportOf(id);
    expect([page.includes('Practice data.'), page.includes('No run has ended yet.')]).toEqual([true, true]);
  });

  test('returns not_found for an unknown experiment', async () => {
    const none = await exportReport(testContext(database()), '00000000-0000-4000-8000-000000000000');
    expect(none).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  });
});
