import { describe, expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { settingsContradiction, settingsWarnings } from './settings-contradictions.ts';

type Changes = Partial<ExperimentSettingsInput>;
const LLM = { name: 'clear', evaluator: 'llm' } as const;
const BETTER = { name: 'better', evaluator: 'comparison', config: { against: 'previous' } } as const;

function settingsOf(changes: Changes) {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [LLM],
    ...changes,
  });
}

describe('incompatible settings', () => {
  test.each<[string, Changes, string | null]>([
    ['none with the defaults', {}, null],
    ['escalation of revisions', { callbacks: { escalate: true } }, 'callbacks.escalate'],
    ['escalation of attempts', { mode: 'retry', callbacks: { escalate: true } }, null],
    [
      'a comparison of the only version',
      { maxIterations: 0, criteria: [{ ...BETTER, threshold: 0.6 }] },
      'criteria.0.threshold',
    ],
    [
      'a comparison of the only version as the sole criterion',
      { maxIterations: 0, criteria: [BETTER] },
      'qualityThreshold',
    ],
    [
      'a comparison of the only version next to another criterion',
      { maxIterations: 0, criteria: [LLM, { ...BETTER, weight: 0.5 }] },
      null,
    ],
    ['a tie that passes', { maxIterations: 0, qualityThreshold: 0.5, criteria: [BETTER] }, null],
    ['the only attempt', { mode: 'retry', maxAttempts: 1, criteria: [BETTER] }, 'qualityThreshold'],
    ['two versions', { maxIterations: 1, criteria: [BETTER] }, null],
  ])('%s', (_name, changes, field) => {
    expect(settingsContradiction(settingsOf(changes))?.field ?? null).toBe(field);
  });
});

describe('probably unintended settings', () => {
  test.each<[string, Changes, string[]]>([
    ['none with the defaults', {}, []],
    [
      'a case order that the strategy ignores',
      { mode: 'tune', tune: { strategy: 'pairwise', selection: 'pareto' } },
      ['tune.selection'],
    ],
    ['a case order ignored in a portfolio', { mode: 'tune', tune: { strategy: 'portfolio', selection: 'pareto' } }, []],
    [
      'worked examples together with sampled ones',
      { mode: 'tune', tune: { strategy: 'few_shot', demonstrations: 2 } },
      [],
    ],
    [
      'minibatches with a parameter search',
      {
        mode: 'tune',
        tune: {
          ...{ strategy: 'few_shot', minibatchSize: 4, minibatches: 'failures', acceptance: 'not_worse' },
          parameters: { temperatures: [0.2] },
        },
      },
      [],
    ],
    [
      'minibatches of a strategy without them',
      { mode: 'tune', tune: { strategy: 'few_shot', minibatchSize: 4 } },
      ['tune.minibatchSize'],
    ],
    [
      'known failures in minibatches of one case',
      { mode: 'tune', tune: { minibatchSize: 1, minibatches: 'failures' } },
      ['tune.minibatches'],
    ],
    [
      'known failures in minibatches of two cases',
      { mode: 'tune', tune: { minibatchSize: 2, minibatches: 'failures' } },
      [],
    ],
    ['a low cap with the default patience', { maxIterations: 1 }, []],
    ['a criterion without a threshold', { qualityThreshold: 0.5 }, []],
    ['a criterion threshold below the quality threshold', { criteria: [{ ...LLM, threshold: 0.7 }] }, []],
    [
      'a criterion threshold above the quality threshold',
      { qualityThreshold: 0.5, criteria: [{ ...LLM, threshold: 0.7 }] },
      ['qualityThreshold'],
    ],
    ['a quality threshold of 0', { qualityThreshold: 0, convergence: null }, ['qualityThreshold']],
    ['a patience beyond the cap', { convergence: { plateauIterations: 4 } }, ['convergence.plateauIterations']],
    [
      'a minimum gain that is impossible',
      { convergence: { improvementThreshold: 0.8 } },
      ['convergence.improvementThreshold'],
    ],
    ['a minimum gain below the threshold', { convergence: { improvementThreshold: 0.5 } }, []],
    [
      'a pause before revisions that never happen',
      { maxIterations: 0, callbacks: { pause: 'before_revision' } },
      ['callbacks.pause'],
    ],
    [
      'a pause on a drop of the only version',
      { maxIterations: 0, callbacks: { pause: 'on_quality_drop' } },
      ['callbacks.pause'],
    ],
    ['a pause before the finish', { maxIterations: 0, callbacks: { pause: 'before_finish' } }, []],
    [
      'a review of revisions of attempts',
      { mode: 'retry', callbacks: { review: { revisions: true } } },
      ['callbacks.review.revisions'],
    ],
    ['a webhook that no pause waits for', { callbacks: { webhook: 'gate' } }, ['callbacks.webhook']],
    ['a webhook at a pause', { callbacks: { webhook: 'gate', pause: 'always' } }, []],
    [
      'a webhook for human scores',
      { criteria: [LLM, { name: 'taste', evaluator: 'human' }], callbacks: { webhook: 'gate' } },
      [],
    ],
    ['a minimum confidence of 0', { evaluation: { confidence: { below: 0 } } }, ['evaluation.confidence.below']],
    [
      'a minimum confidence without a judge',
      {
        criteria: [{ name: 'form', evaluator: 'regex', config: { pattern: 'x' } }],
        evaluation: { confidence: { below: 0.5 } },
      },
      ['evaluation.confidence.below'],
    ],
  ])('%s', (_name, changes, fields) => {
    expect(settingsWarnings(settingsOf(changes)).map(({ field }) => field)).toEqual(fields);
  });

  test('recommend a fix', () => {
    const [warning] = settingsWarnings(settingsOf({ qualityThreshold: 0.5, criteria: [{ ...LLM, threshold: 0.7 }] }));
    expect(warning?.message).toBe(
      'A version must also reach the threshold of "clear" (0.7), which is above the quality threshold of 0.5. Clear that field to let the quality threshold decide.',
    );
  });
});
