import type { EvaluatorKind } from '#lib/core/criterion-schema.ts';
import { CRITERION_REMEDY, type CriterionDefinition, defineCriterion, JUDGE_REMEDY } from './definition.ts';
import { functionCriterion } from './function.ts';
import { jsonSchemaCriterion } from './json-schema.ts';
import { pythonTestsCriterion } from './python-tests.ts';
import { referenceCriterion } from './reference.ts';

const COMPARED_WITH = {
  previous: 'the previous version',
  best: 'the best version so far',
  reference: 'the reference',
};

/** Definitions of all evaluator kinds, in display order. Long ones have their own file. `lib/evaluators` has an evaluator for each. */
export const EVALUATOR_DEFINITIONS: { readonly [Kind in EvaluatorKind]: CriterionDefinition & { kind: Kind } } = {
  /** Judged by a model with a rubric. */
  llm: defineCriterion({
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
  }),
  /** Judged by a model, item by item with yes or no. The score is the share of yes. */
  checklist: defineCriterion({
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
  }),
  /**
   * Judged by a model side by side with another text, in both orders: the previous version, the best one so far, or the case's reference.
   * Two wins score 1, two losses 0, everything else is a tie with 0.5. A threshold of up to 0.5 therefore accepts "no worse".
   */
  comparison: defineCriterion({
    kind: 'comparison',
    label: 'LLM judge (comparison)',
    name: 'comparison',
    summary: ({ against }) => `compared by a model with ${COMPARED_WITH[against]}`,
    fields: {
      against: {
        type: 'select',
        label: 'Compare with',
        options: [
          { value: 'previous', label: 'the previous version' },
          { value: 'best', label: 'the best version so far' },
          { value: 'reference', label: 'the reference answer' },
        ],
      },
    },
    note: ({ against }) =>
      `A judge compares both texts in both orders, without knowing which is which. Better in both orders scores 1, worse in both scores 0, anything else is a tie and scores 0.5. ${
        against === 'reference' ? '' : 'The first version has nothing to be compared with, so it is a tie. '
      }A tie passes if the threshold is 0.5 or less.`,
    // The judge must not be able to identify the output or the reference among the two texts.
    judge: { withholds: ({ against }) => (against === 'reference' ? ['output', 'reference'] : ['output']) },
    calls: () => 2,
    comparesWith: ({ against }) => (against === 'reference' ? null : against),
    usesReference: ({ against }) => against === 'reference',
    lacks: ({ against }, reference) =>
      against === 'reference' && (reference ?? '').trim() === '' ? 'reference' : null,
    remedy: JUDGE_REMEDY,
  }),
  /** Scored by a pattern: if it matches, or the number of matches. */
  regex: defineCriterion({
    kind: 'regex',
    label: 'Pattern',
    name: 'pattern',
    summary: ({ mustMatch, pattern }) => `${mustMatch ? 'must match' : 'must not match'} ${pattern}`,
    fields: {
      pattern: { type: 'text', label: 'Pattern', help: 'Searched for in the output', columns: 2 },
      flags: {
        type: 'text',
        label: 'Flags',
        help: 'i any case, m by line, s dot matches line ends',
        columns: 2,
        optional: true,
      },
      mustMatch: {
        type: 'checkbox',
        label: 'Must be found',
        help: 'If off, the pattern must not be found',
        columns: 3,
        initially: true,
      },
      min: { type: 'number', label: 'Minimum matches', help: 'Default: any number', columns: 3 },
      max: { type: 'number', label: 'Maximum matches', help: 'Default: any number', columns: 3 },
    },
    remedy: CRITERION_REMEDY,
  }),
  json_schema: jsonSchemaCriterion,
  reference: referenceCriterion,
  function: functionCriterion,
  python_tests: pythonTestsCriterion,
  /** Scored by a service of the operator that is registered under this name. */
  webhook: defineCriterion({
    kind: 'webhook',
    label: 'Webhook',
    name: 'webhook',
    summary: ({ name }) => `scored by the webhook ${name}`,
    fields: { name: { type: 'webhook', label: 'Webhook' } },
    note: () =>
      'Hone sends the output with its input, metadata and reference. The service answers with `{ score, reason, feedback, issues, suggestions }`. Only `score`, from 0 to 1, is required. Models see the answer, except for text that quotes the reference.',
    usesReference: () => true,
    webhook: ({ name }) => name,
    remedy: 'Make sure that the service returns a score. Then resume the run to send the request again.',
  }),
  /** Scored by the target: the score that it sent with its output. */
  target: defineCriterion({
    kind: 'target',
    label: 'The target’s own score',
    name: 'target',
    summary: () => 'scored by the target',
    fields: {},
    note: () => 'The target sends `score`, from 0 to 1, with its output.',
    remedy: 'Make sure that the target returns a score. Then start a new run.',
  }),
  /** Scored by a person, for whom the run waits. `question` is shown to them. */
  human: defineCriterion({
    kind: 'human',
    label: 'Person',
    name: 'person',
    summary: ({ question }) => `scored by a person${question ? `: ${question}` : ''}`,
    fields: {
      question: {
        type: 'textarea',
        label: 'Question',
        help: 'The question for the reviewer. Leave it empty to show only the criterion. The run waits for a score on each version',
        rows: 2,
        optional: true,
      },
    },
    waitsForPerson: true,
  }),
};
