import { defineCriterion, JUDGE_REMEDY } from './definition.ts';

/** Judged by a model with a rubric. */
export const llmCriterion = defineCriterion({
  kind: 'llm',
  label: 'LLM judge (rubric)',
  name: 'rubric judge',
  summary: () => 'judged by a model',
  longText: ({ rubric }) => rubric ?? null,
  fields: {
    rubric: {
      type: 'textarea',
      label: 'Rubric',
      help: 'Tells the judge what earns which score. Can contain {{input}}, {{output}}, {{reference}} and {{metadata.name}}',
      rows: 3,
      optional: true,
      forJudge: true,
      foldedUnder: 'Custom rubric',
    },
  },
  judge: {
    texts: ({ rubric }) => [{ path: ['config', 'rubric'], text: rubric ?? '' }],
    knowsOpenIssues: true,
    explains: true,
    sharesCall: true,
  },
  remedy: JUDGE_REMEDY,
});
