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
      name: 'accepting a version makes it the final one',
      versions: [0.5, 0.6],
      act: done(accept(0)),
      stops: 'user_accepted',
      best: 1,
      final: 0,
    },
    {
      name: 'accepting without a version takes the last one',
      versions: [0.5, 0.4],
      act: done(accept(null)),
      stops: 'user_accepted',
      best: 0,
      final: 1,
    },
    { name: 'stopped by a person', versions: [0.5, 0.6], act: done(stop), stops: 'user_stopped', best: 1 },
    {
      name: 'stopped before the first version',
      versions: [],
      act: done(stop),
      stops: 'user_stopped',
      best: null,
      final: null,
      iterations: 0,
    },
    {
      name: 'stopped before the last version was scored',
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
      name: 'an automatic stop is not a decision',
      versions: [0.5],
      act: done(decisionOf('stop', { by: 'policy', version: 0 })),
      continues: true,
    },
    {
      name: 'accepted after quality_met',
      versions: [0.5, 0.9],
      act: done(accept(0)),
      stops: 'user_accepted',
      also: ['quality_met'],
      best: 1,
      final: 0,
    },
    {
      name: 'stopped while a stop rule applies',
      settings: { maxIterations: 2 },
      versions: [0.5, 0.5, 0.5],
      act: done(stop),
      stops: 'user_stopped',
      also: ['plateau', 'max_iterations'],
      best: 2,
    },
    {
      name: 'the last decision counts: stopped, then accepted',
      versions: [0.5],
      act: done(stop, accept(0)),
      stops: 'user_accepted',
      best: 0,
    },
    {
      name: 'the last decision counts: one version accepted, then another',
      versions: [0.5, 0.6],
      act: done(accept(0), accept(1)),
      stops: 'user_accepted',
      best: 1,
      final: 1,
    },
    {
      name: 'an override does not end the run',
      versions: [0.5],
      act: done(decisionOf('override', { version: 0, score: 0.4 })),
      continues: true,
    },
  ],
  resume: [
    { name: 'undoes a stop', versions: [0.5, 0.6], act: done(stop, resume), continues: true },
    {
      name: 'a second stop ends the run again',
      versions: [0.5],
      act: done(stop, resume, stop),
      stops: 'user_stopped',
      best: 0,
    },
    {
      name: 'a stop rule that applied still applies',
      versions: [0.5, 0.5, 0.5],
      act: done(stop, resume),
      stops: 'plateau',
      best: 2,
    },
    {
      name: 'repeats the failed step after a failure',
      versions: [0.5, { judged: [] }],
      act: done(resume),
      next: { type: 'evaluate', version: 1 },
    },
  ],
  'model_failed and internal_error': [
    {
      name: 'before the first version',
      versions: [],
      act: failing('model_failed'),
      stops: 'model_failed',
      best: null,
      final: null,
    },
    {
      name: 'during scoring: stored results are kept',
      versions: [0.5, { judged: [] }],
      act: failing('model_failed'),
      stops: 'model_failed',
      best: 0,
      final: 1,
    },
    { name: 'during a revision', versions: [0.5, 0.6], act: failing('model_failed'), stops: 'model_failed', best: 1 },
    {
      name: 'while scoring the last version before the cap',
      settings: { maxIterations: 1 },
      versions: [0.5, { judged: [] }],
      act: failing('model_failed'),
      stops: 'model_failed',
      also: ['max_iterations'],
      best: 0,
      final: 1,
    },
    { name: 'after giving up', versions: [0.5], act: failing('internal_error'), stops: 'internal_error', best: 0 },
    {
      name: 'accepted after the failure',
      versions: [0.5, 0.6],
      act: failing('model_failed', accept(1)),
      stops: 'user_accepted',
      also: ['model_failed'],
      best: 1,
    },
    {
      name: 'causes no pause',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.5],
      act: failing('model_failed'),
      stops: 'model_failed',
      best: 0,
    },
  ],
  evaluation_failed: [
    { name: 'an unscored version is evaluated again', versions: [0.5, null], next: { type: 'evaluate', version: 1 } },
    {
      name: 'a version unscored twice ends the run',
      versions: [0.5, { judged: [{}, {}] }],
      stops: 'evaluation_failed',
      best: 0,
      final: 1,
    },
    {
      name: 'a first draft unscored twice leaves no best version',
      versions: [{ judged: [{}, {}] }],
      stops: 'evaluation_failed',
      best: null,
      final: 0,
    },
    {
      name: 'one of two criteria unscored twice',
      settings: { criteria: ['a', 'b'].map((name) => ({ name, evaluator: 'llm' as const })) },
      versions: [{ judged: [{ criteria: { a: 1, b: null } }, { criteria: { a: null, b: 1 } }] }],
      stops: 'evaluation_failed',
      best: null,
    },
    {
      name: 'a score after an unscored evaluation continues the run',
      versions: [{ judged: [{}, { score: 0.5 }] }],
      continues: true,
    },
    {
      name: 'a satisfactory score after an unscored evaluation',
      versions: [{ judged: [{}, { score: 0.9 }] }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'a version unscored twice at the cap',
      settings: { maxIterations: 1 },
      versions: [0.5, { judged: [{}, {}] }],
      stops: 'evaluation_failed',
      also: ['max_iterations'],
      best: 0,
      final: 1,
    },
    {
      name: 'resume evaluates again',
      versions: [0.5, { judged: [{}, {}] }],
      act: done(resume),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'resume and an unscored evaluation evaluate once more',
      versions: [0.5, { judged: [{}, {}] }],
      act: (history, settings) => judged(decided(history, resume), settings, 1, {}),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'resume and two unscored evaluations end the run again',
      versions: [0.5, { judged: [{}, {}] }],
      act: (history, settings) =>
        [{}, {}].reduce<History>((sum, one) => judged(sum, settings, 1, one), decided(history, resume)),
      stops: 'evaluation_failed',
      best: 0,
      final: 1,
    },
    {
      name: 'resume and a score continue the run',
      versions: [0.5, { judged: [{}, {}] }],
      act: (history, settings) => judged(decided(history, resume), settings, 1, { score: 0.6 }),
      continues: true,
    },
    {
      name: 'a person scores a version that the judge could not score',
      versions: [0.5, { judged: [{}, {}, { by: 'person', score: 0.6 }] }],
      continues: true,
    },
    {
      name: 'a missing human score is not an evaluation of the judge',
      settings: { criteria: ['a', 'b'].map((name) => ({ name, threshold: 0, evaluator: 'llm' as const })) },
      versions: [{ judged: [{ criteria: { a: 0.5, b: null } }, { by: 'person', criteria: { a: 0.6, b: null } }] }],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'a complete score of the judge after a missing human score counts',
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
      continues: true,
    },
  ],
  'unscored versions do not count': [
    { name: '0.5, unscored, 0.5: no plateau yet', versions: [0.5, null, 0.5], continues: true },
    { name: '0.5, unscored, 0.5 0.5: plateau', versions: [0.5, null, 0.5, 0.5], stops: 'plateau', best: 3 },
    {
      name: '0.5 0.7, unscored, 0.6 0.7: oscillation',
      versions: [0.5, 0.7, null, 0.6, 0.7],
      stops: 'oscillation',
      also: ['plateau'],
      best: 4,
    },
    {
      name: 'an unscored version does not interrupt repeated issues',
      versions: [0.5, null, 0.5, 0.5].map((score) => ({ score, issues: [{ criterion: null, text: 'Vague' }] })),
      stops: 'repeated_issues',
      also: ['plateau'],
      best: 3,
    },
  ],
  'human scores': [
    {
      name: 'a satisfactory score ends the loop',
      versions: [{ judged: [{ score: 0.5 }, { by: 'person', score: 0.9 }] }],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'a lower score continues the loop',
      versions: [{ judged: [{ score: 0.9 }, { by: 'person', score: 0.4 }] }],
      continues: true,
    },
    {
      name: 'the later of two human scores counts',
      versions: [{ judged: [{ score: 0.5 }, { by: 'person', score: 0.9 }, { by: 'person', score: 0.4 }] }],
      continues: true,
    },
    {
      name: 'a human score takes precedence over a later machine score',
      versions: [{ judged: [{ score: 0.5 }, { by: 'person', score: 0.4 }, { score: 0.9 }] }],
      continues: true,
    },
    {
      name: 'counts in the improvement',
      versions: [0.5, 0.5, { judged: [{ score: 0.5 }, { by: 'person', score: 0.7 }] }],
      continues: true,
    },
    {
      name: 'counts in the improvement of an earlier version',
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
      name: 'of one criterion below its threshold',
      settings: { criteria: ['a', 'b'].map((name) => ({ name, threshold: 0.7, evaluator: 'llm' as const })) },
      versions: [{ judged: [{ criteria: { a: 1, b: 1 } }, { by: 'person', criteria: { a: 1, b: 0.69 } }] }],
      continues: true,
    },
  ],
  continue: [
    {
      name: 'suspends a stop rule for the versions scored so far',
      versions: [0.5, 0.5, { score: 0.5, continued: true }],
      next: { type: 'critique', version: 2, trigger: 'completion' },
    },
    {
      name: 'suspends quality_met',
      versions: [{ score: 0.9, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'all rules apply to the next version',
      versions: [0.5, 0.5, { score: 0.5, continued: true }, 0.5],
      stops: 'plateau',
      best: 3,
    },
    {
      name: 'a lower score of the next version does not stop the run',
      settings: { convergence: null },
      versions: [{ score: 0.9, continued: true }, 0.79],
      continues: true,
    },
    {
      name: 'stopped before the next version was scored: no other rule applies',
      versions: [{ score: 0.9, continued: true }, { judged: [] }],
      act: done(stop),
      stops: 'user_stopped',
      best: 0,
      final: 1,
    },
    {
      name: 'at the cap it grants one more iteration',
      settings: { maxIterations: 1 },
      versions: [0.3, { score: 0.5, continued: true }],
      next: { type: 'critique', version: 1, trigger: 'completion' },
    },
    {
      name: 'and no more than one',
      settings: { maxIterations: 1 },
      versions: [0.3, { score: 0.5, continued: true }, 0.7],
      stops: 'max_iterations',
      best: 2,
      iterations: 2,
    },
    {
      name: 'two at the cap grant two more iterations',
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
      name: 'maxIterations 0: grants one iteration',
      settings: { maxIterations: 0 },
      versions: [{ score: 0.3, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'an automatic continue grants none',
      settings: { maxIterations: 1 },
      versions: [0.3, 0.5],
      act: done(decisionOf('continue', { by: 'policy', version: 1, iteration: 1 })),
      stops: 'max_iterations',
      best: 1,
    },
    {
      name: 'in retry mode it grants one more attempt',
      settings: { mode: 'retry', maxAttempts: 1, qualityThreshold: 1 },
      versions: [{ score: 0, continued: true, critiqued: true }],
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'in retry mode the cap applies after the granted attempt',
      settings: { mode: 'retry', maxAttempts: 1, qualityThreshold: 1 },
      versions: [{ score: 0, continued: true }, 0],
      stops: 'max_iterations',
      best: 1,
      iterations: 2,
    },
    {
      name: 'continue by a webhook counts like one by a person',
      settings: { maxIterations: 1 },
      versions: [0.3, 0.5],
      act: done(decisionOf('continue', { by: 'webhook', version: 1, iteration: 1 })),
      next: { type: 'critique', version: 1, trigger: 'completion' },
    },
  ],
  pauses: [
    { name: 'never', settings: { callbacks: { pause: 'never' } }, versions: [0.5, 0.2], continues: true },
    {
      name: 'before_revision: pauses if the run would continue',
      settings: { callbacks: { pause: 'before_revision' } },
      versions: [0.5],
      next: { type: 'wait', hook: 'onReflection', version: 0, wouldStopAs: null },
    },
    {
      name: 'before_revision: does not pause if the run would stop',
      settings: { callbacks: { pause: 'before_revision' } },
      versions: [0.9],
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'before_revision: does not pause before scoring',
      settings: { callbacks: { pause: 'before_revision' } },
      versions: [{ judged: [] }],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'before_finish: pauses with the stop reason if the run would stop',
      settings: { callbacks: { pause: 'before_finish' } },
      versions: [0.5, 0.5, 0.5],
      next: { type: 'wait', version: 2, wouldStopAs: 'plateau' },
    },
    {
      name: 'before_finish: pauses at quality_met',
      settings: { callbacks: { pause: 'before_finish' } },
      versions: [0.9],
      next: { type: 'wait', version: 0, wouldStopAs: 'quality_met' },
    },
    {
      name: 'before_finish: pauses at the cap',
      settings: { callbacks: { pause: 'before_finish' }, maxIterations: 0 },
      versions: [0.5],
      next: { type: 'wait', version: 0, wouldStopAs: 'max_iterations' },
    },
    {
      name: 'before_finish: does not pause if the run would continue',
      settings: { callbacks: { pause: 'before_finish' } },
      versions: [0.5],
      continues: true,
    },
    {
      name: 'always: pauses if the run would continue',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.5],
      next: { type: 'wait', version: 0, wouldStopAs: null },
    },
    {
      name: 'always: pauses if the run would stop',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.9],
      next: { type: 'wait', version: 0, wouldStopAs: 'quality_met' },
    },
    {
      name: 'always: pauses after a cut-off attempt',
      settings: { mode: 'retry', callbacks: { pause: 'always' } },
      versions: [{ interrupted: true }],
      next: { type: 'wait', version: 0, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: does not pause at the first version',
      settings: { callbacks: { pause: 'on_quality_drop' } },
      versions: [0.1],
      continues: true,
    },
    {
      name: 'on_quality_drop: pauses after a drop above the threshold',
      settings: { callbacks: { pause: 'on_quality_drop' } },
      versions: [0.5, 0.39],
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: does not pause after a drop equal to the threshold',
      settings: { callbacks: { pause: 'on_quality_drop' } },
      versions: [0.5, 0.4],
      continues: true,
    },
    {
      name: 'on_quality_drop: compares with the parent, not with the previous version',
      settings: { callbacks: { pause: 'on_quality_drop' }, convergence: null },
      versions: [0.7, 0.5, { score: 0.55, parent: 0 }],
      next: { type: 'wait', version: 2, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: does not compare with the previous version',
      settings: { callbacks: { pause: 'on_quality_drop' }, convergence: null },
      versions: [0.5, 0.7, { score: 0.5, parent: 0 }],
      continues: true,
    },
    {
      name: 'on_quality_drop in retry mode: compares with the previous attempt',
      settings: { mode: 'retry', callbacks: { pause: 'on_quality_drop' } },
      versions: [0.5, 0.2],
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'on_quality_drop: pauses even if the run would stop',
      settings: { callbacks: { pause: 'on_quality_drop' }, maxIterations: 1 },
      versions: [0.5, 0.2],
      next: { type: 'wait', version: 1, wouldStopAs: 'max_iterations' },
    },
    {
      name: 'an open pause stays unchanged',
      versions: [0.5, 0.6],
      act: (history) => waiting(history, 1),
      next: { type: 'wait', hook: 'onReflection', version: 1, wouldStopAs: 'plateau' },
    },
    {
      name: 'an override does not end the pause',
      versions: [0.5, 0.6],
      act: (history) => decided(waiting(history, 1), decisionOf('override', { version: 1, score: 0.9 })),
      next: { type: 'wait', version: 1 },
    },
    {
      name: 'a stop ends the pause',
      versions: [0.5, 0.6],
      act: (history) =>
        decided({ ...waiting(history, 1), pause: null }, decisionOf('stop', { version: 1, pauseId: 'pause' })),
      stops: 'user_stopped',
      best: 1,
    },
    {
      name: 'a decided pause is not repeated',
      settings: { callbacks: { pause: 'always' } },
      versions: [{ score: 0.9, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'the next version pauses again',
      settings: { callbacks: { pause: 'always' } },
      versions: [{ score: 0.5, continued: true }, 0.6],
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'a failed evaluation causes no pause',
      settings: { callbacks: { pause: 'always' } },
      versions: [{ judged: [{}, {}] }],
      stops: 'evaluation_failed',
      best: null,
    },
  ],
  'score drops': [
    {
      name: 'the best version is revised, with the drop in the prompt',
      versions: [0.7, { score: 0.5, continued: true }],
      next: { type: 'revise', from: 0, iteration: 2, regressed: { version: 1, drop: 0.2 } },
    },
    {
      name: 'a drop equal to the threshold does not count (0.8 to 0.7)',
      settings: { qualityThreshold: 0.95 },
      versions: [0.8, { score: 0.7, continued: true, critiqued: true }],
      next: { type: 'revise', from: 1, iteration: 2, regressed: null },
    },
    {
      name: 'a drop of 0.100001 counts',
      versions: [0.7, { score: 0.599999, continued: true }],
      next: { type: 'revise', from: 0, regressed: { version: 1, drop: 0.100001 } },
    },
    {
      name: 'the best version gets a critique first if it has none',
      versions: [
        { score: 0.7, critiqued: false },
        { score: 0.5, continued: true },
      ],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'the best of several versions is revised',
      settings: { convergence: null },
      versions: [0.5, 0.7, { score: 0.4, continued: true }],
      next: { type: 'revise', from: 1, iteration: 3, regressed: { version: 2, drop: 0.3 } },
    },
    {
      name: 'a second drop is relative to the parent',
      settings: { convergence: null },
      versions: [0.7, 0.5, { score: 0.5, parent: 0, continued: true }],
      next: { type: 'revise', from: 0, iteration: 3, regressed: { version: 2, drop: 0.2 } },
    },
    {
      name: 'a human score can undo a drop',
      versions: [0.7, { judged: [{ score: 0.3 }, { by: 'person', score: 0.75 }], continued: true, critiqued: true }],
      next: { type: 'revise', from: 1, regressed: null },
    },
    {
      name: 'any drop counts with a threshold of 0',
      settings: { triggers: { qualityDropThreshold: 0 } },
      versions: [0.7, { score: 0.699999, continued: true }],
      next: { type: 'revise', from: 0, regressed: { version: 1, drop: 0.000001 } },
    },
    {
      name: 'no drop counts with a threshold of 1',
      settings: { triggers: { qualityDropThreshold: 1 } },
      versions: [0.7, { score: 0, continued: true, critiqued: true }],
      next: { type: 'revise', from: 1, regressed: null },
    },
  ],
  'order of steps in a revise loop': [
    { name: 'starts with a first draft', versions: [], next: { type: 'generate' } },
    { name: 'evaluates a draft', versions: [{ judged: [] }], next: { type: 'evaluate', version: 0 } },
    { name: 'continues after the evaluation', versions: [0.5], continues: true },
    {
      name: 'critiques the draft',
      versions: [{ score: 0.5, continued: true }],
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'revises the draft',
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
