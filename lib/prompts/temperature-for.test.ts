import { describe, expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema, temperatureFor } from '#lib/core/settings.ts';
import { NO_OPTIONS } from './prompt.ts';
import { promptSettings } from './prompt-setup.ts';
import { promptSetupSchema } from './schema.ts';

const ROLES = ['generate', 'revise', 'evaluate', 'reflect', 'lesson', 'worker'] as const;

function temperaturesOf(changes: { temperature?: number | null } & Pick<ExperimentSettingsInput, 'temperatures'>) {
  const { temperature, temperatures } = changes;
  const settings = settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'p', model: 'm', ...(temperature !== undefined && { temperature }) },
    criteria: [{ name: 'right', evaluator: 'llm' }],
    ...(temperatures !== undefined && { temperatures }),
  });
  return ROLES.map((role) => temperatureFor(settings, role));
}

describe('the temperature of each role', () => {
  test('is not sent by default', () => {
    expect(temperaturesOf({})).toEqual([null, null, null, null, null, null]);
  });

  test.each([0, 0.7])('of old settings without role temperatures is unchanged: %s', (temperature) => {
    expect(temperaturesOf({ temperature })).toEqual([temperature, temperature, 0, null, null, temperature]);
  });

  test('overrides the common temperature', () => {
    const temperatures = { revise: 0.1, evaluate: 0.2, reflect: 0.3, lesson: 0.4, worker: 0.5 };
    expect(temperaturesOf({ temperature: null, temperatures })).toEqual([null, 0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(temperaturesOf({ temperature: 1, temperatures: { evaluate: 0.2 } })).toEqual([1, 1, 0.2, null, null, 1]);
  });

  test.each([-0.1, 2.1, '0'])('must be a number from 0 to 2, not %s', (evaluate) => {
    const settings = { mode: 'revise', generator: { provider: 'p', model: 'm' }, temperatures: { evaluate } };
    const parsed = settingsSchema.safeParse({ ...settings, criteria: [{ name: 'right', evaluator: 'llm' }] });
    expect(parsed.error?.issues[0]?.path).toEqual(['temperatures', 'evaluate']);
  });
});

describe('the temperatures of a prompt setup', () => {
  test.each<[object, number | null, number | null]>([
    [{}, null, null],
    [{ temperature: 0 }, 0, 0],
    [{ temperature: 1 }, 1, 0],
    [{ temperature: 1, evaluatorTemperature: 0.5 }, 1, 0.5],
    [{ evaluatorTemperature: 0.5 }, null, 0.5],
  ])('%j: %s for answers, %s for judges', (setup, answers, judges) => {
    const settings = promptSettings(
      promptSetupSchema.parse(setup),
      { text: 'Say it.', ...NO_OPTIONS },
      { provider: 'p', model: 'm' },
    );
    expect([temperatureFor(settings, 'generate'), temperatureFor(settings, 'evaluate')]).toEqual([answers, judges]);
  });
});
