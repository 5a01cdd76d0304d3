import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { listExperiments } from '#lib/experiments/list-experiments.ts';
import { storeFile } from '#lib/files/stored-files.ts';
import { admitLessons } from '#lib/lessons/admit-lessons.ts';
import { reviewLesson } from '#lib/lessons/review-lesson.ts';
import { findBatch } from '#lib/runs/batches.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { costPerPoint } from '#lib/statistics/batch-report.ts';
import { PRACTICE_SUMS, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { requestRetrospective } from '#lib/worker/request-retrospectives.ts';
import { exportRuns } from './export-runs.ts';
import { type ImportOptions, importRuns } from './import-runs.ts';

const { database } = useTestDatabase();
const PLAIN: ImportOptions = { name: null, solvedFrom: 0.8, dryRun: false };

type Given = Record<string, unknown>;

/** Returns a line that differs from a plain first attempt by the given fields. */
function line(given: Given = {}): Given {
  return {
    run: 'r',
    case: { id: 'a', input: '1 + 1', reference: '2' },
    attempt: 1,
    output: '3',
    solved: false,
    ...given,
  };
}

async function* bytesOf(...lines: (Given | string)[]) {
  yield Buffer.from(lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
}

function bring(options: Partial<ImportOptions>, ...lines: (Given | string)[]) {
  return importRuns(testContext(database()), TESTER, bytesOf(...lines), { ...PLAIN, ...options });
}

function experiments() {
  return database().prisma.experiment.count();
}

test('reports missing files with their runs', async () => {
  const file = (id: string, more: object = {}) => ({ type: 'file', file: id, mediaType: 'image/png', ...more });
  const asks = (...parts: object[]) => [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] }];
  const bytes = Buffer.from('A note that an import names.');
  const here = unwrap(await storeFile(testContext(database()), TESTER, { bytes, name: null }));
  const [lost, other] = ['c'.repeat(64), 'd'.repeat(64)];
  const lines = [
    line({ case: { id: 'a', input: asks(file(here.id, { mediaType: 'text/plain' })) } }),
    line({ case: { id: 'b', input: asks(file(lost, { name: 'box.png' })) } }),
    line({ case: { id: 'b', input: asks(file(lost, { name: 'box.png' })) }, attempt: 2 }),
    line({ case: { id: 'c', input: asks(file(lost), file(other)) } }),
  ];
  const missingFiles = [
    { file: lost, mediaType: 'image/png', name: 'box.png', runs: 2, run: 'r', caseId: 'b', line: 2 },
    { file: other, mediaType: 'image/png', name: null, runs: 1, run: 'r', caseId: 'c', line: 4 },
  ];
  expect(unwrap(await bring({ dryRun: true }, ...lines))).toMatchObject({
    missingFiles,
    missingFileCount: 2,
    problems: [],
  });
  expect(unwrap(await bring({}, ...lines))).toMatchObject({ runs: 3, missingFiles });
  const many = Array.from({ length: 120 }, (_, at) => file(at.toString(16).padStart(64, 'e')));
  const parts = Array.from({ length: 6 }, (_, at) => many.slice(at * 20, at * 20 + 20));
  const found = unwrap(
    await bring({ dryRun: true }, ...parts.map((some, at) => line({ case: { id: String(at), input: asks(...some) } }))),
  );
  expect([found.missingFiles.length, found.missingFileCount]).toEqual([100, 120]);
});

describe('importRuns', () => {
  test('groups lines of one run and case into one history, in any order', async () => {
    const other = { id: 'b', input: '2 + 2', reference: null, tags: ['sums'], metadata: { level: 1 } };
    const imported = unwrap(
      await bring(
        {},
        line({ attempt: 2, output: '2', solved: true, at: '2024-05-01T10:01:00Z', tokens: { input: 20, output: 2 } }),
        line({ case: other, output: '5', solved: false, model: 'm-1' }),
        line({
          lesson: 'Count again.',
          feedback: 'no',
          issues: ['too high'],
          costUsd: 0.5,
          at: '2024-05-01T12:00:00+02:00',
          tokens: 3,
        }),
      ),
    );
    expect(imported).toMatchObject({
      ...{ name: 'r', runs: 2, cases: 2, attempts: 3, lessons: 1, models: ['m-1'], solvedByAttempt: [0, 1] },
      histories: [
        { run: 'r', caseId: 'a', line: 3, scores: [0, 1], solvedAt: 2 },
        { run: 'r', caseId: 'b', line: 2, scores: [0], solvedAt: null },
      ],
    });
    const rows = await database().prisma.run.findMany({
      where: { batchId: imported.batchId ?? '' },
      orderBy: { number: 'asc' },
    });
    expect(rows).toMatchObject([
      {
        importedRun: 'r',
        importedCase: 'a',
        status: 'finished',
        convergenceReason: 'quality_met',
        success: true,
        satisfied: '01',
        bestVersion: 1,
        inputTokens: 20,
        outputTokens: 5,
        costUsd: 0.5,
        unpriced: true,
      },
      {
        importedRun: 'r',
        importedCase: 'b',
        status: 'finished',
        convergenceReason: 'max_iterations',
        success: false,
        satisfied: '0',
        tags: ['sums'],
        metadata: { level: 1 },
        repetition: 0,
      },
    ]);
    const listed = await listRuns(database(), { batchId: imported.batchId, cursor: null, limit: 2 });
    expect(listed.items.map(({ imported: isImported }) => isImported)).toEqual([true, true]);
    const run = await loadRun(database(), rows[0]?.id ?? '');
    expect(run).toMatchObject({
      run: { createdAt: '2024-05-01T10:00:00.000Z', finishedAt: '2024-05-01T10:01:00.000Z' },
      settings: { mode: 'retry', generator: { provider: 'imported', model: 'm-1' }, maxAttempts: 2 },
      history: {
        versions: [
          { number: 0, output: '3', costUsd: 0.5, createdAt: '2024-05-01T10:00:00.000Z' },
          { number: 1, output: '2', costUsd: null },
        ],
        evaluations: [
          {
            by: 'machine',
            overallScore: 0,
            satisfactory: false,
            feedback: 'no',
            issues: [{ criterion: null, text: 'too high' }],
          },
          { by: 'machine', overallScore: 1, satisfactory: true },
        ],
        lessons: [{ version: 0, kind: 'lesson', text: 'Count again.' }],
      },
    });
    const batch = await findBatch(database(), imported.batchId ?? '');
    expect(batch?.report).toMatchObject({ total: 2, ended: 2, solvedByIteration: [0, 1] });
    expect(await database().prisma.runMeasure.count({ where: { experimentId: imported.experimentId ?? '' } })).toBe(2);
  });

  test('imported lessons wait for admission and follow the usual steps', async () => {
    const context = testContext(database());
    const secret = 'Write to ada@example.org when the sum is wrong, and count on your fingers.';
    const { experimentId } = unwrap(await bring({}, line({ run: 'with a lesson', lesson: secret })));
    const ofImport = {
      where: {
        sourceInput: '1 + 1',
        runId: {
          in: (await database().prisma.run.findMany({ where: { experimentId: experimentId ?? '' } })).map(
            ({ id }) => id,
          ),
        },
      },
    };
    expect(await database().prisma.lesson.findMany(ofImport)).toMatchObject([
      { status: 'candidate', admission: 'waiting', text: secret, createdBy: 'imported/unknown' },
    ]);
    await admitLessons(context, new AbortController().signal);
    const [admitted] = await database().prisma.lesson.findMany(ofImport);
    expect(admitted).toMatchObject({ status: 'quarantined', admission: 'admitted' });
    expect(admitted?.text).not.toContain('ada@example.org');
  });

  test('an imported lesson cannot be promoted by its importer, in either line format', async () => {
    const context = testContext(database());
    const bringer = { id: 'token:9', memberId: 'bringer', name: 'ci (API token)', role: 'owner' } as const;
    const themselves = { id: 'bringer', memberId: 'bringer', name: 'Bringer', role: 'owner' } as const;
    const other = { id: 'other', memberId: 'other', name: 'Other', role: 'reviewer' } as const;
    const at = new Date();
    const row = { role: 'reviewer', createdAt: at, updatedAt: at };
    const members = ['bringer', 'other'].map((id) => ({ ...row, id, name: id, email: id }));
    await database().prisma.member.createMany({ data: members });
    const own = 'Carry the one before adding tens.';
    const plain = unwrap(await importRuns(context, bringer, bytesOf(line({ run: 'brought', lesson: own })), PLAIN));
    const changed = 'Read every question backwards first.';
    const download = unwrap(await exportRuns(context, plain.experimentId ?? '', 'jsonl'));
    const chunks: Uint8Array[] = [];
    for await (const chunk of download.chunks) chunks.push(chunk);
    const exported = Buffer.concat(chunks).toString();
    expect(exported).toContain('"stored"');
    unwrap(await importRuns(context, bringer, bytesOf(exported.replaceAll(own, changed)), PLAIN));
    await admitLessons(context, new AbortController().signal);
    for (const text of [own, changed]) {
      const { id } = await database().prisma.lesson.findFirstOrThrow({ where: { text } });
      for (const actor of [bringer, themselves])
        expect(
          await reviewLesson(context, actor, id, { verdict: 'promote', reason: 'good', editCount: 0 }),
        ).toMatchObject({
          ok: false,
          problem: { code: 'forbidden', message: expect.stringContaining('someone else must promote') },
        });
      unwrap(await reviewLesson(context, other, id, { verdict: 'promote', reason: 'good', editCount: 0 }));
    }
  });

  test.each<[string, Given[], { scores: (number | null)[]; satisfied: string }]>([
    ['a score at or above the threshold', [line({ solved: null, score: 0.8 })], { scores: [0.8], satisfied: '1' }],
    ['a score below the threshold', [line({ solved: null, score: 0.79 })], { scores: [0.79], satisfied: '0' }],
    ['the outcome in the line', [line({ solved: false, score: 0.9 })], { scores: [0.9], satisfied: '0' }],
    [
      'no score, which is a gap and never 0',
      [line({ solved: null }), line({ attempt: 2, score: 0.5, solved: null })],
      { scores: [null, 0.5], satisfied: '00' },
    ],
  ])('solved by %s', async (name, lines, expected) => {
    const { batchId } = unwrap(await bring({}, ...lines.map((one) => ({ ...one, run: name }))));
    const run = await database().prisma.run.findFirstOrThrow({
      where: { batchId: batchId ?? '' },
      include: { measure: true },
    });
    expect({ scores: run.measure?.scores, satisfied: run.satisfied }).toEqual(expected);
  });

  test('a run with a solved attempt is solved, whatever the attempts after it scored', async () => {
    const { batchId, solvedByAttempt } = unwrap(
      await bring(
        { name: 'went on' },
        line({ score: 0.9, solved: null }),
        line({ attempt: 2, score: null, solved: null }),
        line({ attempt: 3, score: 0.1, solved: null }),
      ),
    );
    const batch = await findBatch(database(), batchId ?? '');
    expect([solvedByAttempt, batch?.succeeded, batch?.report.solved]).toEqual([[1, 1, 1], 1, 1]);
    const run = await database().prisma.run.findFirst({ where: { batchId: batchId ?? '' } });
    expect(run).toMatchObject({ convergenceReason: 'quality_met', success: true, finalVersion: 0 });
  });

  test('the cost per point is the same in lists and batches if a first attempt has no score', async () => {
    const one = { run: 'gap', costUsd: 0.01, solved: null };
    const gap = { ...one, case: { id: 'gap', input: 'Begins without a score' } };
    const { batchId, experimentId } = unwrap(
      await bring(
        { name: 'gap' },
        line({ ...one, score: 0.2 }),
        line({ ...one, attempt: 2, score: 0.8 }),
        line({ ...gap, score: null }),
        line({ ...gap, attempt: 2, score: 0.1 }),
      ),
    );
    const batch = await findBatch(database(), batchId ?? '');
    expect(batch && costPerPoint(batch.report)).toBeCloseTo(0.04 / 6, 9);
    const { items } = await listExperiments(database(), { cursor: null, limit: 50 });
    expect(items.find(({ id }) => id === experimentId)?.costPerPointUsd).toBeCloseTo(0.04 / 6, 9);
  });

  test('the same case in another run becomes another run', async () => {
    const { batchId, cases } = unwrap(await bring({ name: 'twice' }, line({ run: 'one' }), line({ run: 'two' })));
    const runs = await database().prisma.run.findMany({
      where: { batchId: batchId ?? '' },
      orderBy: { position: 'asc' },
    });
    expect([cases, ...runs.map(({ position, repetition }) => [position, repetition])]).toEqual([1, [0, 0], [1, 1]]);
    expect(runs[0]?.caseKey).toBe(runs[1]?.caseKey);
  });

  test('reports runs of one case together, in any order of the lines', async () => {
    const [one, other] = [
      { id: 'a', input: '1 + 1' },
      { id: 'b', input: '2 + 2' },
    ].map((task) => ({ case: task }));
    const lines = ['first', 'second', 'third'].flatMap((run) => [
      line({ ...one, run, solved: true }),
      line({ ...other, run }),
    ]);
    const { batchId } = unwrap(await bring({ name: 'in turn' }, ...lines));
    const batch = await findBatch(database(), batchId ?? '');
    const sorted = lines.toSorted((left, right) => JSON.stringify(left.case).localeCompare(JSON.stringify(right.case)));
    const again = unwrap(await bring({ name: 'by case' }, ...sorted));
    expect(batch?.report).toMatchObject({ total: 6, cases: 2 });
    expect(batch?.report).toEqual((await findBatch(database(), again.batchId ?? ''))?.report);
    await database().prisma.run.updateMany({
      where: { batchId: batchId ?? '', position: 0 },
      data: { criteria: { short: { threshold: 1 } } },
    });
    expect((await findBatch(database(), batchId ?? ''))?.report.cases).toBe(3);
  });

  test('rejects tokens, costs and times that cannot be stored, by line', async () => {
    const tokens = { input: 1_500_000_000, output: 0 };
    const refused = [
      await bring({ dryRun: true }, line({ tokens }), line({ attempt: 2, tokens })),
      await bring({ dryRun: true }, line({ costUsd: 1_500_000_000 }), line({ attempt: 2, costUsd: 1_500_000_000 })),
      await bring({ dryRun: true }, line({ at: '0000-01-01T00:00:00Z' })),
      await bring({ dryRun: true }, line({ at: '9999-12-31T23:59:59-12:00' })),
    ];
    expect(refused.map((one) => unwrap(one).problems.map((problem) => `${problem.line}: ${problem.message}`))).toEqual([
      [expect.stringMatching(/^2: the tokens of run/)],
      [expect.stringMatching(/^2: the cost of run/)],
      [expect.stringMatching(/^1: at must be a time from 1970 to 9999/)],
      [expect.stringMatching(/^1: at must be a time from 1970 to 9999/)],
    ]);
  });

  test('creates no second copy of the same content, even concurrently', async () => {
    const content = line({ run: 'once' });
    const both = await Promise.all([bring({ name: 'first' }, content), bring({ name: 'second' }, content, '')]);
    const again = unwrap(await bring({}, content));
    const ids = new Set([...both.map(unwrap), again].map(({ experimentId }) => experimentId));
    expect([ids.size, again.repeated, both.map((one) => unwrap(one).repeated).sort()]).toEqual([
      1,
      true,
      [false, true],
    ]);
  });

  test('is not confused with a batch that was started with a similar idempotency key', async () => {
    const context = testContext(database());
    const content = JSON.stringify(line({ run: 'key' }));
    const idempotencyKey = `import:${createHash('sha256').update(`${content}\n`).digest('hex')}`;
    const { id } = unwrap(await createExperiment(context, TESTER, { ...PRACTICE_SUMS, name: 'own' }));
    unwrap(
      await startBatch(context, TESTER, id, { input: '1 + 1', reference: '2' }, { idempotencyKey, watched: false }),
    );
    const first = unwrap(await bring({ name: 'key' }, content));
    expect(first).toMatchObject({ repeated: false, experimentId: expect.not.stringContaining(id) });
    expect(unwrap(await bring({}, content))).toMatchObject({ repeated: true, experimentId: first.experimentId });
  });

  test('finds an import of an earlier version of Hone', async () => {
    const content = line({ run: 'earlier' });
    const first = unwrap(await bring({ name: 'earlier' }, content));
    const { batch } = database().prisma;
    const where = { id: first.batchId ?? '' };
    const { idempotencyKey } = await batch.findUniqueOrThrow({ where });
    await batch.update({ where, data: { idempotencyKey: idempotencyKey?.replace('\t', ':') ?? null } });
    expect(unwrap(await bring({}, content))).toMatchObject({ repeated: true, batchId: first.batchId });
  });

  test('imports the same scores again with another minimum score of a solved attempt', async () => {
    const scored = line({ run: 'half', solved: null, score: 0.6 });
    const ids: (string | null)[] = [];
    for (const solvedFrom of [0.8, 0.5, 0.5, 0.8])
      ids.push(unwrap(await bring({ name: 'half', solvedFrom }, scored)).batchId);
    expect([ids[2], ids[3]]).toEqual([ids[1], ids[0]]);
    const runs = await database().prisma.run.findMany({
      where: { batchId: { in: ids.flatMap((id) => id ?? []) } },
      select: { batchId: true, success: true },
      orderBy: { number: 'asc' },
    });
    expect(runs).toEqual([
      { batchId: ids[0], success: false },
      { batchId: ids[1], success: true },
    ]);
  });

  test('a dry run reports what would be imported and stores nothing', async () => {
    const before = await experiments();
    const { name, runs, experimentId, problems } = unwrap(await bring({ dryRun: true }, line({ run: 'dry' })));
    expect({ name, runs, experimentId, problems }).toEqual({ name: 'dry', runs: 1, experimentId: null, problems: [] });
    expect(await experiments()).toBe(before);
  });

  test.each<[string, (Given | string)[], string]>([
    ['a line that is not JSON', [line(), '{"run": "r" "case"}'], 'line 2, column 13: is not JSON: unexpected "\\""'],
    ['a line that is not an object', ['[]'], 'line 1: is not a JSON object'],
    ['a score out of range', [line({ score: 1.2 })], 'line 1: score must be a number from 0 to 1, got 1.2'],
    [
      'attempts numbered from 0',
      [line({ attempt: 0 })],
      'line 1: attempt must be a whole number from 1 to 1,000, got 0',
    ],
    [
      'an unknown key',
      [line({ colour: 'red' })],
      'line 1: colour is not a known setting. Remove it, or check its name.',
    ],
    ['an empty input', [line({ case: { id: 'a', input: '' } })], 'line 1: case.input must not be empty'],
    [
      'a time without a time zone',
      [line({ at: 'yesterday' })],
      'line 1: at must be a time as ISO 8601, such as 2026-01-31T12:00:00Z',
    ],
    ['a repeated attempt', [line(), '', line()], 'line 3: attempt 1 of run “r”, case “a” is on line 1 already'],
    ['a missing attempt', [line(), line({ attempt: 3 })], 'line 2: attempt 2 of run “r”, case “a” is missing'],
    [
      'another case with the same name',
      [line(), line({ attempt: 2, case: { id: 'a', input: '9' } })],
      'line 2: the case “a” of run “r” is not the same as on line 1',
    ],
  ])('reports %s by its line and stores nothing', async (_name, lines, problem) => {
    const before = await experiments();
    const { problems } = unwrap(await bring({ dryRun: true }, ...lines));
    expect(
      problems.map(
        ({ line: at, column, message }) => `line ${at}${column === null ? '' : `, column ${column}`}: ${message}`,
      ),
    ).toEqual([problem]);
    const refused = await bring({}, line({ run: 'a good one' }), ...lines);
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: 'invalid', message: expect.stringContaining('Nothing was stored.') },
    });
    expect(await experiments()).toBe(before);
  });

  test('reports several invalid lines together', async () => {
    const refused = await bring({}, line(), 'x', line({ attempt: 2 }), 'y');
    expect(refused).toMatchObject({
      problem: {
        message: 'line 2, column 1 is wrong: is not JSON: unexpected "x". So is line 4. Nothing was stored.',
        field: 'line 2',
      },
    });
  });

  test('refuses an import without runs', async () => {
    expect(await bring({}, '', '  ')).toMatchObject({
      ok: false,
      problem: { message: 'It contains no runs. Nothing was stored.' },
    });
  });
});

test('an imported run has no model for a retrospective, so a request is refused', async () => {
  const { experimentId } = unwrap(await bring({}, line()));
  const { id = '' } = (await database().prisma.run.findFirst({ where: { experimentId: experimentId ?? '' } })) ?? {};
  expect(await requestRetrospective(testContext(database()), TESTER, id)).toMatchObject({
    ok: false,
    problem: { code: 'conflict', message: expect.stringContaining('imported') },
  });
});
