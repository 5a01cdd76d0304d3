import { describe, expect, test } from 'vitest';
import { estimateStart } from '#lib/batches/estimate-start.ts';
import { previewScoring } from '#lib/batches/preview-scoring.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { startControl } from '#lib/batches/start-control.ts';
import { findComparedCase } from '#lib/compare/find-compared-case.ts';
import type { CaseCriteriaInput } from '#lib/core/case.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findRun } from '#lib/runs/queries.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { exportDataset } from './export-dataset.ts';
import { importCases } from './import-cases.ts';
import { DEFAULT_IMPORT_OPTIONS } from './import-options.ts';
import { findDataset, listCaseChanges } from './queries.ts';
import { updateDataset } from './update-dataset.ts';

const db = useTestDatabase();
const UNWATCHED = { idempotencyKey: null, watched: false };
const EXACT = { name: 'exact', evaluator: 'reference' as const, config: { match: 'contains' as const } };
const DIGITS = { name: 'digits', evaluator: 'regex' as const, config: { pattern: '[0-9]' } };
const NO_EXACT: CaseCriteriaInput = { others: 'off', add: [DIGITS] };

async function shop(more: object = {}) {
  const context = testContext(db.database());
  const settings = settingsSchema.parse({ ...PRACTICE_SUMS, maxAttempts: 1, criteria: [EXACT], ...more });
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Own', ...settings }));
  return { context, id, start: (input: unknown) => startBatch(context, TESTER, id, input, UNWATCHED) };
}

async function performed({ context, start }: Awaited<ReturnType<typeof shop>>, input: unknown) {
  const { runIds, batchId } = unwrap(await start(input));
  for (const runId of runIds) await performRun(testWorkerContext(context), runId);
  const runs = await Promise.all(runIds.map((runId) => findRun(context.database, runId)));
  return { batchId, runs: runs.flatMap((run) => run ?? []) };
}

const bytesOf = async function* (text: string) {
  yield new TextEncoder().encode(text);
};
const textOf = async (chunks: AsyncIterable<Uint8Array | string>) => {
  let text = '';
  for await (const chunk of chunks) text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  return text;
};

describe('runs with case criteria', () => {
  test('use the criteria, thresholds and stop rules of their dataset case', async () => {
    const own = await shop();
    const cases = [
      { input: 'What is 2 + 2?', reference: '4' },
      { input: 'What is 2 + 3?', criteria: NO_EXACT },
      {
        input: 'What is 2 + 4?',
        reference: '7',
        criteria: { change: { exact: { threshold: 0 } }, qualityThreshold: 0 },
      },
    ];
    const { id: datasetId } = unwrap(await createDataset(own.context, TESTER, { name: 'Mixed', cases }));
    const { runs, batchId } = await performed(own, { datasetId });
    expect(runs.map(({ record }) => Object.keys(record.versions[0]?.evaluations[0]?.criteriaScores ?? {}))).toEqual([
      ['exact'],
      ['digits'],
      ['exact'],
    ]);
    expect(runs[1]?.settings.criteria).toEqual([expect.objectContaining({ name: 'digits' })]);
    expect(runs[1]?.record.case.criteria).toMatchObject({ others: 'off' });
    expect(runs[2]?.record).toMatchObject({ success: true });
    expect(runs[2]?.settings).toMatchObject({ qualityThreshold: 0, criteria: [{ threshold: 0 }] });

    const control = unwrap(await startControl(own.context, TESTER, batchId, { control: 'no_lessons' }, { atOnce: 1 }));
    expect(control.runs).toBe(3);
    const { rows } = await db
      .database()
      .pool.query('SELECT count(criteria)::int AS n FROM runs WHERE batch_id = $1', [control.batchId]);
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('comparing experiments checks each score against the threshold of its case', async () => {
    const own = await shop();
    const cases = [{ input: 'What is 1 + 1?', reference: '2', criteria: { change: { exact: { threshold: 0.25 } } } }];
    const { runs } = await performed(own, { cases });
    const { rows } = await db
      .database()
      .pool.query<{ key: string }>('SELECT case_key AS key FROM runs WHERE id = $1', [runs[0]?.record.id]);
    const arm = { experimentId: own.id, version: 1 };
    const query = { arms: [arm], baseline: null, caseKey: rows[0]?.key ?? '' };
    const compared = unwrap(await findComparedCase(own.context, query));
    expect(compared.arms[0]?.result?.criteria).toEqual([expect.objectContaining({ name: 'exact', threshold: 0.25 })]);
  });

  test('previewing weights and thresholds rescores stored scores per case', async () => {
    const own = await shop();
    await performed(own, { cases: [{ input: 'What is 2 + 2?', criteria: NO_EXACT }] });
    const scoring = { qualityThreshold: 0.5, criteria: [{ name: 'exact', weight: 1, threshold: null }] };
    expect(unwrap(await previewScoring(own.context, own.id, scoring))).toMatchObject({ n: 1, unscored: 0 });
  });
});

describe('validation before a start', () => {
  test.each<[string, object, string, string]>([
    ['an unknown criterion name', { change: { exakt: { weight: 2 } } }, 'change.exakt', 'does not have'],
    ['no criteria left', { others: 'off' }, '', 'leave no criterion'],
    ['an invalid pattern', { add: [{ ...DIGITS, config: { pattern: '(' } }] }, 'add.0.config.pattern', ''],
    [
      'an unknown variable',
      { add: [{ name: 'j', evaluator: 'llm', config: { rubric: '{{x}}' } }] },
      'add.0.config.rubric',
      'unknown variable',
    ],
    ['a value out of range', { qualityThreshold: 2 }, 'qualityThreshold', 'from 0 to 1'],
  ])('for %s', async (_name, criteria, path, words) => {
    const { start, context } = await shop();
    const refused = await start({
      cases: [
        { input: 'a', reference: 'b' },
        { input: 'c', reference: 'd', criteria },
      ],
    });
    expect(refused).toMatchObject({
      problem: {
        code: 'invalid',
        field: ['cases', 1, 'criteria', ...(path === '' ? [] : [path])].join('.'),
        message: expect.stringContaining(words),
      },
    });
    expect(context.sent).toEqual([]);
  });

  test('checks the reference for criteria added by a case, but not for disabled ones', async () => {
    const { start } = await shop();
    expect(await start({ cases: [{ input: 'a', criteria: { others: 'off', add: [DIGITS] } }] })).toMatchObject({
      ok: true,
    });
    const other = await shop({ criteria: [DIGITS] });
    expect(await other.start({ cases: [{ input: 'a', criteria: { add: [EXACT] } }] })).toMatchObject({
      problem: { field: 'cases.0.reference', message: expect.stringContaining('no reference') },
    });
  });

  test('refuses a case with Python tests if Python is off', async () => {
    const { start } = await shop({ criteria: [DIGITS] });
    const tests = { name: 'py', evaluator: 'python_tests', config: { tests: 'def test_a():\n  assert True' } };
    expect(await start({ cases: [{ input: 'a', criteria: { add: [tests] } }] })).toMatchObject({
      problem: { message: expect.stringContaining('Python is turned off') },
    });
  });

  test('estimates include calls of judges that cases add', async () => {
    const own = await shop({ criteria: [DIGITS] });
    const judged = { add: [{ name: 'j', evaluator: 'llm' as const, config: { rubric: 'good' } }] };
    const estimate = async (cases: object[]) =>
      unwrap(await estimateStart(own.context, own.id, { cases }, { atOnce: 1 })).roles.map(({ role }) => role);
    expect(await estimate([{ input: 'a' }])).not.toContain('evaluate');
    expect(await estimate([{ input: 'a' }, { input: 'b', criteria: judged }])).toContain('evaluate');
  });
});

describe('criteria of dataset cases', () => {
  const ROWS = [
    { input: 'a', reference: '1' },
    { input: 'b', reference: '2', criteria: { others: 'off', add: [DIGITS] } },
  ];

  test.each(['jsonl', 'csv'] as const)('survive an export and import as %s', async (format) => {
    const context = testContext(db.database());
    const { id } = unwrap(await createDataset(context, TESTER, { name: 'Kept', cases: ROWS }));
    const file = unwrap(await exportDataset(context, id, { format, version: null }));
    const rows = { format, bytes: bytesOf(await textOf(file.chunks)) };
    const taken = unwrap(await importCases(context, TESTER, { name: 'Again' }, rows, DEFAULT_IMPORT_OPTIONS));
    const [before, after] = await Promise.all([
      findDataset(db.database(), id),
      findDataset(db.database(), taken.id ?? ''),
    ]);
    expect(after?.cases).toEqual(before?.cases);
    expect(after?.cases[1]?.criteria).toMatchObject({ others: 'off', add: [{ name: 'digits' }] });
  });

  test.each([
    [
      'jsonl',
      '{"input":"a"}\n{"input":"b","criteria":{"change":{"x":{"weight":-1}}}}',
      'line 2, column 14: criteria.change.x.weight',
    ],
    [
      'jsonl',
      `{"input":"b","criteria":{"add":[{"name":"r","evaluator":"regex","config":{"pattern":"("}}]}}`,
      'line 1, column 14: criteria.add.0.config.pattern',
    ],
    ['csv', 'input,criteria\na,\nb,{oops', 'line 3: criteria must be an object'],
    ['csv', 'input,criteria\na,"{""others"":""maybe""}"', 'line 2: criteria.others must be one of on, off'],
  ] as const)('report the line of invalid ones in an import as %s', async (format, text, words) => {
    const context = testContext(db.database());
    const refused = await importCases(
      context,
      TESTER,
      { name: 'Bad' },
      { format, bytes: bytesOf(text) },
      DEFAULT_IMPORT_OPTIONS,
    );
    expect(refused).toMatchObject({ problem: { message: expect.stringContaining(words) } });
  });

  test('can be edited, and the history shows the change', async () => {
    const context = testContext(db.database());
    const { id } = unwrap(await createDataset(context, TESTER, { name: 'Edited', cases: ROWS }));
    const criteria = { change: { exact: { threshold: 0.4 } } };
    unwrap(
      await updateDataset(context, TESTER, id, {
        change: [
          { number: 1, criteria },
          { number: 2, criteria: null },
        ],
      }),
    );
    const changes = await listCaseChanges(db.database(), id, 2, { cursor: 0, limit: 10 });
    expect(changes.items.map(({ before, after }) => [before?.criteria ?? null, after?.criteria ?? null])).toEqual([
      [null, expect.objectContaining({ change: { exact: { threshold: 0.4 } } })],
      [expect.objectContaining({ others: 'off' }), null],
    ]);
    const faulty = { add: [{ ...DIGITS, config: { pattern: '(' } }] };
    expect(await updateDataset(context, TESTER, id, { change: [{ number: 1, criteria: faulty }] })).toMatchObject({
      problem: { field: 'change.0.criteria.add.0.config.pattern' },
    });
  });
});

test('a tuning run scores each case by its own criteria', async () => {
  const own = await shop({
    ...PRACTICE_WRITING,
    mode: 'tune',
    prompts: { generate: 'Answer: {{input}}' },
    criteria: [DIGITS],
  });
  const cases = ['a 1', 'b 2', 'c 3', 'd 4', 'e 5', 'f 6'].map((input, at) => ({
    input,
    ...(at % 2 === 0 ? { criteria: { others: 'off', add: [{ ...DIGITS, name: 'own' }] } } : {}),
  }));
  const { runs } = await performed(own, { cases });
  const tries = runs[0]?.history.tries ?? [];
  expect(tries.length).toBeGreaterThan(0);
  for (const { position, criteriaScores } of tries)
    expect(Object.keys(criteriaScores)).toEqual([position % 2 === 0 ? 'own' : 'digits']);
  expect(runs[0]?.history.cases.filter(({ criteria }) => criteria !== undefined)).toHaveLength(3);
});
