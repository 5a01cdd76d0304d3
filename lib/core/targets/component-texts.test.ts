import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settingsSchema } from '../settings.ts';
import {
  componentsProblem,
  hasComponentLine,
  joinComponents,
  splitComponents,
  textToTune,
  withTuned,
} from './component-texts.ts';

const TARGET = { name: 'app', components: { system: 'Be kind.', tools: 'Search first.\n', other: 'x' }, tuned: null };

test('split restores joined components', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/);
  const text = fc
    .string({ unit: fc.constantFrom('a', '{{input}}', '\n', ' ', '}}', '"') })
    .filter((one) => !hasComponentLine(one));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 5 }), (entries) => {
      const texts = new Map(entries);
      expect(splitComponents(joinComponents(texts))).toEqual(texts);
    }),
  );
});

describe('text to tune', () => {
  const tunes = (tuned: string | string[]) => ({
    generator: { ...settingsOf(), target: { ...TARGET, tuned } },
    prompts: settingsSchema.shape.prompts.parse({}),
  });
  const settingsOf = () => settingsSchema.shape.generator.parse({ provider: 'p', model: 'm' });

  test('is the text of a single component', () => {
    expect(textToTune(tunes('system'))).toBe('Be kind.');
    expect(textToTune(tunes(['system']))).toBe('Be kind.');
  });

  test('labels each of several components', () => {
    expect(textToTune(tunes(['tools', 'system']))).toBe(
      '{{component "tools"}}\nSearch first.\n\n{{component "system"}}\nBe kind.',
    );
  });

  test('replaces only the tuned components', () => {
    const target = { ...TARGET, tuned: ['tools', 'system'] };
    const text =
      '{{component "tools"}}\nDo not search.\n{{component "other"}}\nstolen\n{{component "system"}}\nBe brief.';
    expect(withTuned(target, text).components).toEqual({ system: 'Be brief.', tools: 'Do not search.', other: 'x' });
  });
});

test.each([
  { name: 'any text for a single component', text: 'anything', names: ['a'], isRight: true },
  {
    name: 'all component lines in order',
    text: '{{component "a"}}\nx\n{{component "b"}}\ny',
    names: ['a', 'b'],
    isRight: true,
  },
  { name: 'a missing line', text: '{{component "a"}}\nx', names: ['a', 'b'], isRight: false },
  {
    name: 'component lines in another order',
    text: '{{component "b"}}\n{{component "a"}}',
    names: ['a', 'b'],
    isRight: false,
  },
  {
    name: 'a repeated component line',
    text: '{{component "a"}}\n{{component "a"}}\n{{component "b"}}',
    names: ['a', 'b'],
    isRight: false,
  },
])('$name', ({ text, names, isRight }) => {
  expect(componentsProblem(text, names) === null).toBe(isRight);
});
