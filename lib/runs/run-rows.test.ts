import { describe, expect, test } from 'vitest';
import { type Decision, decisionSchema, type Evaluation, PLAIN_DECISION } from '#lib/core/history.ts';
import { findLesson } from '#lib/lessons/queries.ts';
import { storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { loadRun } from './load-run.ts';
import { EVALUATION_COLUMNS, readPolicyDecisions, writePolicyDecision } from './run-rows.ts';

const db = useTestDatabase();

const EVALUATION: Evaluation = {
  ...{ version: 0, by: 'machine', actor: null, reason: null, status: 'scored', overallScore: 0.5 },
  ...{
    criteriaScores: { quality: 0.5 },
    reasons: { quality: 'Short.' },
    satisfactory: false,
    issues: [],
    suggestions: [],
  },
  ...{ confidence: null, feedback: 'quality: Short.', detail: 'Short.', answer: null, sameModelJudge: false },
  ...{ tokenUsage: { input: 1, output: 2, total: 3 }, costUsd: null, durationMs: 4, step: 1 },
  createdAt: '2026-11-30T12:00:00.000Z',
};
const TWO_REASONS = { tone: 'Kind.', clarity: 'Clear.' };

describe('texts of an evaluation', () => {
  test.each<[string, Partial<Evaluation>, { feedback: string | null; detail: string | null }]>([
    ['both repeat the reason', {}, { feedback: null, detail: null }],
    ['the feedback says less', { feedback: 'incorrect' }, { feedback: 'incorrect', detail: null }],
    ['the feedback is empty', { feedback: '' }, { feedback: '', detail: null }],
    ['the detail says more', { detail: 'Short. Expected 4.' }, { feedback: null, detail: 'Short. Expected 4.' }],
    [
      'both list two reasons alphabetically',
      { reasons: TWO_REASONS, feedback: 'clarity: Clear.\ntone: Kind.', detail: 'clarity: Clear.\ntone: Kind.' },
      { feedback: null, detail: null },
    ],
    [
      'both list two reasons in another order',
      { reasons: TWO_REASONS, feedback: 'tone: Kind.\nclarity: Clear.', detail: 'tone: Kind.\nclarity: Clear.' },
      { feedback: 'tone: Kind.\nclarity: Clear.', detail: null },
    ],
  ])('are read as they were if %s', (_name, change, texts) => {
    const evaluation = { ...EVALUATION, ...change };
    const { inputTokens, outputTokens, ...stored } = EVALUATION_COLUMNS.values(evaluation);
    expect(stored).toMatchObject(texts);
    const row = Object.fromEntries(
      Object.entries({ ...stored, inputTokens, outputTokens }).map(([field, value]) => [
        field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
    );
    expect(EVALUATION_COLUMNS.row.parse(row)).toEqual(evaluation);
  });

  test('are read the same from a row stored by an older Hone', async () => {
    const { prisma } = db.database();
    const context = testContext(db.database());
    const criteria = [{ name: 'clarity', evaluator: 'llm' as const }];
    const settings = { ...PRACTICE_WRITING, criteria, maxIterations: 0 };
    const runId = await queuedRun(context, settings, { input: 'Explain the policy.' });
    await performRun(testWorkerContext(context), runId);
    const lessonId = await storeLesson(db.database(), { runId });
    await prisma.lesson.update({ where: { id: lessonId }, data: { version: 0 } });
    const read = async () => {
      const evaluation = (await loadRun(db.database(), runId))?.history.evaluations[0];
      const origin = (await findLesson(db.database(), lessonId))?.origin;
      return { evaluation, feedback: origin?.feedback };
    };
    const { evaluation, feedback } = await read();
    if (evaluation === undefined) throw new Error('no evaluation');
    const reason = evaluation.reasons.clarity;
    expect(evaluation).toMatchObject({ feedback: `clarity: ${reason}`, detail: reason });
    expect(feedback).toBe(evaluation.feedback);

    const where = { runId, feedback: null, detail: null };
    const whole = await prisma.evaluation.updateMany({
      where,
      data: { feedback: evaluation.feedback, detail: evaluation.detail },
    });
    expect(whole.count).toBe(1);
    expect(await read()).toEqual({ evaluation, feedback });
  });
});

const decision: Decision = {
  ...{ ...PLAIN_DECISION, hook: 'onReflection', version: 1, iteration: 2, decision: 'continue', by: 'policy' },
  ...{ at: '2026-01-05T10:00:00.123Z', step: 5 },
};
const decisions: Decision[] = [
  decision,
  { ...decision, decision: 'stop', reason: 'max_iterations' },
  { ...decision, decision: 'override', reason: 'a "reason",\nand more' },
  { ...decision, version: null, at: '2026-01-05T12:00:00+02:00' },
  { ...decision, at: 'unknown', reason: '' },
];

test('reads decisions of the rules as they were written', () => {
  const read = readPolicyDecisions([], decisions.map(writePolicyDecision).join(''));
  expect(read).toEqual(decisions);
  expect(Object.keys(read[0] ?? {})).toEqual(Object.keys(decisionSchema.shape));
});

test('reads stored decisions of the rules, and those of earlier versions before them', () => {
  const earlier = ['[1,2,"continue",null,5,"2026-01-05T10:00:00.123Z"]'];
  const lines = 'mk0zosjf,1,2,5,1\nmk0zosjf,1,2,5,2,3\n';
  expect(readPolicyDecisions(earlier, lines)).toEqual([decision, ...decisions.slice(0, 2)]);
  expect(decisions.slice(0, 2).map(writePolicyDecision).join('')).toBe(lines);
});
