import { describe, expect, test } from 'vitest';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';

/** A text of `length` characters whose first `changed` characters are "y", the rest "x". */
function text(length: number, changed = 0): string {
  return 'y'.repeat(changed) + 'x'.repeat(length - changed);
}

function issues(...texts: string[]) {
  return texts.map((one) => ({ criterion: 'quality', text: one }));
}

const FAR = { qualityThreshold: 0.99 };
const TWO_CRITERIA = {
  criteria: [
    { name: 'clear', threshold: 0.5, evaluator: 'llm' as const },
    { name: 'right', threshold: 0.5, evaluator: 'llm' as const },
  ],
};

const groups: Record<string, Scenario[]> = {
  'the examples of the stop table': [
    { name: '0.5 0.5 0.5: plateau at the third', versions: [0.5, 0.5, 0.5], stops: 'plateau', best: 2 },
    { name: '0.5 0.5: not yet', versions: [0.5, 0.5], goesOn: true },
    { name: '0.5 0.52 0.53: diminishing', versions: [0.5, 0.52, 0.53], stops: 'diminishing', best: 2 },
    { name: '0.55 0.55 0.6: goes on', versions: [0.55, 0.55, 0.6], goesOn: true },
    {
      name: '0.5 0.7 0.6 0.7: oscillation',
      versions: [0.5, 0.7, 0.6, 0.7],
      stops: 'oscillation',
      also: ['plateau'],
      best: 3,
    },
    { name: '0.5 0.7 0.6: goes on', versions: [0.5, 0.7, 0.6], goesOn: true },
    { name: '0.6 0.5 0.45: plateau, best the first', versions: [0.6, 0.5, 0.45], stops: 'plateau', best: 0 },
  ],
  quality_met: [
    { name: 'first draft exactly at the threshold', versions: [0.8], stops: 'quality_met', best: 0, iterations: 0 },
    { name: 'first draft just below it', versions: [0.799], goesOn: true },
    { name: 'a later version', versions: [0.5, 0.9], stops: 'quality_met', best: 1, iterations: 1 },
    {
      name: 'a mean of 0.3, 0.6 and 0.9 is 0.6, whatever floating point says',
      settings: {
        qualityThreshold: 0.6,
        criteria: ['a', 'b', 'c'].map((name) => ({ name, threshold: 0, evaluator: 'llm' as const })),
      },
      versions: [{ criteria: { a: 0.3, b: 0.6, c: 0.9 } }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: '0.1 + 0.2 reaches 0.3',
      settings: { qualityThreshold: 0.3 },
      versions: [0.1 + 0.2],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'a criterion below its own threshold: not met, however high the mean',
      settings: { ...TWO_CRITERIA, qualityThreshold: 0.7 },
      versions: [{ criteria: { clear: 1, right: 0.49 } }],
      goesOn: true,
    },
    {
      name: 'a criterion exactly at its own threshold',
      settings: { ...TWO_CRITERIA, qualityThreshold: 0.7 },
      versions: [{ criteria: { clear: 0.9, right: 0.5 } }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'a criterion of weight 0 still has its threshold',
      settings: {
        criteria: [
          { name: 'clear', evaluator: 'llm' },
          { name: 'right', weight: 0, threshold: 0.7, evaluator: 'llm' },
        ],
      },
      versions: [{ criteria: { clear: 1, right: 0.6 } }],
      goesOn: true,
    },
    {
      name: 'weights count',
      settings: {
        criteria: [
          { name: 'clear', weight: 3, threshold: 0, evaluator: 'llm' },
          { name: 'right', weight: 1, threshold: 0, evaluator: 'llm' },
        ],
      },
      versions: [{ criteria: { clear: 1, right: 0.2 } }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'before plateau, which also held',
      settings: { ...TWO_CRITERIA, qualityThreshold: 0.6 },
      versions: [
        { criteria: { clear: 0.2, right: 1 } },
        { criteria: { clear: 0.2, right: 1 } },
        { criteria: { clear: 0.6, right: 0.6 } },
      ],
      stops: 'quality_met',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'at the cap, which also held',
      settings: { maxIterations: 1 },
      versions: [0.5, 0.9],
      stops: 'quality_met',
      also: ['max_iterations'],
      best: 1,
    },
    {
      name: 'only the last version counts: a satisfactory one before it does not stop the run',
      settings: { convergence: null },
      versions: [{ score: 0.9, continued: true }, 0.7],
      goesOn: true,
    },
  ],
  plateau: [
    {
      name: 'one version is never one',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.5],
      goesOn: true,
    },
    {
      name: 'plateauIterations 1: at the second',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.5, 0.5],
      stops: 'plateau',
      best: 1,
    },
    {
      name: 'plateauIterations 3: not at the third',
      settings: { convergence: { plateauIterations: 3 } },
      versions: [0.5, 0.5, 0.5],
      goesOn: true,
    },
    {
      name: 'plateauIterations 3: at the fourth',
      settings: { convergence: { plateauIterations: 3 } },
      versions: [0.5, 0.5, 0.5, 0.5],
      stops: 'plateau',
      best: 3,
    },
    {
      name: 'plateauIterations 10: not at the tenth',
      settings: { convergence: { plateauIterations: 10 } },
      versions: Array(10).fill(0.5),
      goesOn: true,
    },
    {
      name: 'plateauIterations 10: at the eleventh',
      settings: { convergence: { plateauIterations: 10 } },
      versions: Array(11).fill(0.5),
      stops: 'plateau',
      best: 10,
    },
    { name: 'an old rise is forgotten', versions: [0.5, 0.7, 0.7, 0.7], stops: 'plateau', best: 3 },
    { name: 'a rise within the last two is not', versions: [0.5, 0.7, 0.7], goesOn: true },
    {
      name: 'best of all, not the last: a rise that was lost again still counts',
      settings: { triggers: { qualityDropThreshold: 1 } },
      versions: [0.5, 0.7, 0.4],
      goesOn: true,
    },
    {
      name: 'improvementThreshold 0: no rise is a plateau still',
      settings: { convergence: { improvementThreshold: 0 } },
      versions: [0.5, 0.5, 0.5],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'improvementThreshold 0: any rise goes on',
      settings: { convergence: { improvementThreshold: 0 } },
      versions: [0.5, 0.5, 0.500001],
      goesOn: true,
    },
    {
      name: '0.3 0.3 0.1+0.2: a rise of floating point only',
      versions: [0.3, 0.3, 0.1 + 0.2],
      stops: 'plateau',
      best: 2,
    },
    { name: 'a rise of 0.0000004 rounds to none', versions: [0.5, 0.5, 0.5000004], stops: 'plateau', best: 2 },
  ],
  diminishing: [
    { name: 'a rise of 0.000001 is one', versions: [0.5, 0.5, 0.500001], stops: 'diminishing', best: 2 },
    { name: 'a rise of 0.0499996 rounds up to the threshold', versions: [0.5, 0.5, 0.5499996], goesOn: true },
    { name: 'a rise of 0.049999 is below it', versions: [0.5, 0.5, 0.549999], stops: 'diminishing', best: 2 },
    { name: 'the rise may lie in the middle', versions: [0.5, 0.54, 0.53], stops: 'diminishing', best: 1 },
    {
      name: 'plateauIterations 1',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.5, 0.54],
      stops: 'diminishing',
      best: 1,
    },
    {
      name: 'improvementThreshold 1: any rise below 1',
      settings: { ...FAR, convergence: { improvementThreshold: 1 } },
      versions: [0.2, 0.5, 0.9],
      stops: 'diminishing',
      best: 2,
    },
    {
      name: '0.55 0.6: a rise of exactly 0.05 over one version goes on',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.55, 0.6],
      goesOn: true,
    },
  ],
  semantic_stability: [
    {
      name: 'twice the same text, no rise',
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
      ],
      stops: 'semantic_stability',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'exactly 0.98 alike, twice',
      versions: [
        { score: 0.5, output: text(50) },
        { score: 0.5, output: text(50, 1) },
        { score: 0.5, output: text(50) },
      ],
      stops: 'semantic_stability',
      also: ['plateau'],
      best: 2,
    },
    {
      name: '0.979 alike is not',
      versions: [
        { score: 0.5, output: text(48) },
        { score: 0.5, output: text(48, 1) },
        { score: 0.5, output: text(48) },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'one of the two revisions changed the text',
      versions: [
        { score: 0.5, output: text(50, 9) },
        { score: 0.5, output: text(50) },
        { score: 0.5, output: text(50) },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'alike, but rising',
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
        { score: 0.55, output: 'x' },
      ],
      goesOn: true,
    },
    {
      name: 'with a small rise diminishing also held',
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.51, output: 'x' },
        { score: 0.52, output: 'x' },
      ],
      stops: 'semantic_stability',
      also: ['diminishing'],
      best: 2,
    },
    {
      name: 'needs two revisions also with plateauIterations 1',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
      ],
      stops: 'plateau',
      best: 1,
    },
    {
      name: 'waits for the rise: three alike are too few with plateauIterations 3',
      settings: { convergence: { plateauIterations: 3 } },
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
      ],
      goesOn: true,
    },
    {
      name: 'a revision is compared with what it came from',
      versions: [
        { score: 0.7, output: text(50) },
        { score: 0.5, output: text(50, 1) },
        { score: 0.6, output: text(50), parent: 0 },
      ],
      stops: 'semantic_stability',
      also: ['plateau'],
      best: 0,
    },
    {
      name: 'not with the version before it',
      versions: [
        { score: 0.7, output: text(50, 20) },
        { score: 0.5, output: text(50) },
        { score: 0.6, output: text(50), parent: 0 },
      ],
      stops: 'plateau',
      best: 0,
    },
    {
      name: 'switched off',
      settings: { convergence: { detectStability: false } },
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
      ],
      stops: 'plateau',
      best: 2,
    },
  ],
  repeated_issues: [
    {
      name: 'the same issue three times running',
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: issues('No example.') })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'in other words of case, order and punctuation',
      versions: [
        { score: 0.5, issues: issues('No example.', 'Too long') },
        { score: 0.5, issues: issues('too  long!', 'no example') },
        { score: 0.5, issues: issues('NO EXAMPLE', 'Too long', 'Too long.') },
      ],
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'in other words each time',
      versions: [
        { score: 0.5, issues: issues('No concrete example is given.', 'The introduction is too long.') },
        { score: 0.5, issues: issues('The intro remains overly long.', 'An example is still missing.') },
        { score: 0.5, issues: issues('It still lacks an example.', 'Too long an introduction.') },
      ],
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'in words that share nothing, where the judge said it is the same',
      versions: ['Vague', 'Nobody can tell what is meant', 'Which ones?'].map((text) => ({
        score: 0.5,
        issues: [{ criterion: 'quality', text, id: 'i1' }],
      })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'without a rise, before patience is at its end',
      settings: { convergence: { plateauIterations: 5 } },
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: issues('Vague') })),
      stops: 'repeated_issues',
      best: 2,
    },
    {
      name: 'the empty set does not count',
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: [] })),
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'twice is not enough',
      versions: [
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('No example.') },
        { score: 0.5, issues: issues('No example.') },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'a larger set is another one',
      versions: [
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('Vague', 'Long') },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'the same words under another criterion are another issue',
      versions: [
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: [{ criterion: null, text: 'Vague' }] },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'criterion and text are not run together',
      versions: [
        { score: 0.5, issues: [{ criterion: 'a', text: 'b c' }] },
        { score: 0.5, issues: [{ criterion: 'a b', text: 'c' }] },
        { score: 0.5, issues: [{ criterion: 'a', text: 'b c' }] },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'while the score rises the loop goes on',
      versions: [0.4, 0.5, 0.6].map((score) => ({ score, issues: issues('Vague') })),
      goesOn: true,
    },
    {
      name: 'with a small rise diminishing also held',
      versions: [0.5, 0.51, 0.52].map((score) => ({ score, issues: issues('Vague') })),
      stops: 'repeated_issues',
      also: ['diminishing'],
      best: 2,
    },
    {
      name: 'after semantic_stability',
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, output: 'x', issues: issues('Vague') })),
      stops: 'semantic_stability',
      also: ['repeated_issues', 'plateau'],
      best: 2,
    },
    {
      name: 'is not switched off with the two flags',
      settings: { convergence: { detectStability: false, detectOscillation: false } },
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, output: 'x', issues: issues('Vague') })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
  ],
  oscillation: [
    {
      name: 'down, up, down',
      versions: [0.7, 0.5, 0.6, 0.5],
      stops: 'oscillation',
      also: ['plateau'],
      best: 0,
      settings: { convergence: { plateauIterations: 3 } },
    },
    { name: 'needs three differences', versions: [0.7, 0.6, 0.7], stops: 'plateau', best: 2 },
    { name: 'a difference of none is no sign', versions: [0.5, 0.7, 0.7, 0.6], stops: 'plateau', best: 2 },
    { name: 'nor is one that rounds to none', versions: [0.5, 0.7, 0.7000001, 0.6], stops: 'plateau', best: 2 },
    { name: 'while the best rises the loop goes on', versions: [0.5, 0.6, 0.55, 0.7], goesOn: true },
    {
      name: 'with a small rise diminishing also held',
      versions: [0.5, 0.7, 0.65, 0.72],
      stops: 'oscillation',
      also: ['diminishing'],
      best: 3,
    },
    {
      name: 'only the last three differences count',
      versions: [0.2, 0.3, 0.5, 0.7, 0.6, 0.7],
      stops: 'oscillation',
      also: ['plateau'],
      best: 5,
    },
    {
      name: 'switched off',
      settings: { convergence: { detectOscillation: false } },
      versions: [0.5, 0.7, 0.6, 0.7],
      stops: 'plateau',
      best: 3,
    },
  ],
  'several rules, and none': [
    {
      name: 'all at once, at the cap: the first of the table, the others in its order',
      settings: { maxIterations: 3 },
      versions: [0.5, 0.7, 0.6, 0.7].map((score) => ({ score, output: 'x', issues: issues('Vague') })),
      stops: 'semantic_stability',
      also: ['repeated_issues', 'oscillation', 'plateau', 'max_iterations'],
      best: 3,
    },
    {
      name: 'convergence null switches all off but the same issues without a rise',
      settings: { convergence: null },
      versions: [0.5, 0.7, 0.6, 0.7].map((score) => ({ score, output: 'x', issues: issues('Vague') })),
      stops: 'repeated_issues',
      best: 3,
    },
    {
      name: 'convergence null: other issues each time',
      settings: { convergence: null },
      versions: [0.5, 0.7, 0.6, 0.7].map((score, at) => ({ score, output: 'x', issues: issues(`Vague line ${at}`) })),
      goesOn: true,
    },
    {
      name: 'convergence null: the same issues while the score rises',
      settings: { convergence: null },
      versions: [0.5, 0.5, 0.51].map((score) => ({ score, issues: issues('Vague') })),
      goesOn: true,
    },
    {
      name: 'convergence null: no issues at all',
      settings: { convergence: null },
      versions: [0.5, 0.5, 0.5, 0.5].map((score) => ({ score, output: 'x', issues: [] })),
      goesOn: true,
    },
    {
      name: 'retry mode knows no repeated issues: each attempt starts afresh',
      settings: { mode: 'retry', convergence: null },
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: issues('Not met') })),
      goesOn: true,
    },
    {
      name: 'convergence null: quality_met stays',
      settings: { convergence: null },
      versions: [0.5, 0.5, 0.8],
      stops: 'quality_met',
      best: 2,
    },
    {
      name: 'convergence null: the cap stays',
      settings: { convergence: null, maxIterations: 2 },
      versions: [0.5, 0.5, 0.5],
      stops: 'max_iterations',
      best: 2,
    },
  ],
  max_iterations: [
    {
      name: 'maxIterations 0: the first draft is the only one',
      settings: { maxIterations: 0 },
      versions: [0.5],
      stops: 'max_iterations',
      best: 0,
      iterations: 0,
    },
    {
      name: 'maxIterations 0 and good: quality_met',
      settings: { maxIterations: 0 },
      versions: [0.9],
      stops: 'quality_met',
      also: ['max_iterations'],
      best: 0,
    },
    {
      name: 'counts revisions, not versions',
      settings: { ...FAR, maxIterations: 3 },
      versions: [0.3, 0.5, 0.7],
      goesOn: true,
    },
    {
      name: 'reached',
      settings: { ...FAR, maxIterations: 3 },
      versions: [0.3, 0.5, 0.7, 0.9],
      stops: 'max_iterations',
      best: 3,
      iterations: 3,
    },
    {
      name: 'after plateau',
      settings: { maxIterations: 2 },
      versions: [0.5, 0.5, 0.5],
      stops: 'plateau',
      also: ['max_iterations'],
      best: 2,
    },
    {
      name: 'the last version is evaluated too',
      settings: { maxIterations: 1 },
      versions: [0.5, { judged: [] }],
      next: { type: 'evaluate', version: 1 },
    },
  ],
};

describe.each(Object.entries(groups))('revise mode: %s', (_name, scenarios) => {
  test.each(scenarios)('$name', (scenario) => {
    expect(answerTo(scenario)).toMatchObject(expectationOf(scenario));
  });
});
