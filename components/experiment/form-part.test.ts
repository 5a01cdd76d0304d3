import { describe, expect, test } from 'vitest';
import { FAILURE_CAUSES } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { failureAdvice } from '#lib/runs/failure-advice.ts';
import { formPartOf, partOf } from './form-part.ts';

describe('where a field stands in the form', () => {
  test.each(Object.keys(settingsSchema.shape))('%s has its part', (key) => {
    expect(partOf(key, 'revise')).not.toBeNull();
    expect(partOf(`${key}.0.deep`, 'revise')).toBe(partOf(key, 'revise'));
  });

  test.each([
    ['name', null],
    [null, null],
    ['criteria.0.config.pattern', 'criteria'],
    ['generator.model', null],
    ['generator.instructions', null],
    ['generator.temperature', 'task'],
    ['generator.base', 'base'],
    ['generator.base.workers.0.name', 'base'],
    ['prompts.revise', 'prompts'],
    ['triggers.qualityDropThreshold', 'reflection'],
    ['budget.maxTokens', 'people'],
    ['prompts.generate', 'prompts'],
    ['tune.minibatchSize', 'tuning'],
  ])('%s stands in %s', (path, part) => {
    expect(partOf(path, 'revise')).toBe(part);
  });

  test('the prompt that is tuned stands in sight, and its instructions are folded', () => {
    expect(partOf('prompts.generate', 'tune')).toBeNull();
    expect(partOf('generator.instructions', 'tune')).toBe('task');
    expect(partOf('prompts.evaluate', 'tune')).toBe('prompts');
  });
});

test.each(FAILURE_CAUSES)('the advice on %s opens a part that the form has', (cause) => {
  const { href } = failureAdvice(cause, { provider: 'shed', model: 'm-1', experimentId: 'e-1' }).next;
  const open = new URL(href, 'http://localhost').searchParams.get('open');
  expect(formPartOf(open)).toBe(open);
});
