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
    { name: '0.5 0.5: no plateau yet', versions: [0.5, 0.5], continues: true },
    { name: '0.5 0.52 0.53: diminishing', versions: [0.5, 0.52, 0.53], stops: 'diminishing', best: 2 },
    { name: '0.55 0.55 0.6: continues', versions: [0.55, 0.55, 0.6], continues: true },
    {
      name: '0.5 0.7 0.6 0.7: oscillation',
      versions: [0.5, 0.7, 0.6, 0.7],
      stops: 'oscillation',
      also: ['plateau'],
      best: 3,
    },
    { name: '0.5 0.7 0.6: continues', versions: [0.5, 0.7, 0.6], continues: true },
    { name: '0.6 0.5 0.45: plateau, the first is the best', versions: [0.6, 0.5, 0.45], stops: 'plateau', best: 0 },
  ],
  quality_met: [
    { name: 'first draft exactly at the threshold', versions: [0.8], stops: 'quality_met', best: 0, iterations: 0 },
    { name: 'first draft just below the threshold', versions: [0.799], continues: true },
    { name: 'a later version', versions: [0.5, 0.9], stops: 'quality_met', best: 1, iterations: 1 },
    {
      name: 'a mean of 0.3, 0.6 and 0.9 is 0.6 despite floating-point errors',
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
      name: 'not if a criterion is below its threshold, for any mean',
      settings: { ...TWO_CRITERIA, qualityThreshold: 0.7 },
      versions: [{ criteria: { clear: 1, right: 0.49 } }],
      continues: true,
    },
    {
      name: 'a criterion exactly at its threshold',
      settings: { ...TWO_CRITERIA, qualityThreshold: 0.7 },
      versions: [{ criteria: { clear: 0.9, right: 0.5 } }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'not if a criterion of weight 0 is below its threshold',
      settings: {
        criteria: [
          { name: 'clear', evaluator: 'llm' },
          { name: 'right', weight: 0, threshold: 0.7, evaluator: 'llm' },
        ],
      },
      versions: [{ criteria: { clear: 1, right: 0.6 } }],
      continues: true,
    },
    {
      name: 'uses the weights',
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
      name: 'takes precedence over plateau',
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
      name: 'takes precedence over the cap',
      settings: { maxIterations: 1 },
      versions: [0.5, 0.9],
      stops: 'quality_met',
      also: ['max_iterations'],
      best: 1,
    },
    {
      name: 'only the last version counts: an earlier satisfactory one does not stop the run',
      settings: { convergence: null },
      versions: [{ score: 0.9, continued: true }, 0.7],
      continues: true,
    },
  ],
  plateau: [
    {
      name: 'not with a single version',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.5],
      continues: true,
    },
    {
      name: 'plateauIterations 1: at the second version',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.5, 0.5],
      stops: 'plateau',
      best: 1,
    },
    {
      name: 'plateauIterations 3: not at the third version',
      settings: { convergence: { plateauIterations: 3 } },
      versions: [0.5, 0.5, 0.5],
      continues: true,
    },
    {
      name: 'plateauIterations 3: at the fourth version',
      settings: { convergence: { plateauIterations: 3 } },
      versions: [0.5, 0.5, 0.5, 0.5],
      stops: 'plateau',
      best: 3,
    },
    {
      name: 'plateauIterations 10: not at the tenth version',
      settings: { convergence: { plateauIterations: 10 } },
      versions: Array(10).fill(0.5),
      continues: true,
    },
    {
      name: 'plateauIterations 10: at the eleventh version',
      settings: { convergence: { plateauIterations: 10 } },
      versions: Array(11).fill(0.5),
      stops: 'plateau',
      best: 10,
    },
    { name: 'an earlier gain does not count', versions: [0.5, 0.7, 0.7, 0.7], stops: 'plateau', best: 3 },
    { name: 'not after a gain within the last two versions', versions: [0.5, 0.7, 0.7], continues: true },
    {
      name: 'not after a gain that was lost again, because the best counts',
      settings: { triggers: { qualityDropThreshold: 1 } },
      versions: [0.5, 0.7, 0.4],
      continues: true,
    },
    {
      name: 'improvementThreshold 0: no gain is still a plateau',
      settings: { convergence: { improvementThreshold: 0 } },
      versions: [0.5, 0.5, 0.5],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'improvementThreshold 0: any gain continues',
      settings: { convergence: { improvementThreshold: 0 } },
      versions: [0.5, 0.5, 0.500001],
      continues: true,
    },
    {
      name: '0.3 0.3 0.1+0.2: a gain from floating-point error only',
      versions: [0.3, 0.3, 0.1 + 0.2],
      stops: 'plateau',
      best: 2,
    },
    { name: 'a gain of 0.0000004 rounds to 0', versions: [0.5, 0.5, 0.5000004], stops: 'plateau', best: 2 },
  ],
  diminishing: [
    { name: 'a gain of 0.000001 is a gain', versions: [0.5, 0.5, 0.500001], stops: 'diminishing', best: 2 },
    { name: 'a gain of 0.0499996 rounds up to the threshold', versions: [0.5, 0.5, 0.5499996], continues: true },
    {
      name: 'a gain of 0.049999 is below the threshold',
      versions: [0.5, 0.5, 0.549999],
      stops: 'diminishing',
      best: 2,
    },
    { name: 'a gain in the middle', versions: [0.5, 0.54, 0.53], stops: 'diminishing', best: 1 },
    {
      name: 'plateauIterations 1',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.5, 0.54],
      stops: 'diminishing',
      best: 1,
    },
    {
      name: 'improvementThreshold 1: any gain below 1',
      settings: { ...FAR, convergence: { improvementThreshold: 1 } },
      versions: [0.2, 0.5, 0.9],
      stops: 'diminishing',
      best: 2,
    },
    {
      name: '0.55 0.6: a gain of exactly 0.05 over one version continues',
      settings: { convergence: { plateauIterations: 1 } },
      versions: [0.55, 0.6],
      continues: true,
    },
  ],
  semantic_stability: [
    {
      name: 'two equal texts without a gain',
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
      name: 'a similarity of exactly 0.98 twice',
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
      name: 'not at a similarity of 0.979',
      versions: [
        { score: 0.5, output: text(48) },
        { score: 0.5, output: text(48, 1) },
        { score: 0.5, output: text(48) },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'not if one of the two revisions changed the text',
      versions: [
        { score: 0.5, output: text(50, 9) },
        { score: 0.5, output: text(50) },
        { score: 0.5, output: text(50) },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'not with a rising score',
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
        { score: 0.55, output: 'x' },
      ],
      continues: true,
    },
    {
      name: 'takes precedence over diminishing with a small gain',
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
      name: 'needs more than three similar texts with plateauIterations 3',
      settings: { convergence: { plateauIterations: 3 } },
      versions: [
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
        { score: 0.5, output: 'x' },
      ],
      continues: true,
    },
    {
      name: 'compares a revision with its parent',
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
      name: 'not with the previous version',
      versions: [
        { score: 0.7, output: text(50, 20) },
        { score: 0.5, output: text(50) },
        { score: 0.6, output: text(50), parent: 0 },
      ],
      stops: 'plateau',
      best: 0,
    },
    {
      name: 'turned off',
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
      name: 'the same issue three consecutive times',
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: issues('No example.') })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'differences in case, order and punctuation',
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
      name: 'reworded each time',
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
      name: 'without common words if the judge gives the same id',
      versions: ['Vague', 'Nobody can tell what is meant', 'Which ones?'].map((text) => ({
        score: 0.5,
        issues: [{ criterion: 'quality', text, id: 'i1' }],
      })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 2,
    },
    {
      name: 'without a gain, before the plateau',
      settings: { convergence: { plateauIterations: 5 } },
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: issues('Vague') })),
      stops: 'repeated_issues',
      best: 2,
    },
    {
      name: 'not without issues',
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: [] })),
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'not after two times',
      versions: [
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('No example.') },
        { score: 0.5, issues: issues('No example.') },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'not with an additional issue',
      versions: [
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('Vague', 'Long') },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'not with the same text under another criterion',
      versions: [
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: issues('Vague') },
        { score: 0.5, issues: [{ criterion: null, text: 'Vague' }] },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'keeps criterion and text separate',
      versions: [
        { score: 0.5, issues: [{ criterion: 'a', text: 'b c' }] },
        { score: 0.5, issues: [{ criterion: 'a b', text: 'c' }] },
        { score: 0.5, issues: [{ criterion: 'a', text: 'b c' }] },
      ],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'not while the score rises',
      versions: [0.4, 0.5, 0.6].map((score) => ({ score, issues: issues('Vague') })),
      continues: true,
    },
    {
      name: 'takes precedence over diminishing with a small gain',
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
      name: 'is not turned off by the two flags',
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
    { name: 'not with a difference of 0', versions: [0.5, 0.7, 0.7, 0.6], stops: 'plateau', best: 2 },
    { name: 'not with a difference that rounds to 0', versions: [0.5, 0.7, 0.7000001, 0.6], stops: 'plateau', best: 2 },
    { name: 'not while the best score rises', versions: [0.5, 0.6, 0.55, 0.7], continues: true },
    {
      name: 'takes precedence over diminishing with a small gain',
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
      name: 'turned off',
      settings: { convergence: { detectOscillation: false } },
      versions: [0.5, 0.7, 0.6, 0.7],
      stops: 'plateau',
      best: 3,
    },
  ],
  'several rules, or none': [
    {
      name: 'all rules at the cap: the first of the order ends the run, the others follow in order',
      settings: { maxIterations: 3 },
      versions: [0.5, 0.7, 0.6, 0.7].map((score) => ({ score, output: 'x', issues: issues('Vague') })),
      stops: 'semantic_stability',
      also: ['repeated_issues', 'oscillation', 'plateau', 'max_iterations'],
      best: 3,
    },
    {
      name: 'convergence null turns off all rules except repeated issues without a gain',
      settings: { convergence: null },
      versions: [0.5, 0.7, 0.6, 0.7].map((score) => ({ score, output: 'x', issues: issues('Vague') })),
      stops: 'repeated_issues',
      best: 3,
    },
    {
      name: 'convergence null: different issues each time',
      settings: { convergence: null },
      versions: [0.5, 0.7, 0.6, 0.7].map((score, at) => ({ score, output: 'x', issues: issues(`Vague line ${at}`) })),
      continues: true,
    },
    {
      name: 'convergence null: the same issues while the score rises',
      settings: { convergence: null },
      versions: [0.5, 0.5, 0.51].map((score) => ({ score, issues: issues('Vague') })),
      continues: true,
    },
    {
      name: 'convergence null: no issues',
      settings: { convergence: null },
      versions: [0.5, 0.5, 0.5, 0.5].map((score) => ({ score, output: 'x', issues: [] })),
      continues: true,
    },
    {
      name: 'retry mode has no repeated issues, because each attempt starts from scratch',
      settings: { mode: 'retry', convergence: null },
      versions: [0.5, 0.5, 0.5].map((score) => ({ score, issues: issues('Not met') })),
      continues: true,
    },
    {
      name: 'convergence null: quality_met still applies',
      settings: { convergence: null },
      versions: [0.5, 0.5, 0.8],
      stops: 'quality_met',
      best: 2,
    },
    {
      name: 'convergence null: the cap still applies',
      settings: { convergence: null, maxIterations: 2 },
      versions: [0.5, 0.5, 0.5],
      stops: 'max_iterations',
      best: 2,
    },
  ],
  max_iterations: [
    {
      name: 'maxIterations 0: only the first draft',
      settings: { maxIterations: 0 },
      versions: [0.5],
      stops: 'max_iterations',
      best: 0,
      iterations: 0,
    },
    {
      name: 'maxIterations 0 with a satisfactory draft: quality_met',
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
      continues: true,
    },
    {
      name: 'is reached',
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
      name: 'the last version is evaluated',
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
