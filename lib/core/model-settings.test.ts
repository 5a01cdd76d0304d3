import { describe, expect, test } from 'vitest';
import { withShiftedSeed } from './model-settings.ts';
import { callSettings, type ExperimentSettingsInput, settingsSchema } from './settings.ts';

const ROLES = ['generate', 'revise', 'evaluate', 'reflect', 'lesson', 'worker'] as const;

function settingsOf(changes: Partial<ExperimentSettingsInput> = {}) {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'm' },
    criteria: [{ name: 'right', evaluator: 'llm' }],
    ...changes,
  });
}

function refusalOf(modelSettings: unknown) {
  const input = { ...settingsOf(), modelSettings };
  const issue = settingsSchema.safeParse(input).error?.issues[0];
  return issue === undefined ? null : `${issue.path.join('.')} ${issue.message}`;
}

describe('callSettings', () => {
  test('returns nulls by default', () => {
    const settings = settingsOf();
    for (const role of ROLES)
      expect(callSettings(settings, role)).toEqual({ temperature: null, maxOutputTokens: null });
  });

  test('keeps the values of settings without modelSettings', () => {
    const { modelSettings: _, ...older } = settingsOf({
      generator: { provider: 'p', model: 'm', temperature: 0.5 },
      revision: { maxTokens: 77 },
    });
    const settings = settingsSchema.parse(older);
    expect(ROLES.map((role) => callSettings(settings, role))).toEqual([
      { temperature: 0.5, maxOutputTokens: null },
      { temperature: 0.5, maxOutputTokens: 77 },
      { temperature: 0, maxOutputTokens: null },
      { temperature: null, maxOutputTokens: null },
      { temperature: null, maxOutputTokens: null },
      { temperature: 0.5, maxOutputTokens: null },
    ]);
  });

  test('revisions and workers inherit unset values from drafts, other roles do not', () => {
    const settings = settingsOf({
      modelSettings: {
        generate: { maxOutputTokens: 100, topP: 0.9, seed: 7, stopSequences: ['END'], reasoningEffort: 'low' },
        revise: { topP: 0.5, stopSequences: [] },
        evaluate: { reasoningEffort: 'high' },
      },
    });
    const drafts = { topP: 0.9, seed: 7, stopSequences: ['END'], reasoningEffort: 'low' };
    expect(ROLES.map((role) => callSettings(settings, role))).toEqual([
      { temperature: null, maxOutputTokens: 100, sampling: drafts },
      { temperature: null, maxOutputTokens: 100, sampling: { ...drafts, topP: 0.5, stopSequences: [] } },
      { temperature: null, maxOutputTokens: null, sampling: { reasoningEffort: 'high' } },
      { temperature: null, maxOutputTokens: null },
      { temperature: null, maxOutputTokens: null },
      { temperature: null, maxOutputTokens: 100, sampling: drafts },
    ]);
    const limited = settingsSchema.parse({ ...settings, revision: { maxTokens: 50 } });
    expect(callSettings(limited, 'revise').maxOutputTokens).toBe(50);
  });

  test('a worker with another provider inherits neither provider options nor headers', () => {
    const own = { providerOptions: { user: 'x' }, headers: { 'X-Team': 'a' }, seed: 1 };
    const settings = settingsOf({ modelSettings: { generate: own } });
    expect(callSettings(settings, 'worker').sampling).toEqual(own);
    expect(callSettings(settings, 'worker', { provider: 'p', model: 'n' }).sampling).toEqual(own);
    expect(callSettings(settings, 'worker', { provider: 'q', model: 'n' }).sampling).toEqual({ seed: 1 });
  });
});

describe('rejects', () => {
  test.each<[string, unknown, string]>([
    [
      'a top_p above 1',
      { generate: { topP: 1.1 } },
      'modelSettings.generate.topP must be a number from 0 to 1, got 1.1',
    ],
    [
      'a seed outside the range of all providers',
      { evaluate: { seed: 2 ** 31 } },
      'modelSettings.evaluate.seed must be a whole number from 0 to 2,147,483,647, got 2147483648',
    ],
    [
      'an unknown effort',
      { lesson: { reasoningEffort: 'hard' } },
      'modelSettings.lesson.reasoningEffort must be one of none, minimal, low, medium, high, xhigh, max, got "hard"',
    ],
    [
      'a header that contains a key',
      { reflect: { headers: { Authorization: 'Bearer x' } } },
      'modelSettings.reflect.headers.Authorization must not be set here: settings are visible to everybody. Add secret headers to the provider',
    ],
    [
      'an invalid header name',
      { generate: { headers: { 'X A': 'a' } } },
      'modelSettings.generate.headers.X A must have a name of letters, digits and dashes',
    ],
    [
      'options that are not an object',
      { worker: { providerOptions: '{"a":' } },
      'modelSettings.worker.providerOptions must be a JSON object',
    ],
    [
      'a line break in a header',
      { generate: { headers: { 'X-A': 'a\nb' } } },
      'modelSettings.generate.headers.X-A must be at most 1,000 printable ASCII characters',
    ],
  ])('%s', (_name, modelSettings, message) => {
    expect(refusalOf(modelSettings)).toBe(message);
  });
});

describe('a seed is shifted', () => {
  test.each([
    ['by the repetition', 5, 2, 7],
    ['not for the first run of a case', 5, 0, 5],
    ['within the range of providers', 2_147_483_647, 1, 0],
  ])('%s', (_name, seed, shift, expected) => {
    expect(withShiftedSeed({ sampling: { seed, topP: 1 } }, shift)).toEqual({ sampling: { seed: expected, topP: 1 } });
  });

  test('only if one is set', () => {
    const request = { sampling: { topP: 1 } };
    expect(withShiftedSeed(request, 3)).toBe(request);
  });
});
