import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#lib/reflection/settings.ts';
import { partOf } from './form-part.ts';

describe('where a field stands in the form', () => {
  test.each(Object.keys(settingsSchema.shape))('%s has its part', (key) => {
    expect(partOf(key)).not.toBeNull();
    expect(partOf(`${key}.0.deep`)).toBe(partOf(key));
  });

  test.each([
    ['name', null],
    [null, null],
    ['criteria.0.config.pattern', 'criteria'],
    ['prompts.revise', 'prompts'],
    ['triggers.qualityDropThreshold', 'reflection'],
    ['budget.maxTokens', 'people'],
  ])('%s stands in %s', (path, part) => {
    expect(partOf(path)).toBe(part);
  });
});
