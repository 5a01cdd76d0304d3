import { describe, expect, test } from 'vitest';
import { FAILURE_CAUSES } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { FORM_PARTS, settingsPath } from '#lib/runs/edit-form-path.ts';
import { failureAdvice } from '#lib/runs/failure-advice.ts';
import { formPartOf, partOf } from './form-part.ts';

describe('partOf', () => {
  test.each(Object.keys(settingsSchema.shape))('%s has a form part', (key) => {
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
  ])('%s belongs to %s', (path, part) => {
    expect(partOf(path, 'revise')).toBe(part);
  });

  test('shows the tuned prompt and folds its instructions', () => {
    expect(partOf('prompts.generate', 'tune')).toBeNull();
    expect(partOf('generator.instructions', 'tune')).toBe('task');
    expect(partOf('prompts.evaluate', 'tune')).toBe('prompts');
  });
});

describe('the form part that a URL opens', () => {
  const openedBy = (href: string) => formPartOf(new URL(href, 'http://localhost').searchParams.get('open'));

  test.each(FORM_PARTS)('%s', (part) => {
    expect(openedBy(settingsPath('e', part))).toBe(part);
  });

  test('none', () => {
    expect(openedBy(settingsPath('e', null))).toBeNull();
    expect(openedBy('/experiments/e/edit?open=elsewhere')).toBeNull();
  });

  const advised = FAILURE_CAUSES.map((cause) => ({
    cause,
    href: failureAdvice(cause, { provider: 'shed', model: 'm-1', experimentId: 'e-1' }).next.href,
  })).filter(({ href }) => href.includes('open='));

  test.each(advised)('advice on $cause links to $href', ({ href }) => {
    expect(href).toMatch(/^\/experiments\/e-1\/edit\?/);
    expect(openedBy(href)).not.toBeNull();
  });
});
