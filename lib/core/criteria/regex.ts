import { CRITERION_REMEDY, defineCriterion } from './definition.ts';

/** Scored by a pattern: if it matches, or the number of matches. */
export const regexCriterion = defineCriterion({
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
});
