import { expect, test } from 'vitest';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { tuningHistory } from '#lib/core/tuning-history.test-support.ts';
import { recallQuestion } from './recall-question.ts';

const settings = tuningSettingsOf();

test('contains the first prompt and some training cases, but no other cases', () => {
  const history = tuningHistory(settings, { train: 12, validation: 4, held_out: 4 }, [{ output: 'Sort {{input}}' }]);
  const question = recallQuestion(history, settings);
  expect(question).toMatch(/^Sort \{\{input\}\}\n/);
  const shown = [...question.matchAll(/input of case (\d+)/g)].map(([, position]) => Number(position));
  expect(shown).toHaveLength(8);
  expect(Math.max(...shown)).toBeLessThan(12);
});

test('does not change while prompts are proposed', () => {
  const [before, after] = [[{}], [{}, { minibatch: [0, 1] }]].map((given) =>
    recallQuestion(tuningHistory(settings, { train: 3 }, given), settings),
  );
  expect(after).toBe(before);
});

test('contains the task description if there is one, and stays short', () => {
  const described = tuningSettingsOf({ prompts: { generate: null }, tune: { task: 'Sort mail. '.repeat(2_000) } });
  const history = tuningHistory(described, { train: 9 }, []);
  const long = { ...history, cases: history.cases.map((one) => ({ ...one, input: 'x'.repeat(100_000) })) };
  const question = recallQuestion(long, described);
  expect(question).toMatch(/^Sort mail\./);
  expect(question.length).toBeLessThan(7_000);
});
