import { readNumber } from '#lib/core/read-number.ts';
import { CRITERION_REMEDY, defineCriterion } from './definition.ts';

function defaultNormalization(match: unknown): string {
  if (match === 'edit' || match === 'embedding') return 'trim spaces';
  return match === 'token_f1' ? 'SQuAD' : 'SQuAD, except numbers';
}

/** Compared with the case's reference. */
export const referenceCriterion = defineCriterion({
  kind: 'reference',
  label: 'Reference answer',
  name: 'reference answer',
  summary: ({ match, extract }) => `${match} against the reference${extract ? `, extracted with ${extract}` : ''}`,
  fields: {
    match: {
      type: 'select',
      label: 'Correct if',
      help: 'A reference that is a JSON list of up to 500 texts, such as `["Paris", "Paris, France"]`, accepts each of them.',
      columns: 2,
      options: [
        { value: 'exact', label: 'the answer equals the reference', help: 'Scores 1 or 0' },
        { value: 'contains', label: 'the answer contains the reference', help: 'Scores 1 or 0' },
        {
          value: 'numeric',
          label: 'both have the same number',
          help: 'Scores 1 or 0, by the last number in each, or by the number in \\boxed{} or after ####',
        },
        {
          value: 'token_f1',
          label: 'the words overlap (token F1)',
          help: 'Scores 0 to 1 by the words that both have',
        },
        {
          value: 'edit',
          label: 'the letters are similar (edit similarity)',
          help: 'Scores 0 to 1 by the share of letters that need no change',
        },
        {
          value: 'embedding',
          label: 'the meaning is similar (embedding)',
          help: 'Scores 0 to 1, by the embedding model chosen under Task',
        },
        {
          value: 'tool_calls',
          label: 'the right tools are called',
          help: 'Scores 1 or 0. The reference is JSON, such as [{"name": "refund", "arguments": {"order": 7}}]. Calls may have more arguments. [] means no call',
        },
      ],
    },
    normalize: {
      type: 'select',
      label: 'Normalization',
      help: 'Applied to the answer and the reference before they are compared. By default, equality and containment ignore case, articles and punctuation, except in numbers and names such as C++',
      columns: 2,
      isShown: ({ match }) => match !== 'numeric' && match !== 'tool_calls',
      keptWhileHidden: true,
      emptyLabel: ({ match }) => `default: ${defaultNormalization(match)}`,
      options: [
        { value: 'none', label: 'none' },
        { value: 'trim', label: 'trim spaces' },
        { value: 'lower', label: 'lowercase' },
        { value: 'squad', label: 'lowercase, no articles or punctuation (SQuAD)' },
      ],
    },
    tolerance: {
      type: 'number',
      label: 'Tolerance',
      help: 'Largest difference that still counts as equal. Default: a millionth of the reference',
      columns: 2,
      isShown: ({ match }) => match === 'numeric',
    },
    extract: {
      type: 'text',
      label: 'Answer pattern',
      help: 'The first group of the last match is the answer, such as `Answer\\[([^\\]]*)\\]`. Empty: the whole output. An output without a match is incorrect.',
      optional: true,
      isShown: ({ match }) => match !== 'tool_calls',
      keptWhileHidden: true,
    },
  },
  note: () =>
    'Models see “correct”, “incorrect” or how close the output is. Only people see the reference. A run of a case without a reference does not start. A reference that is a JSON list, such as ["Paris", "Paris, France"], accepts each of its texts.',
  calls: ({ match }) => (match === 'embedding' ? 1 : 0),
  embeds: ({ match }) => match === 'embedding',
  usesReference: () => true,
  lacks({ match }, reference) {
    if (reference === null) return 'reference';
    if (match === 'numeric') return readNumber(reference) === null ? 'number' : null;
    return match === 'embedding' && reference.trim() === '' ? 'reference' : null;
  },
  knowsAnswer: ({ match }) => (match === 'embedding' ? 'never' : 'with_reference'),
  remedy: CRITERION_REMEDY,
});
