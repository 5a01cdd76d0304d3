import { describe, expect, test } from 'vitest';
import type { Decision, History } from './history.ts';
import { decided, decisionOf, judged, type VersionGiven } from './history-of.test-support.ts';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';
import type { ExperimentSettings, ExperimentSettingsInput } from './settings.ts';
import type { Step } from './step.ts';

const TASTE = { name: 'taste', evaluator: 'human', threshold: 0.5, config: { question: 'Do you like it?' } } as const;
const BOTH: Partial<ExperimentSettingsInput> = {
  criteria: [{ name: 'quality', threshold: 0, evaluator: 'llm' }, TASTE],
};
const TWO: Partial<ExperimentSettingsInput> = { criteria: [TASTE, { name: 'fit', evaluator: 'human', threshold: 0 }] };

/** A version with machine scores and no human score yet. */
function asked(quality: number | null): VersionGiven {
  return { judged: [{ by: 'machine', criteria: { quality, taste: null } }] };
}

/** The same version with a human score added. */
function answered(quality: number, taste: number, more: { continued?: boolean } = {}): VersionGiven {
  const machine = { by: 'machine' as const, criteria: { quality, taste: null } };
  return { judged: [machine, { by: 'person', criteria: { quality, taste } }], ...more };
}

function done(...decisions: Decision[]) {
  return (history: History) => decided(history, ...decisions);
}

function overridden(score: number) {
  return (history: History, settings: ExperimentSettings) => {
    const last = history.versions.length - 1;
    const given = judged(history, settings, last, { by: 'person', criteria: { quality: score, taste: score } });
    return decided(given, decisionOf('override', { version: last, score }));
  };
}

const ASKS_TASTE: Partial<Extract<Step, { type: 'wait' }>> = {
  type: 'wait',
  hook: 'onReflection',
  wouldStopAs: null,
  asks: [{ criterion: 'taste', question: 'Do you like it?' }],
};
const pause = { pauseId: 'pause', version: 0 };

const groups: Record<string, Scenario[]> = {
  'a human score is requested': [
    {
      name: 'after the machine scores',
      settings: BOTH,
      versions: [asked(0.6)],
      next: { ...ASKS_TASTE, version: 0 },
    },
    {
      name: 'not before the machine scores',
      settings: BOTH,
      versions: [{ judged: [] }],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'not while machine scores are missing',
      settings: BOTH,
      versions: [asked(null)],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'never if machine scores stay missing',
      settings: BOTH,
      versions: [
        { judged: [{ criteria: { quality: null, taste: null } }, { criteria: { quality: null, taste: null } }] },
      ],
      stops: 'evaluation_failed',
      best: null,
    },
    {
      name: 'even if no other criterion exists',
      settings: TWO,
      versions: [{ judged: [{ criteria: { taste: null, fit: null } }] }],
      next: {
        type: 'wait',
        asks: [
          { criterion: 'taste', question: 'Do you like it?' },
          { criterion: 'fit', question: null },
        ],
      },
    },
    {
      name: 'only for missing scores',
      settings: TWO,
      versions: [
        { judged: [{ criteria: { taste: null, fit: null } }, { by: 'person', criteria: { taste: 0.9, fit: null } }] },
      ],
      next: { type: 'wait', asks: [{ criterion: 'fit', question: null }] },
    },
    {
      name: 'again for the next version',
      settings: BOTH,
      versions: [answered(0.6, 0.6), asked(0.7)],
      next: { ...ASKS_TASTE, version: 1 },
    },
    {
      name: 'again after a stop and a resume',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('stop', pause), decisionOf('resume')),
      next: ASKS_TASTE,
    },
  ],
  'no rule uses a version without its human score': [
    {
      name: 'the cap',
      settings: { ...BOTH, maxIterations: 1 },
      versions: [answered(0.6, 0.6), asked(0.7)],
      next: ASKS_TASTE,
    },
    {
      name: 'a plateau',
      settings: BOTH,
      versions: [answered(0.5, 0.5), answered(0.5, 0.5), asked(0.5)],
      next: ASKS_TASTE,
    },
    {
      name: 'the quality threshold met by machine scores only',
      settings: BOTH,
      versions: [asked(1)],
      next: ASKS_TASTE,
    },
    {
      name: 'an exhausted budget, because waiting costs nothing',
      settings: { ...BOTH, budget: { maxTokens: 100 } },
      versions: [asked(0.6)],
      spend: { tokens: 90, costUsd: 0, durationMs: 0 },
      next: ASKS_TASTE,
    },
    {
      name: 'the pause rule, which pauses after the score',
      settings: { ...BOTH, callbacks: { pause: 'always' } },
      versions: [asked(0.6)],
      next: ASKS_TASTE,
    },
  ],
  'after the human score the loop continues by the same rules': [
    { name: 'continues with the next version', settings: BOTH, versions: [answered(0.6, 0.6)], continues: true },
    { name: 'stops with quality_met', settings: BOTH, versions: [answered(1, 0.8)], stops: 'quality_met', best: 0 },
    {
      name: 'does not stop with quality_met if a criterion is below its threshold',
      settings: { ...BOTH, qualityThreshold: 0.6 },
      versions: [answered(1, 0.4)],
      continues: true,
    },
    {
      name: 'stops at the cap',
      settings: { ...BOTH, maxIterations: 1 },
      versions: [answered(0.6, 0.6), answered(0.6, 0.4)],
      stops: 'max_iterations',
      best: 0,
    },
    {
      name: 'stops at a plateau',
      settings: BOTH,
      versions: [answered(0.5, 0.5), answered(0.5, 0.5), answered(0.5, 0.5)],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'stops at a budget',
      settings: { ...BOTH, budget: { maxTokens: 100 } },
      versions: [answered(0.6, 0.6)],
      spend: { tokens: 90, costUsd: 0, durationMs: 0 },
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'pauses by the pause rule, because a score does not decide the pause',
      settings: { ...BOTH, callbacks: { pause: 'always' } },
      versions: [answered(0.6, 0.6)],
      act: done(decisionOf('score', { ...pause, score: 0.6, criterion: 'taste' })),
      next: { type: 'wait', version: 0, asks: [] },
    },
    {
      name: 'an override of the overall score replaces the human score',
      settings: BOTH,
      versions: [asked(0.6)],
      act: overridden(0.9),
      stops: 'quality_met',
      best: 0,
    },
  ],
  'decisions without a human score': [
    {
      name: 'accept ends the run',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('accept', pause)),
      stops: 'user_accepted',
      best: null,
    },
    {
      name: 'stop ends the run',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('stop', pause)),
      stops: 'user_stopped',
      best: null,
    },
    {
      name: 'continue proceeds with the next version and leaves this one unscored',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('continue', pause)),
      next: { type: 'critique', version: 0 },
    },
    {
      name: 'continue at the cap grants one more iteration',
      settings: { ...BOTH, maxIterations: 0 },
      versions: [asked(0.6)],
      act: done(decisionOf('continue', pause)),
      next: { type: 'critique', version: 0 },
    },
    {
      name: 'continue in retry mode starts another attempt without a lesson from the unscored one',
      settings: { ...BOTH, mode: 'retry' },
      versions: [asked(0.6)],
      act: done(decisionOf('continue', pause)),
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'an automatic continue does not replace the human score of the next version',
      settings: BOTH,
      versions: [answered(0.6, 0.6, { continued: true }), asked(0.7)],
      next: ASKS_TASTE,
    },
  ],
};

describe.each(Object.entries(groups))('%s', (_name, scenarios) => {
  test.each(scenarios)('$name', (scenario) => {
    expect(answerTo(scenario)).toMatchObject(expectationOf(scenario));
  });
});
