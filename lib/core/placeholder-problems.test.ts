import { describe, expect, test } from 'vitest';
import { settingsOf } from './history-of.test-support.ts';
import { placeholderProblems } from './placeholder-problems.ts';
import type { ExperimentSettingsInput } from './settings.ts';

const llm = (rubric: string, description = '') => [
  { name: 'fits', evaluator: 'llm' as const, description, config: { rubric } },
];
const compared = (against: 'previous' | 'reference', description: string) => [
  { name: 'better', evaluator: 'comparison' as const, description, config: { against } },
];
const found = (more: Partial<ExperimentSettingsInput>) =>
  placeholderProblems(settingsOf(more)).map(({ path, message }) => `${path.join('.')} ${message}`);

describe('variables in settings', () => {
  test.each<[string, Partial<ExperimentSettingsInput>]>([
    ['all variables of judges', { criteria: llm('{{input}} {{output}} {{ reference }} {{metadata.a-b}}') }],
    ['used in the judge prompt', { prompts: { evaluate: '{{reference}} {{output}}' } }],
    [
      'unknown in prompts for a task that may contain them',
      { prompts: { generate: '{{input}} {{name}}', revise: '{{name}}' } },
    ],
    [
      'unknown if no model judges',
      { criteria: [{ name: 'r', evaluator: 'regex', description: '{{x}}', config: { pattern: 'a' } }] },
    ],
    ['the reference in a comparison with the previous version', { criteria: compared('previous', '{{reference}}') }],
  ])('may be %s', (_name, more) => {
    expect(found(more)).toEqual([]);
  });

  test('reports an unknown variable with its position and the allowed ones', () => {
    expect(found({ criteria: llm('Like {{refrence}}') })).toEqual([
      'criteria.0.config.rubric must not contain the unknown variable {{refrence}}. Use {{input}}, {{input.name}}, {{output}}, {{reference}} or {{metadata.name}}, or write { {refrence} } for text in braces',
    ]);
  });

  test.each<[string, Partial<ExperimentSettingsInput>, string]>([
    [
      'a criterion description',
      { criteria: llm('', '{{x}}') },
      'criteria.0.description must not contain the unknown variable {{x}}',
    ],
    [
      'a checklist item',
      { criteria: [{ name: 'l', evaluator: 'checklist', config: { items: ['a', 'b {{x}}'] } }] },
      'criteria.0.config.items.1 must not contain the unknown variable {{x}}',
    ],
    ['the judge prompt', { prompts: { evaluate: '{{x}}' } }, 'prompts.evaluate must not contain the unknown variable'],
    [
      'the draft prompt',
      { prompts: { generate: '{{input}} {{reference}}' } },
      'prompts.generate must not contain {{reference}}',
    ],
    [
      'the revision prompt',
      { prompts: { revise: '{{ reference }}' } },
      'prompts.revise must not contain {{reference}}',
    ],
    [
      'the critique prompt',
      { prompts: { reflect: '{{reference}}' } },
      'prompts.reflect must not contain {{reference}}',
    ],
    ['the lesson prompt', { prompts: { lesson: '{{reference}}' } }, 'prompts.lesson must not contain {{reference}}'],
    [
      'the description of a comparison',
      { criteria: compared('previous', '{{output}}') },
      'criteria.0.description must not contain {{output}}',
    ],
    [
      'the description of a comparison with the reference',
      { criteria: compared('reference', '{{reference}}') },
      'criteria.0.description must not contain {{reference}}',
    ],
    [
      'the judge prompt of a comparison',
      { criteria: compared('previous', ''), prompts: { evaluate: '{{output}}' } },
      'prompts.evaluate must not contain {{output}}',
    ],
  ])('are rejected in %s', (_name, more, words) => {
    expect(found(more)).toEqual([expect.stringContaining(words)]);
  });

  test('keeps stored ones, even if their criterion moves, and checks new texts', () => {
    const before = settingsOf({ criteria: llm('{{old}}'), prompts: { generate: '{{reference}}' } });
    const more = [{ name: 'new', evaluator: 'llm' as const, config: { rubric: '{{new}}' } }, ...llm('{{old}}')];
    const after = settingsOf({ criteria: more, prompts: { generate: '{{reference}}' } });
    expect(placeholderProblems(after, before).map(({ path }) => path.join('.'))).toEqual(['criteria.0.config.rubric']);
  });
});
