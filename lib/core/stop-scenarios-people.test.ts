import { describe, expect, test } from 'vitest';
import type { Decision, History } from './history.ts';
import { decided, decisionOf, failureOf, judged } from './history-of.test-support.ts';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';

type Act = NonNullable<Scenario['act']>;

function done(...decisions: Decision[]): Act {
  return (history) => decided(history, ...decisions);
}

function failing(kind: 'model_failed' | 'internal_error', ...decisions: Decision[]): Act {
  return (history) => decided({ ...history, failure: failureOf(kind, history) }, ...decisions);
}

function waiting(history: History, version: number): History {
  return {
    ...history,
    pause: {
      pauseId: 'pause',
      hook: 'onReflection',
      version,
      wouldStopAs: 'plateau',
      asks: [],
      toolCall: null,
      since: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
    },
  };
}

const { accept, stop, resume } = {
  accept: (version: number | null) => decisionOf('accept', { version }),
  stop: decisionOf('stop'),
  resume: decisionOf('resume'),
};

const groups: Record<string, Scenario[]> = {
  'user_accepted and user_stopped': [
    {
      name: 'a version is accepted: it is the final one',
      versions: [0.5, 0.6],
      act: done(accept(0)),
      stops: 'user_accepted',
      best: 1,
      final: 0,
    },
    {
      name: 'accepted without naming one: the last',
      versions: [0.5, 0.4],
      act: done(accept(null)),
      stops: 'user_accepted',
      best: 0,
      final: 1,
    },
    { name: 'stopped', versions: [0.5, 0.6], act: done(stop), stops: 'user_stopped', best: 1 },
    {
      name: 'stopped before anything was made',
      versions: [],
      act: done(stop),
      stops: 'user_stopped',
      best: null,
      final: null,
      iterations: 0,
    },
    {
      name: 'stopped before the last version was judged',
      versions: [0.5, { judged: [] }],
      act: done(stop),
      stops: 'user_stopped',
      best: 0,
      final: 1,
    },
    {
      name: 'accepted by a webhook',
      versions: [0.5],
      act: done(decisionOf('accept', { by: 'webhook', version: 0 })),
      stops: 'user_accepted',
      best: 0,
    },
    {
      name: 'stopped by code',
      versions: [0.5],
      act: done(decisionOf('stop', { by: 'code' })),
      stops: 'user_stopped',
      best: 0,
    },
    {
      name: "the policy's own stop is no order",
      versions: [0.5],
      act: done(decisionOf('stop', { by: 'policy', version: 0 })),
      goesOn: true,
    },
    {
      name: 'accepted after the run had met its quality',
      versions: [0.5, 0.9],
      act: done(accept(0)),
      stops: 'user_accepted',
      also: ['quality_met'],
      best: 1,
      final: 0,
    },
    {
      name: 'stopped where the rules would stop too',
      settings: { maxIterations: 2 },
      versions: [0.5, 0.5, 0.5],
      act: done(stop),
      stops: 'user_stopped',
      also: ['plateau', 'max_iterations'],
      best: 2,
    },
    {
      name: 'the last word counts: stopped, then accepted',
      versions: [0.5],
      act: done(stop, accept(0)),
      stops: 'user_accepted',
      best: 0,
    },
    {
      name: 'the last word counts: one accepted, then another',
      versions: [0.5, 0.6],
      act: done(accept(0), accept(1)),
      stops: 'user_accepted',
      best: 1,
      final: 1,
    },
    {
      name: 'an override is no order',
      versions: [0.5],
      act: done(decisionOf('override', { version: 0, score: 0.4 })),
      goesOn: true,
    },
  ],
  resume: [
    { name: 'undoes a stop', versions: [0.5, 0.6], act: done(stop, resume), goesOn: true },
    { name: 'stopped again', versions: [0.5], act: done(stop, resume, stop), stops: 'user_stopped', best: 0 },
    {
      name: 'a stop rule that held holds still',
      versions: [0.5, 0.5, 0.5],
      act: done(stop, resume),
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'after a failure the same step is due again',
      versions: [0.5, { judged: [] }],
      act: done(resume),
      next: { type: 'evaluate', version: 1 },
    },
  ],
  'model_failed and internal_error': [
    {
      name: 'before anything was made',
      versions: [],
      act: failing('model_failed'),
      stops: 'model_failed',
      best: null,
      final: null,
    },
    {
      name: 'while judging: what was stored stays',
      versions: [0.5, { judged: [] }],
      act: failing('model_failed'),
      stops: 'model_failed',
      best: 0,
      final: 1,
    },
    { name: 'while revising', versions: [0.5, 0.6], act: failing('model_failed'), stops: 'model_failed', best: 1 },
    {
      name: 'while judging the last version of the cap',
      settings: { maxIterations: 1 },
      versions: [0.5, { judged: [] }],
      act: failing('model_failed'),
      stops: 'model_failed',
      also: ['max_iterations'],
      best: 0,
      final: 1,
    },
    { name: 'given up', versions: [0.5], act: failing('internal_error'), stops: 'internal_error', best: 0 },
    {
      name: 'accepted all the same',
      versions: [0.5, 0.6],
      act: failing('model_failed', accept(1)),
      stops: 'user_accepted',
      also: ['model_failed'],
      best: 1,
    },
    {
      name: 'no pause is asked for',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.5],
      act: failing('model_failed'),
      stops: 'model_failed',
      best: 0,
    },
  ],
  evaluation_failed: [
    { name: 'unscored once: evaluated once more', versions: [0.5, null], next: { type: 'evaluate', version: 1 } },
    { name: 'unscored twice', versions: [0.5, { judged: [{}, {}] }], stops: 'evaluation_failed', best: 0, final: 1 },
    {
      name: 'the first draft unscored twice: no best version',
      versions: [{ judged: [{}, {}] }],
      stops: 'evaluation_failed',
      best: null,
      final: 0,
    },
    {
      name: 'one of two criteria unscored, twice',
      settings: { criteria: ['a', 'b'].map((name) => ({ name, evaluator: 'llm' as const })) },
      versions: [{ judged: [{ criteria: { a: 1, b: null } }, { criteria: { a: null, b: 1 } }] }],
      stops: 'evaluation_failed',
      best: null,
    },
    { name: 'unscored, then scored: goes on', versions: [{ judged: [{}, { score: 0.5 }] }], goesOn: true },
    {
      name: 'unscored, then satisfactory',
      versions: [{ judged: [{}, { score: 0.9 }] }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'at the cap',
      settings: { maxIterations: 1 },
      versions: [0.5, { judged: [{}, {}] }],
      stops: 'evaluation_failed',
      also: ['max_iterations'],
      best: 0,
      final: 1,
    },
    {
      name: 'resumed: evaluated again',
      versions: [0.5, { judged: [{}, {}] }],
      act: done(resume),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'resumed and unscored: once more',
      versions: [0.5, { judged: [{}, {}] }],
      act: (history, settings) => judged(decided(history, resume), settings, 1, {}),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'resumed and unscored twice: ends again',
      versions: [0.5, { judged: [{}, {}] }],
      act: (history, settings) =>
        [{}, {}].reduce<History>((sum, one) => judged(sum, settings, 1, one), decided(history, resume)),
      stops: 'evaluation_failed',
      best: 0,
      final: 1,
    },
    {
      name: 'resumed and scored: goes on',
      versions: [0.5, { judged: [{}, {}] }],
      act: (history, settings) => judged(decided(history, resume), settings, 1, { score: 0.6 }),
      goesOn: true,
    },
    {
      name: 'a person scores what the judge could not',
      versions: [0.5, { judged: [{}, {}, { by: 'person', score: 0.6 }] }],
      goesOn: true,
    },
    {
      name: "a person's gap is no try of the judge",
      settings: { criteria: ['a', 'b'].map((name) => ({ name, threshold: 0, evaluator: 'llm' as const })) },
      versions: [{ judged: [{ criteria: { a: 0.5, b: null } }, { by: 'person', criteria: { a: 0.6, b: null } }] }],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: "a full score of the judge after a person's gap counts",
      settings: { criteria: ['a', 'b'].map((name) => ({ name, threshold: 0, evaluator: 'llm' as const })) },
      versions: [
        {
          judged: [
            { criteria: { a: 0.5, b: null } },
            { by: 'person', criteria: { a: 0.6, b: null } },
            { criteria: { a: 0.5, b: 0.5 } },
          ],
        },
      ],
      goesOn: true,
    },
  ],
  'gaps are no scores: only fully scored versions count': [
    { name: '0.5, gap, 0.5: no plateau yet', versions: [0.5, null, 0.5], goesOn: true },
    { name: '0.5, gap, 0.5 0.5: plateau', versions: [0.5, null, 0.5, 0.5], stops: 'plateau', best: 3 },
    {
      name: '0.5 0.7, gap, 0.6 0.7: oscillation',
      versions: [0.5, 0.7, null, 0.6, 0.7],
      stops: 'oscillation',
      also: ['plateau'],
      best: 4,
    },
    {
      name: 'a gap does not part repeated issues',
      versions: [0.5, null, 0.5, 0.5].map((score) => ({ score, issues: [{ criterion: null, text: 'Vague' }] })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 3,
    },
  ],
  "a person's score": [
    {
      name: 'decides the loop: good enough',
      versions: [{ judged: [{ score: 0.5 }, { by: 'person', score: 0.9 }] }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'decides the loop: not good enough',
      versions: [{ judged: [{ score: 0.9 }, { by: 'person', score: 0.4 }] }],
      goesOn: true,
    },
    {
      name: 'the later of two',
      versions: [{ judged: [{ score: 0.5 }, { by: 'person', score: 0.9 }, { by: 'person', score: 0.4 }] }],
      goesOn: true,
    },
    {
      name: 'stands beside a later one of the machine',
      versions: [{ judged: [{ score: 0.5 }, { by: 'person', score: 0.4 }, { score: 0.9 }] }],
      goesOn: true,
    },
    {
      name: 'counts in the rise',
      versions: [0.5, 0.5, { judged: [{ score: 0.5 }, { by: 'person', score: 0.7 }] }],
      goesOn: true,
    },
    {
      name: 'counts in the rise of an earlier version',
      versions: [0.5, { judged: [{ score: 0.7 }, { by: 'person', score: 0.5 }] }, 0.5],
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'counts in the best version',
      versions: [0.6, { judged: [{ score: 0.5 }, { by: 'person', score: 0.61 }] }, 0.45],
      stops: 'diminishing',
      best: 1,
    },
    {
      name: 'of one criterion, below its threshold',
      settings: { criteria: ['a', 'b'].map((name) => ({ name, threshold: 0.7, evaluator: 'llm' as const })) },
      versions: [{ judged: [{ criteria: { a: 1, b: 1 } }, { by: 'person', criteria: { a: 1, b: 0.69 } }] }],
      goesOn: true,
    },
  ],
  continue: [
    {
      name: 'suspends a stop rule for the versions already judged',
      versions: [0.5, 0.5, { score: 0.5, continued: true }],
      next: { type: 'critique', version: 2, trigger: 'completion' },
    },
    {
      name: 'suspends quality_met',
      versions: [{ score: 0.9, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'the next version is judged by all rules again',
      versions: [0.5, 0.5, { score: 0.5, continued: true }, 0.5],
      stops: 'plateau',
      best: 3,
    },
    {
      name: 'a next version that is worse goes on',
      settings: { convergence: null },
      versions: [{ score: 0.9, continued: true }, 0.79],
      goesOn: true,
    },
    {
      name: 'stopped before the next version was judged: nothing else held',
      versions: [{ score: 0.9, continued: true }, { judged: [] }],
      act: done(stop),
      stops: 'user_stopped',
      best: 0,
      final: 1,
    },
    {
      name: 'at the cap it grants one more',
      settings: { maxIterations: 1 },
      versions: [0.3, { score: 0.5, continued: true }],
      next: { type: 'critique', version: 1, trigger: 'completion' },
    },
    {
      name: 'and only one',
      settings: { maxIterations: 1 },
      versions: [0.3, { score: 0.5, continued: true }, 0.7],
      stops: 'max_iterations',
      best: 2,
      iterations: 2,
    },
    {
      name: 'twice at the cap: two more',
      settings: { maxIterations: 1, qualityThreshold: 0.95 },
      versions: [0.3, { score: 0.5, continued: true }, { score: 0.7, continued: true }, 0.9],
      stops: 'max_iterations',
      best: 3,
      iterations: 3,
    },
    {
      name: 'below the cap it grants none',
      settings: { maxIterations: 2 },
      versions: [{ score: 0.3, continued: true }, { score: 0.5, continued: true }, 0.7],
      stops: 'max_iterations',
      best: 2,
    },
    {
      name: 'maxIterations 0: one more than none',
      settings: { maxIterations: 0 },
      versions: [{ score: 0.3, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: "the policy's own continue grants nothing",
      settings: { maxIterations: 1 },
      versions: [0.3, 0.5],
      act: done(decisionOf('continue', { by: 'policy', version: 1, iteration: 1 })),
      stops: 'max_iterations',
      best: 1,
    },
    {
      name: 'in retry mode one more attempt',
      settings: { mode: 'retry', maxAttempts: 1, qualityThreshold: 1 },
      versions: [{ score: 0, continued: true, critiqued: true }],
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'and then the cap again',
      settings: { mode: 'retry', maxAttempts: 1, qualityThreshold: 1 },
      versions: [{ score: 0, continued: true }, 0],
      stops: 'max_iterations',
      best: 1,
      iterations: 2,
    },
    {
      name: 'by a webhook counts alike',
      settings: { maxIterations: 1 },
      versions: [0.3, 0.5],
      act: done(decisionOf('continue', { by: 'webhook', version: 1, iteration: 1 })),
      next: { type: 'critique', version: 1, trigger: 'completion' },
    },
  ],
  pauses: [
    { name: 'never', settings: { callbacks: { pause: 'never' } }, versions: [0.5, 0.2], goesOn: true },
    {
      name: 'before_revision: waits where it would go on',
      settings: { callbacks: { pause: 'before_revision' } },
      versions: [0.5],
      next: { type: 'wait', hook: 'onReflection', version: 0, wouldStopAs: null },
    },
    {
      name: 'before_revision: not where it would stop',
      settings: { callbacks: { pause: 'before_revision' } },
      versions: [0.9],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'before_revision: not before the version was judged',
      settings: { callbacks: { pause: 'before_revision' } },
      versions: [{ judged: [] }],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'before_finish: waits where it would stop, and says why',
      settings: { callbacks: { pause: 'before_finish' } },
      versions: [0.5, 0.5, 0.5],
      next: { type: 'wait', version: 2, wouldStopAs: 'plateau' },
    },
    {
      name: 'before_finish: at quality_met',
      settings: { callbacks: { pause: 'before_finish' } },
      versions: [0.9],
      next: { type: 'wait', version: 0, wouldStopAs: 'quality_met' },
    },
    {
      name: 'before_finish: at the cap',
      settings: { callbacks: { pause: 'before_finish' }, maxIterations: 0 },
      versions: [0.5],
      next: { type: 'wait', version: 0, wouldStopAs: 'max_iterations' },
    },
    {
      name: 'before_finish: not where it would go on',
      settings: { callbacks: { pause: 'before_finish' } },
      versions: [0.5],
      goesOn: true,
    },
    {
      name: 'always: where it would go on',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.5],
      next: { type: 'wait', version: 0, wouldStopAs: null },
    },
    {
      name: 'always: where it would stop',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.9],
      next: { type: 'wait', version: 0, wouldStopAs: 'quality_met' },
    },
    {
      name: 'always: after an attempt that was cut off',
      settings: { mode: 'retry', callbacks: { pause: 'always' } },
      versions: [{ interrupted: true }],
      next: { type: 'wait', version: 0, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: the first version cannot drop',
      settings: { callbacks: { pause: 'on_quality_drop' } },
      versions: [0.1],
      goesOn: true,
    },
    {
      name: 'on_quality_drop: a fall of more than the threshold',
      settings: { callbacks: { pause: 'on_quality_drop' } },
      versions: [0.5, 0.39],
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: a fall of just the threshold',
      settings: { callbacks: { pause: 'on_quality_drop' } },
      versions: [0.5, 0.4],
      goesOn: true,
    },
    {
      name: 'on_quality_drop: from the parent, not from the version before',
      settings: { callbacks: { pause: 'on_quality_drop' }, convergence: null },
      versions: [0.7, 0.5, { score: 0.55, parent: 0 }],
      next: { type: 'wait', version: 2, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: not from the version before',
      settings: { callbacks: { pause: 'on_quality_drop' }, convergence: null },
      versions: [0.5, 0.7, { score: 0.5, parent: 0 }],
      goesOn: true,
    },
    {
      name: 'on_quality_drop in retry mode: from the attempt before',
      settings: { mode: 'retry', callbacks: { pause: 'on_quality_drop' } },
      versions: [0.5, 0.2],
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: where it would stop too',
      settings: { callbacks: { pause: 'on_quality_drop' }, maxIterations: 1 },
      versions: [0.5, 0.2],
      next: { type: 'wait', version: 1, wouldStopAs: 'max_iterations' },
    },
    {
      name: 'a pause that stands is waited out as it is',
      versions: [0.5, 0.6],
      act: (history) => waiting(history, 1),
      next: { type: 'wait', hook: 'onReflection', version: 1, wouldStopAs: 'plateau' },
    },
    {
      name: 'an override does not end it',
      versions: [0.5, 0.6],
      act: (history) => decided(waiting(history, 1), decisionOf('override', { version: 1, score: 0.9 })),
      next: { type: 'wait', version: 1 },
    },
    {
      name: 'a stop ends it',
      versions: [0.5, 0.6],
      act: (history) =>
        decided({ ...waiting(history, 1), pause: null }, decisionOf('stop', { version: 1, pauseId: 'pause' })),
      stops: 'user_stopped',
      best: 1,
    },
    {
      name: 'once decided, it is not asked for again',
      settings: { callbacks: { pause: 'always' } },
      versions: [{ score: 0.9, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'the next version asks anew',
      settings: { callbacks: { pause: 'always' } },
      versions: [{ score: 0.5, continued: true }, 0.6],
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'an evaluation that failed asks nobody',
      settings: { callbacks: { pause: 'always' } },
      versions: [{ judged: [{}, {}] }],
      stops: 'evaluation_failed',
      best: null,
    },
  ],
  'a regression': [
    {
      name: 'is revised from the best version, told what went wrong',
      versions: [0.7, { score: 0.5, continued: true }],
      next: { type: 'revise', from: 0, iteration: 2, regressed: { version: 1, fell: 0.2 } },
    },
    {
      name: 'a fall of exactly the threshold is none (0.8 to 0.7)',
      settings: { qualityThreshold: 0.95 },
      versions: [0.8, { score: 0.7, continued: true, critiqued: true }],
      next: { type: 'revise', from: 1, iteration: 2, regressed: null },
    },
    {
      name: 'a fall of 0.100001 is one',
      versions: [0.7, { score: 0.599999, continued: true }],
      next: { type: 'revise', from: 0, regressed: { version: 1, fell: 0.100001 } },
    },
    {
      name: 'the best version is critiqued first if it was not',
      versions: [
        { score: 0.7, critiqued: false },
        { score: 0.5, continued: true },
      ],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'the best of several',
      settings: { convergence: null },
      versions: [0.5, 0.7, { score: 0.4, continued: true }],
      next: { type: 'revise', from: 1, iteration: 3, regressed: { version: 2, fell: 0.3 } },
    },
    {
      name: 'again, measured from the parent',
      settings: { convergence: null },
      versions: [0.7, 0.5, { score: 0.5, parent: 0, continued: true }],
      next: { type: 'revise', from: 0, iteration: 3, regressed: { version: 2, fell: 0.2 } },
    },
    {
      name: "a person's score can undo it",
      versions: [0.7, { judged: [{ score: 0.3 }, { by: 'person', score: 0.75 }], continued: true, critiqued: true }],
      next: { type: 'revise', from: 1, regressed: null },
    },
    {
      name: 'of any size where the threshold is 0',
      settings: { triggers: { qualityDropThreshold: 0 } },
      versions: [0.7, { score: 0.699999, continued: true }],
      next: { type: 'revise', from: 0, regressed: { version: 1, fell: 0.000001 } },
    },
    {
      name: 'never where the threshold is 1',
      settings: { triggers: { qualityDropThreshold: 1 } },
      versions: [0.7, { score: 0, continued: true, critiqued: true }],
      next: { type: 'revise', from: 1, regressed: null },
    },
  ],
  'the way of a revise loop': [
    { name: 'nothing yet: a first draft', versions: [], next: { type: 'generate' } },
    { name: 'a draft is evaluated', versions: [{ judged: [] }], next: { type: 'evaluate', version: 0 } },
    { name: 'then gone on from', versions: [0.5], goesOn: true },
    {
      name: 'then critiqued',
      versions: [{ score: 0.5, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'then revised',
      versions: [{ score: 0.5, continued: true, critiqued: true }],
      next: { type: 'revise', from: 0, iteration: 1, regressed: null },
    },
  ],
};

describe.each(Object.entries(groups))('%s', (_name, scenarios) => {
  test.each(scenarios)('$name', (scenario) => {
    expect(answerTo(scenario)).toMatchObject(expectationOf(scenario));
  });
});
