import { expect, test } from 'vitest';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { evaluationKey, insertPromptEvaluation } from './evaluation-scores.ts';
import { movePromptLabel } from './move-prompt-label.ts';
import { findPromptCases } from './plan-evaluation.ts';
import { NO_OPTIONS } from './prompt.ts';
import { createPrompt } from './prompt-library.ts';
import { updatePromptSetup } from './prompt-setup.ts';
import { findPrompt } from './queries.ts';
import { savePromptVersion } from './save-prompt-version.ts';
import { lastScores, scorePromptVersions } from './score-prompt-versions.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const TEXTS = ['Sort {{input}}', 'Sort the mail {{input}}'];
const CASES = [
  { input: 'Refund', tags: ['train'] },
  { input: 'Outage', tags: ['train'] },
  { input: 'Login', tags: ['validation'] },
  { input: 'Invoice', tags: ['held_out'] },
  { input: 'Thanks', tags: ['held_out'] },
];

/** Creates a prompt with two versions over five cases and stores their scores per case; null means not evaluated. */
async function triedPrompt(name: string, ...scores: (number | null)[][]): Promise<string> {
  const dataset = unwrap(await createDataset(context(), TESTER, { name, cases: CASES }));
  const setup = {
    datasetId: dataset.id,
    criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
  };
  unwrap(await createPrompt(context(), TESTER, { name, text: TEXTS[0], setup }));
  unwrap(await savePromptVersion(context(), TESTER, name, { text: TEXTS[1], message: 'Says what', parent: 1 }));
  const prompt = await findPrompt(db.database(), name);
  const cases = (await findPromptCases(db.database(), dataset.id))?.cases ?? [];
  const model = prompt?.setup.models[0];
  if (prompt === null || model === undefined) throw new Error('the prompt is there');
  for (const [at, text] of TEXTS.entries())
    for (const [position, score] of (scores[at] ?? []).entries()) {
      const task = cases[position];
      if (score === null || task === undefined) continue;
      const answer = { output: 'x', finishReason: 'stop', criteriaScores: {}, feedback: '', detail: '' };
      const spend = { inputTokens: 1, outputTokens: 1, costUsd: 0, durationMs: 1, createdAt: new Date().toISOString() };
      const evaluation = { ...answer, ...spend, status: 'scored' as const, score, satisfactory: score === 1 };
      await insertPromptEvaluation(
        db.database(),
        name,
        evaluationKey({ text, ...NO_OPTIONS }, task, model, prompt.setup),
        evaluation,
      );
    }
  return name;
}

async function scoresOf(name: string) {
  const prompt = await findPrompt(db.database(), name);
  if (prompt === null) throw new Error('the prompt is there');
  return (await scorePromptVersions(context(), [{ ...prompt, versions: [1, 2] }])).get(name);
}

test('scores versions on the evaluated cases without the held-out ones', async () => {
  const name = await triedPrompt('scored', [1, 0, 0, 1, 1], [1, 1, null, 0, 0]);
  expect(await scoresOf(name)).toMatchObject({
    1: { source: 'tried', mean: 0.333333, n: 3, of: 3 },
    2: { source: 'tried', mean: 1, n: 2, of: 3 },
  });
});

test('ignores scores from another setup', async () => {
  const name = await triedPrompt('changed', [1, 1, 1]);
  unwrap(await updatePromptSetup(context(), TESTER, name, { temperature: 1 }));
  expect(await scoresOf(name)).toEqual({});
  unwrap(await updatePromptSetup(context(), TESTER, name, { temperature: null }));
  expect(await scoresOf(name)).toMatchObject({ 1: { mean: 1 } });
  unwrap(await updatePromptSetup(context(), TESTER, name, { evaluatorTemperature: 1 }));
  expect(await scoresOf(name)).toEqual({});
  unwrap(await updatePromptSetup(context(), TESTER, name, { evaluatorTemperature: null }));
  expect(await scoresOf(name)).toMatchObject({ 1: { mean: 1 } });
  unwrap(await updatePromptSetup(context(), TESTER, name, { modelSettings: { generate: { seed: 7 } } }));
  expect(await scoresOf(name)).toEqual({});
  unwrap(await updatePromptSetup(context(), TESTER, name, { modelSettings: { evaluate: { seed: 7 } } }));
  expect(await scoresOf(name)).toEqual({});
});

test('a listed prompt shows its newest evaluated version', async () => {
  const one = await triedPrompt('listed/one', [1, 0, 1]);
  const both = await triedPrompt('listed/both', [0, 0, 0], [1, 1, 1]);
  const none = await triedPrompt('listed/none');
  const prompts = await Promise.all([one, both, none].map((name) => findPrompt(db.database(), name)));
  const last = await lastScores(
    context(),
    prompts.flatMap((prompt) => prompt ?? []),
  );
  const shown = [...last].map(([name, { version, score }]) => [name, [version, score.mean]]);
  expect(Object.fromEntries(shown)).toEqual({ [one]: [1, 0.666667], [both]: [2, 1] });
});

test('moving production checks the playground scores on the held-out cases', async () => {
  const name = await triedPrompt('guarded', [0, 0, 0, 1, 1], [1, 1, 1, 1, 0]);
  const move = (version: number, reason = '') =>
    movePromptLabel(context(), TESTER, name, 'production', { version, reason });
  unwrap(await move(1));
  const refused = await move(2);
  expect(!refused.ok && refused.problem.message).toContain(
    'Version 2 loses on the 2 held-out cases: 0.50 compared with 1.00',
  );
  expect(unwrap(await move(2, 'Better elsewhere')).proof).toMatchObject({ n: 2, source: { kind: 'playground' } });
});

test('a version evaluated on other held-out cases is not compared', async () => {
  const name = await triedPrompt('apart', [0, 0, 0, 1, null], [1, 1, 1, null, 0]);
  unwrap(await movePromptLabel(context(), TESTER, name, 'production', { version: 1 }));
  const moved = unwrap(await movePromptLabel(context(), TESTER, name, 'production', { version: 2 }));
  expect(moved.proof).toMatchObject({ verdict: 'unproven' });
});
