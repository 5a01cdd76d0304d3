import { describe, expect, test } from 'vitest';
import { EMPTY_HISTORY } from '../history.ts';
import type { ModelOutcome } from '../model-request.ts';
import { noAnswer, replied, scripted } from '../scripted-step.test-support.ts';
import type { ExperimentSettingsInput } from '../settings.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { candidateState } from './candidate-state.ts';
import { dueTuningStep } from './due-tuning-step.ts';
import { performTuningStep } from './perform-tuning-step.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const GOOD = '~~~~\nSort the mail: {{input}}\n~~~~';

async function written(tune: ExperimentSettingsInput['tune'], ...responses: ModelOutcome[]) {
  const settings = tuningSettingsOf({
    prompts: { generate: null },
    reflectionModel: { provider: 'practice', model: 'thinker' },
    tune: { task: 'Sort mails by topic.', ...tune },
  });
  const { cases } = tuningHistory(settings, { train: 2, validation: 1, held_out: 1 }, []);
  const history = { ...EMPTY_HISTORY, cases };
  expect(dueTuningStep(history, settings)).toEqual({ type: 'give' });
  let asked = 0;
  const { context, requests } = scripted(history, settings, () => responses[asked++] ?? noAnswer('unavailable'));
  const result = await performTuningStep({ type: 'give' }, context);
  return { result, version: result?.type === 'version' ? result.version : null, requests, history, settings };
}

describe('first prompt written by the reflection model', () => {
  test('is version 0, written from the description and training cases only', async () => {
    const { version, requests, history, settings } = await written({}, replied(GOOD));
    expect(version).toMatchObject({
      ...{ number: 0, iteration: 0, origin: 'generated', parents: [], proposal: null },
      output: 'Sort the mail: {{input}}',
      tokenUsage: { total: 10 },
    });
    if (version !== null) expect(candidateState(history, settings, version)).toBe('given');
    expect(requests[0]).toMatchObject({ role: 'reflect', ordinal: 0, model: { model: 'thinker' } });
    const prompt = requests[0]?.prompt ?? '';
    expect(prompt).toContain('<task_description>\nSort mails by topic.\n</task_description>');
    expect(prompt.match(/(?:input|reference) of case \d/g)?.sort()).toEqual([
      'input of case 0',
      'input of case 1',
      'reference of case 0',
      'reference of case 1',
    ]);
  });

  test('is written without case references if they are hidden', async () => {
    const { requests } = await written({ references: false }, replied(GOOD));
    expect(requests[0]?.prompt).toContain('input of case 0');
    expect(requests[0]?.prompt).not.toContain('reference of case');
  });

  test.each([
    ['cannot be read', 'Here you are.', 'holds no prompt between'],
    ['is too long', `~~~~\n${'word '.repeat(9_000)}\n~~~~`, 'At most 2000 are allowed'],
    ['has an unknown variable', '~~~~\nSort {{mail}}\n~~~~', '{{mail}}'],
    ['copies cases', '~~~~\nSort as in input of case 0: {{input}}\n~~~~', 'State general rules instead'],
  ])('is requested again if it %s', async (_name, bad, words) => {
    const { version, requests } = await written({}, replied(bad), replied(GOOD));
    expect(version).toMatchObject({ output: 'Sort the mail: {{input}}', tokenUsage: { total: 20 } });
    expect(requests.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(requests[1]?.prompt).toContain(words);
  });

  test('fails the step after the retry, with the spend and a remedy', async () => {
    const { result, requests } = await written({}, replied('No.'), replied('No.'), replied(GOOD));
    expect(requests).toHaveLength(2);
    expect(result).toMatchObject({
      type: 'failure',
      failure: {
        ...{ kind: 'model_failed', role: 'reflect', tokenUsage: { total: 20 } },
        remedy: 'Write the first prompt yourself, or choose a stronger reflection model.',
      },
    });
    expect((await written({}, noAnswer('aborted'))).result).toBeNull();
  });
});

test('a given prompt is used unchanged, even with a task description', async () => {
  const settings = tuningSettingsOf({ tune: { task: 'Sort mails by topic.' } });
  const { context, requests } = scripted(EMPTY_HISTORY, settings, () => noAnswer('unavailable'));
  expect(await performTuningStep({ type: 'give' }, context)).toMatchObject({ version: { origin: 'given' } });
  expect(requests).toEqual([]);
});
