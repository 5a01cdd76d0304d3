import { defineCriterion, JUDGE_REMEDY } from './definition.ts';

/** Judged by a model, item by item with yes or no. The score is the share of yes. */
export const checklistCriterion = defineCriterion({
  kind: 'checklist',
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
