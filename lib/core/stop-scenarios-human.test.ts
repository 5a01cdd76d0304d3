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
const unsaid = { pauseId: 'pause', version: 0 };

const groups: Record<string, Scenario[]> = {
  'a person is asked': [
    {
      name: 'once the machine has scored its part',
      settings: BOTH,
      versions: [asked(0.6)],
      next: { ...ASKS_TASTE, version: 0 },
    },
    { name: 'not before', settings: BOTH, versions: [{ judged: [] }], next: { type: 'evaluate', version: 0 } },
    {
      name: 'not while the machine’s part is unscored',
      settings: BOTH,
      versions: [asked(null)],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'never where the machine’s part stays unscored',
      settings: BOTH,
      versions: [
        { judged: [{ criteria: { quality: null, taste: null } }, { criteria: { quality: null, taste: null } }] },
      ],
      stops: 'evaluation_failed',
      best: null,
    },
    {
      name: 'also where nothing else scores',
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
      name: 'only for what is still missing',
      settings: TWO,
      versions: [
        { judged: [{ criteria: { taste: null, fit: null } }, { by: 'person', criteria: { taste: 0.9, fit: null } }] },
      ],
      next: { type: 'wait', asks: [{ criterion: 'fit', question: null }] },
    },
    {
      name: 'anew for the next version',
      settings: BOTH,
      versions: [answered(0.6, 0.6), asked(0.7)],
      next: { ...ASKS_TASTE, version: 1 },
    },
    {
      name: 'again after a stop was taken back',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('stop', unsaid), decisionOf('resume')),
      next: ASKS_TASTE,
    },
  ],
  'nothing counts a version whose score is missing': [
    {
      name: 'the cap',
      settings: { ...BOTH, maxIterations: 1 },
      versions: [answered(0.6, 0.6), asked(0.7)],
      next: ASKS_TASTE,
    },
    {
      name: 'a plateau it would make',
      settings: BOTH,
      versions: [answered(0.5, 0.5), answered(0.5, 0.5), asked(0.5)],
      next: ASKS_TASTE,
    },
    { name: 'a quality the machine’s part alone would meet', settings: BOTH, versions: [asked(1)], next: ASKS_TASTE },
    {
      name: 'a budget that is spent: waiting costs nothing',
      settings: { ...BOTH, budget: { maxTokens: 100 } },
      versions: [asked(0.6)],
      spend: { tokens: 90, costUsd: 0, durationMs: 0 },
      next: ASKS_TASTE,
    },
    {
      name: 'the pause rule: it asks for its verdict when the score is there',
      settings: { ...BOTH, callbacks: { pause: 'always' } },
      versions: [asked(0.6)],
      next: ASKS_TASTE,
    },
  ],
  'with the score the loop goes on by the same rules': [
    { name: 'on to the next', settings: BOTH, versions: [answered(0.6, 0.6)], goesOn: true },
    { name: 'quality met', settings: BOTH, versions: [answered(1, 0.8)], stops: 'quality_met', best: 0 },
    {
      name: 'not met below the criterion’s own threshold',
      settings: { ...BOTH, qualityThreshold: 0.6 },
      versions: [answered(1, 0.4)],
      goesOn: true,
    },
    {
      name: 'the cap',
      settings: { ...BOTH, maxIterations: 1 },
      versions: [answered(0.6, 0.6), answered(0.6, 0.4)],
      stops: 'max_iterations',
      best: 0,
    },
    {
      name: 'a plateau',
      settings: BOTH,
      versions: [answered(0.5, 0.5), answered(0.5, 0.5), answered(0.5, 0.5)],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'a budget',
      settings: { ...BOTH, budget: { maxTokens: 100 } },
      versions: [answered(0.6, 0.6)],
      spend: { tokens: 90, costUsd: 0, durationMs: 0 },
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'the pause rule: a score is no verdict on its pause',
      settings: { ...BOTH, callbacks: { pause: 'always' } },
      versions: [answered(0.6, 0.6)],
      act: done(decisionOf('score', { ...unsaid, score: 0.6, criterion: 'taste' })),
      next: { type: 'wait', version: 0, asks: [] },
    },
    {
      name: 'an override of the whole stands for it',
      settings: BOTH,
      versions: [asked(0.6)],
      act: overridden(0.9),
      stops: 'quality_met',
      best: 0,
    },
  ],
  'without the score': [
    {
      name: 'accepted',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('accept', unsaid)),
      stops: 'user_accepted',
      best: null,
    },
    {
      name: 'stopped',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('stop', unsaid)),
      stops: 'user_stopped',
      best: null,
    },
    {
      name: 'continued: on to the next, and the version stays unscored',
      settings: BOTH,
      versions: [asked(0.6)],
      act: done(decisionOf('continue', unsaid)),
      next: { type: 'critique', version: 0 },
    },
    {
      name: 'continued at the cap: one more is granted',
      settings: { ...BOTH, maxIterations: 0 },
      versions: [asked(0.6)],
      act: done(decisionOf('continue', unsaid)),
      next: { type: 'critique', version: 0 },
    },
    {
      name: 'continued in retry mode: another attempt, and no lesson from what nobody judged',
      settings: { ...BOTH, mode: 'retry' },
      versions: [asked(0.6)],
      act: done(decisionOf('continue', unsaid)),
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'the policy’s own word does not stand for a person’s score of the next',
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
