import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { type Judged, judgedSchema, layoutOfResponse, responseOf } from './judge-responses.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';
import { JUDGED } from './stored-texts.ts';

const db = useTestDatabase();

const JUDGED_ONE: Judged = {
  criteriaScores: { quality: 0.9 },
  reasons: { quality: 'Names "it".' },
  issues: [{ criterion: 'quality', text: 'No number.' }],
  suggestions: ['Add one.', 'Add two.'],
  confidence: 0.8,
};
const ONE = {
  criteria: [
    {
      ...{ name: 'quality', score: 0.9, reason: 'Names "it".' },
      ...{ issues: ['No number.'], suggestions: ['Add one.', 'Add two.'] },
    },
  ],
  confidence: 0.8,
};

test.each<[string, string, string | null]>([
  ['is empty for one criterion', JSON.stringify(ONE), ''],
  ['has the indentation', JSON.stringify(ONE, null, 2), '[2]'],
  ['is missing for other spaces', JSON.stringify(ONE).replace(':', ': '), null],
  ['is missing for another number', JSON.stringify(ONE).replace('0.9', '0.90'), null],
  ['is missing for another order', JSON.stringify({ confidence: 0.8, criteria: ONE.criteria }), null],
  ['is missing for other content', JSON.stringify({ ...ONE, stillOpen: [] }), null],
  ['is missing for no JSON', 'quality: 0.9 - Names "it".', null],
])('the layout of a response %s', (_name, text, layout) => {
  expect(layoutOfResponse(text, JUDGED_ONE)).toBe(layout);
});

test('a response with a character that the database cannot store has no layout', () => {
  const text = JSON.stringify(ONE).replace('Add one.', '\\u0000');
  expect(layoutOfResponse(text, { ...JUDGED_ONE, suggestions: ['\u0000', 'Add two.'] })).toBeNull();
});

/** Returns an evaluation as the database returns it: with texts that it can store, and names in another order. */
function asStored(judged: Judged): Judged {
  const { criteriaScores, reasons, ...others } = judged;
  const reordered = <Value>(record: Record<string, Value>) => Object.fromEntries(Object.entries(record).toReversed());
  const stored = { ...others, criteriaScores: reordered(criteriaScores), reasons: reordered(reasons) };
  return judgedSchema.parse(cleanJson(JSON.parse(JSON.stringify(stored))));
}

test('restores any response from the stored evaluation exactly, or returns no layout', async () => {
  const odd = fc.oneof(
    fc.constantFrom('', ' Short.', 'Two\nlines.', '\u0000', '\ud800', '\u2028'),
    fc.string({ unit: 'binary' }),
  );
  const text = fc.oneof(
    { weight: 20, arbitrary: fc.stringMatching(/^[a-zé"\\]{3,9}\.$/) },
    { weight: 1, arbitrary: odd },
  );
  const texts = fc.array(text, { maxLength: 3 });
  const score = fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
  const entry = fc.record({ score, reason: text, issues: texts, suggestions: texts });
  const names = fc.uniqueArray(fc.constantFrom('quality', 'tone', 'Length', 'constructor'), { minLength: 1 });
  const response = fc.record({ names, entries: fc.array(entry, { minLength: 4, maxLength: 4 }), confidence: score });
  let restored = 0;
  await fc.assert(
    fc.asyncProperty(response, fc.constantFrom(0, 1, 2, 4), async (made, indent) => {
      const criteria = made.names.map((name, index) => ({ name, ...made.entries[index] }));
      const sent = JSON.stringify({ criteria, confidence: made.confidence }, null, indent);
      const outcome = await evaluateWith({
        settings: settingsWith(made.names.toSorted().map((name) => ({ name, evaluator: 'llm' }))),
        case: { input: 'A task', reference: null, tags: [], metadata: {} },
        output: 'A draft.',
        ask: askScript([sent, sent]).ask,
      });
      if (!outcome.ok) throw new Error('the evaluation failed');
      const layout = layoutOfResponse(sent, outcome.evaluation);
      if (layout === null) return;
      restored++;
      expect(responseOf(asStored(outcome.evaluation), layout)).toBe(sent);
    }),
  );
  expect(restored).toBeGreaterThan(10);
});

test('calls of a run return the responses of judges that only its evaluations store', async () => {
  const context = testContext(db.database());
  const settings = { ...PRACTICE_WRITING, qualityThreshold: 1, maxIterations: 3, convergence: null };
  const runId = await queuedRun(context, settings, { input: 'Explain our rate limits to a new user' });
  const worker = testWorkerContext(context);
  const responses: (string | null)[] = [];
  const call: typeof worker.call = async (request, options) => {
    const outcome = await worker.call(request, options);
    responses.push(outcome.ok ? outcome.reply.text : null);
    return outcome;
  };
  await performRun({ ...worker, call }, runId);
  expect(await db.database().prisma.modelCall.count({ where: { runId, answered: JUDGED } })).toBeGreaterThan(0);
  expect((await listModelCalls(db.database(), runId)).map(({ text }) => text)).toEqual(responses);
});
