import { z } from 'zod';
import { showValue } from '#lib/core/text-values.ts';
import { defineCriterion, JUDGE_REMEDY } from './definition.ts';

const LENGTHS = 'must be 1 to 50 items';
const itemSchema = z
  .string({ error: (issue) => `must be a text of 1 to 500 characters, got ${showValue(issue.input)}` })
  .trim()
  .min(1, { error: 'must not be empty (1 to 500 characters)' })
  .max(500, { error: 'must be at most 500 characters' });

/** Judged by a model, item by item with yes or no; the score is the share of yes. */
export const checklistCriterion = defineCriterion({
  kind: 'checklist',
  config: z.strictObject({
    items: z
      .array(itemSchema, { error: (issue) => `must be a list of 1 to 50 items, got ${showValue(issue.input)}` })
      .min(1, { error: LENGTHS })
      .max(50, { error: LENGTHS })
      .refine((items) => new Set(items).size === items.length, { error: 'must not contain an item twice' }),
  }),
  label: 'LLM judge (checklist)',
  name: 'checklist',
  summary: ({ items }) => `judged by a model, item by item: ${items.join(' · ')}`,
  longText: ({ items }) => items.map((item) => `- ${item}`).join('\n'),
  fields: {
    items: {
      type: 'list',
      label: 'Item',
      help: '1 to 50 items, each answered with yes or no. The score is the share of yes. Empty items are ignored. Items can contain {{input}}, {{output}}, {{reference}} and {{metadata.name}}.',
      example: 'Gives an example that can be run',
      forJudge: true,
    },
  },
  judge: { texts: ({ items }) => items.map((text, position) => ({ path: ['config', 'items', position], text })) },
  calls: () => 1,
  remedy: JUDGE_REMEDY,
});
