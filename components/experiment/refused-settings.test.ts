import { describe, expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import type { RefusableParameter } from '#lib/providers/refused-parameter-record.ts';
import { fromFormSettings, toFormSettings, withSetting } from './form-settings.ts';
import { emptyValueAt, refusedSettings } from './refused-settings.ts';

function formOf(changes: Partial<ExperimentSettingsInput>) {
  const settings = settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'writer', temperature: 0.5 },
    evaluatorModel: { provider: 'q', model: 'judge' },
    criteria: [{ name: 'right', evaluator: 'llm' }],
    ...changes,
  });
  return toFormSettings('x', settings);
}

function providersOf(name: string, model: string, ...parameters: RefusableParameter[]) {
  return [{ name, models: [], refused: parameters.map((parameter) => ({ model, parameter })) }];
}

const SAMPLING = { topP: 0.9, stopSequences: ['END', '\n\n'], reasoningEffort: 'low' as const };

describe('refusedSettings', () => {
  test('lists refused settings with each role that sets them', () => {
    const form = formOf({ modelSettings: { generate: SAMPLING, reflect: { topP: 0.5 }, evaluate: SAMPLING } });
    expect(refusedSettings(form, providersOf('p', 'writer', 'top_p', 'temperature', 'seed', 'tools'))).toEqual([
      { model: 'p/writer', parameter: 'top_p', paths: ['modelSettings.generate.topP', 'modelSettings.reflect.topP'] },
      { model: 'p/writer', parameter: 'temperature', paths: ['generator.temperature'] },
    ]);
  });

  test('lists settings only for the model that refused them', () => {
    const form = formOf({ modelSettings: { evaluate: SAMPLING } });
    expect(refusedSettings(form, providersOf('q', 'judge', 'stop'))).toEqual([
      { model: 'q/judge', parameter: 'stop', paths: ['modelSettings.evaluate.stopSequences'] },
    ]);
    expect(refusedSettings(form, providersOf('q', 'another', 'stop'))).toEqual([]);
  });

  test('lists nothing after the settings are removed, and other settings stay', () => {
    const form = formOf({ modelSettings: { generate: SAMPLING } });
    const providers = providersOf('p', 'writer', 'stop', 'reasoning_effort', 'temperature');
    const paths = refusedSettings(form, providers).flatMap((one) => one.paths);
    const rest = paths.reduce((left, path) => withSetting(left, path, emptyValueAt(path)), form);
    expect(refusedSettings(rest, providers)).toEqual([]);
    const { name: _, ...sent } = fromFormSettings(rest);
    const { generator, modelSettings } = settingsSchema.parse(sent);
    expect(generator.temperature).toBeNull();
    expect(modelSettings.generate).toMatchObject({ topP: 0.9, stopSequences: null, reasoningEffort: null });
  });
});
