import { describe, expect, test } from 'vitest';
import type { History } from './history.ts';
import { historyOf, settingsOf } from './history-of.test-support.ts';
import { findMissingInputOfRun, unscoredFailure } from './unscored-failure.ts';

const CASE = { input: 'What is 2 + 2?', reference: '4', tags: [], metadata: {} };
const EXACT = { name: 'exact', evaluator: 'reference' as const, config: { match: 'exact' as const } };

/** Builds a run whose draft was judged twice, each time without a score for the criterion and with this reason. */
function unscored(criterion: object, reason: string) {
  const settings = settingsOf({ criteria: [criterion as typeof EXACT] });
  const name = settings.criteria[0]?.name ?? '';
  const made = historyOf(settings, [{ judged: [{}, {}] }]);
  const evaluations = made.evaluations.map((one) => ({
    ...one,
    criteriaScores: { [name]: null },
    reasons: { [name]: reason },
  }));
  return { settings, history: { ...made, evaluations } satisfies History };
}

describe('unscoredFailure', () => {
  test('reports a missing reference and that resuming would fail again', () => {
    const { settings, history } = unscored(EXACT, 'Not scored: the case has no reference.');
    const failure = unscoredFailure(history, settings, { ...CASE, reference: null });
    expect(failure).toMatchObject({
      kind: 'no_reference',
      message: 'The case "What is 2 + 2?" has no reference, and "exact" can score no version without one.',
      remedy: expect.stringContaining('Resuming the run would fail again.'),
    });
  });

  test.each([
    [
      { name: 'clear', evaluator: 'llm' },
      'Not scored: the judge returned no readable score in two attempts.',
      'another judge',
    ],
    [
      { name: 'own', evaluator: 'function', config: { code: 'function evaluate() {}' } },
      'Not scored. It returned nothing.',
      'Change the criterion',
    ],
    [
      { name: 'tests', evaluator: 'webhook', config: { name: 'lint' } },
      'Not scored. No answer.',
      'Make sure that the service',
    ],
  ])('explains %j per criterion, with a matching remedy', (criterion, reason, remedy) => {
    const { settings, history } = unscored(criterion, reason);
    const why = reason
      .replace(/^Not scored[.:] /, '')
      .replace(/\.$/, '')
      .replace(/^[A-Z]/, (first) => first.toLowerCase());
    expect(unscoredFailure(history, settings, CASE)).toMatchObject({
      kind: 'unscored',
      message: `Version v0 could not be scored, twice. "${criterion.name}": ${why}.`,
      remedy: expect.stringContaining(remedy),
    });
  });

  test('names the minimum confidence in the remedy for a score dropped for low confidence', () => {
    const { settings, history } = unscored(
      { name: 'clear', evaluator: 'llm' },
      'Not scored: the judge gave 0.9 with a confidence of 0.4, below 0.6.',
    );
    const strict = {
      ...settings,
      evaluation: { ...settings.evaluation, confidence: { below: 0.6, action: 'unscored' as const } },
    };
    expect(unscoredFailure(history, strict, CASE)?.remedy).toContain('confidence below 0.6');
    expect(unscoredFailure(history, settings, CASE)?.remedy).toContain('another judge');
  });

  test('returns null if there is no version', () => {
    const { settings, history } = unscored(EXACT, '');
    expect(unscoredFailure({ ...history, versions: [] }, settings, CASE)).toBeNull();
  });
});

test('reports a reference missing in training and validation cases of a tuned prompt, ignoring held-out ones', () => {
  const settings = settingsOf({ mode: 'tune', criteria: [EXACT], prompts: { generate: '{{input}}' } });
  const { history } = unscored(EXACT, '');
  const tuned = (split: 'train' | 'held_out') => ({
    ...history,
    cases: [
      { ...CASE, position: 0, split: 'train' as const },
      { ...CASE, reference: null, position: 1, split },
    ],
  });
  const task = { ...CASE, input: '2 cases', reference: null };
  expect(findMissingInputOfRun(tuned('held_out'), settings, task)).toBeNull();
  expect(findMissingInputOfRun(tuned('train'), settings, task)?.message).toMatch(
    /^1 of 2 cases has no reference.*: case 2/,
  );
});
