import { describe, expect, test } from 'vitest';
import { placeholderProblems } from '#lib/core/placeholder-problems.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { isDerived, promptOf, promptPath, suggestedName, withDerivedCriterion, withPrompt } from './first-prompt.ts';
import { changedParts } from './form-part.ts';
import { fromFormSettings, toFormSettings } from './form-settings.ts';

const [own] = EXPERIMENT_TEMPLATES;
if (own === undefined) throw new Error('there is no template');
const empty = toFormSettings('', own.settings);
const tones = withPrompt(empty, 'Name the tone of the mail.\nAnswer in one word.', false);

describe('prompt of a new experiment', () => {
  test('stores a prompt without variables as instructions', () => {
    expect(tones.generator.instructions).toMatch(/^Name the tone/);
    expect(tones.prompts.generate).toBeNull();
    expect(promptPath(tones)).toBe('generator.instructions');
  });

  test('stores a prompt with a variable as a template, and as instructions again without it', () => {
    const template = withPrompt(tones, 'Name the tone: {{input}}', false);
    expect(template.prompts.generate).toBe('Name the tone: {{input}}');
    expect(template.generator.instructions).toBe('');
    expect(promptPath(template)).toBe('prompts.generate');
    expect(promptOf(template)).toBe('Name the tone: {{input}}');
    const plain = withPrompt(template, 'Name the tone.', false);
    expect([plain.generator.instructions, plain.prompts.generate]).toEqual(['Name the tone.', null]);
  });

  test('does not change an existing template if both are in use', () => {
    const both = { ...tones, prompts: { ...tones.prompts, generate: 'Mail: {{input}}' } };
    expect(withPrompt(both, 'Name it for {{input}}', false).prompts.generate).toBe('Mail: {{input}}');
    expect(withPrompt(both, '', false).generator.instructions).toBe('');
  });

  test('derives the criterion from the prompt until a person edits the criterion', () => {
    expect(tones.criteria[0]?.description).toContain('The task: Name the tone of the mail.');
    const braced = withPrompt(tones, 'Reply to {{input}} for {{ my team }}', false);
    expect(braced.criteria[0]?.description).toContain('Reply to the input for the my team');
    const { name: _, ...sent } = fromFormSettings(braced);
    expect(placeholderProblems(settingsSchema.parse(sent))).toEqual([]);
    const [criterion] = tones.criteria;
    if (criterion === undefined) throw new Error('there is no criterion');
    const edited = { ...tones, criteria: [{ ...criterion, weight: '2' }] };
    expect(isDerived(edited)).toBe(false);
    expect(withPrompt(edited, 'Other', false).criteria).toEqual(edited.criteria);
  });

  test('keeps the criterion of a copy unchanged so that the two can be compared', () => {
    const copy = withPrompt(tones, 'Name the tone. Be brief.', true);
    expect(promptOf(copy)).toBe('Name the tone. Be brief.');
    expect(copy.criteria).toEqual(tones.criteria);
  });

  test('derives a criterion from the tuned prompt if there are no criteria', () => {
    const tuned = { ...empty, prompts: { ...empty.prompts, generate: 'Sort: {{input}}' }, criteria: [] };
    expect(withDerivedCriterion(tuned).criteria).toMatchObject([
      { name: 'task_done', description: expect.stringContaining('The task: Sort: the input') },
    ]);
  });

  test('suggests a name from the prompt, otherwise from the input', () => {
    expect(suggestedName(tones, 'Dear sirs')).toBe('Name the tone of the mail.');
    expect(suggestedName(withPrompt(empty, '{{input}}', false), 'Dear sirs')).toBe('Dear sirs');
    const explain = withPrompt(empty, 'Explain this briefly: {{input}}', false);
    expect(suggestedName(explain, 'queues')).toBe('Explain this briefly');
    const described = { ...empty, tune: { ...empty.tune, task: 'Sort support mail. Answer in one word.' } };
    expect(suggestedName(described, '')).toBe('Sort support mail. Answer in one word.');
    const target = { name: 'my-app', components: {}, tuned: [] };
    const tuned = { ...empty, mode: 'tune' as const, generator: { ...empty.generator, target } };
    expect(suggestedName(tuned, '')).toBe('my-app, tuned');
    expect(suggestedName(empty, ' ')).toBe('');
  });
});

describe('changedParts', () => {
  test('is empty for a new experiment, whatever its prompt', () => {
    expect(changedParts(empty).size).toBe(0);
    const judged = { ...empty, evaluatorModel: { provider: 'practice', model: 'judge' } };
    expect(changedParts(judged, judged).size).toBe(0);
    expect(Object.fromEntries(changedParts(judged))).toEqual({ task: 2 });
    expect(changedParts(withPrompt(tones, 'Name the tone: {{input}}', false)).size).toBe(0);
  });

  test('counts each change in its part', () => {
    const changed = {
      ...tones,
      maxIterations: 5,
      bestVersion: 'latest' as const,
      budget: { ...tones.budget, maxCalls: 3 },
      prompts: { ...tones.prompts, evaluate: 'Judge it.' },
    };
    expect(Object.fromEntries(changedParts(changed))).toEqual({ loop: 2, people: 1, prompts: 1 });
    const [, writing] = EXPERIMENT_TEMPLATES;
    if (writing === undefined) throw new Error('there is no second template');
    expect(Object.fromEntries(changedParts(toFormSettings('', writing.settings)))).toEqual({ criteria: 1, task: 1 });
  });
});
