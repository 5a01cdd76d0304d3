import { describe, expect, test } from 'vitest';
import { appendResult } from './append-result.ts';
import { editedVersion } from './edited-version.ts';
import type { Decision, History } from './history.ts';
import { decided, decisionOf, judged } from './history-of.test-support.ts';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';

type Act = NonNullable<Scenario['act']>;

const atPause = (decision: Decision['decision'], given: Partial<Decision> = {}) =>
  decisionOf(decision, { pauseId: 'pause', ...given });
const done =
  (...decisions: Decision[]): Act =>
  (history) =>
    decided(history, ...decisions);

/** Edits the last version by hand, at a pause or by code, and optionally scores it. */
const edited =
  (by: 'person' | 'code', score: number | null, more: Decision[] = []): Act =>
  (history, settings) => {
    const last = history.versions.length - 1;
    const version = editedVersion(history, { output: 'By hand.', parents: [last], at: '2026-01-05T10:00:00.000Z' });
    const { step } = history;
    const made = appendResult(history, { type: 'version', version });
    const edit = decisionOf('edit', { by, version: version.number, pauseId: by === 'code' ? null : 'pause', step });
    const withEdit: History = { ...made, decisions: [...made.decisions, edit] };
    return decided(score === null ? withEdit : judged(withEdit, settings, version.number, { score }), ...more);
  };

const groups: Record<string, Scenario[]> = {
  revise: [
    {
      name: 'starts from the named version if it has a critique',
      versions: [0.5, 0.6],
      act: done(atPause('revise', { version: 0, iteration: 1, guidance: 'Be brief.' })),
      next: { type: 'revise', from: 0, iteration: 2, regressed: null },
    },
    {
      name: 'of the last version: critiques it first',
      versions: [0.5, 0.6],
      act: done(atPause('revise', { version: 1, iteration: 1, guidance: 'Be brief.' })),
      next: { type: 'critique', version: 1, trigger: 'completion' },
    },
    {
      name: 'starts from a version with a score drop if it is named',
      versions: [0.9, { score: 0.4, critiqued: true }],
      settings: { qualityThreshold: 0.95 },
      act: done(atPause('revise', { version: 1, iteration: 1, guidance: 'Keep this.' })),
      next: { type: 'revise', from: 1, iteration: 2, regressed: null },
    },
    {
      name: 'suspends the stop rules for the versions scored so far',
      versions: [0.5, 0.5, { score: 0.5, critiqued: true }],
      act: done(atPause('revise', { version: 2, iteration: 2, guidance: 'Be brief.' })),
      next: { type: 'revise', from: 2 },
    },
    {
      name: 'at the cap it grants one more iteration, for any named version',
      settings: { maxIterations: 1 },
      versions: [0.3, 0.5],
      act: done(atPause('revise', { version: 0, iteration: 1, guidance: 'Be brief.' })),
      next: { type: 'revise', from: 0, iteration: 2 },
    },
    {
      name: 'in retry mode: starts another attempt',
      settings: { mode: 'retry', maxAttempts: 1 },
      versions: [{ score: 0, critiqued: true }],
      act: done(atPause('revise', { version: 0, iteration: 0, guidance: 'Mind the units.' })),
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'applies only to the next revision',
      versions: [{ score: 0.5, critiqued: true }],
      act: (history, settings) => {
        const reviewed = decided(history, atPause('revise', { version: 0, guidance: 'Be brief.' }));
        const made = editedVersion(reviewed, { output: 'x', parents: [0], at: '2026-01-05T10:00:00.000Z' });
        const version = { ...made, origin: 'revised' as const, iteration: 1 };
        return judged(appendResult(reviewed, { type: 'version', version }), settings, 1, { score: 0.6 });
      },
      next: { type: 'proceed', version: 1 },
    },
  ],
  revert: [
    {
      name: 'starts from the named version',
      versions: [0.5, 0.6, 0.7],
      act: done(atPause('revert', { version: 1, iteration: 2 })),
      next: { type: 'revise', from: 1, iteration: 3, regressed: null },
    },
    {
      name: 'suspends quality_met',
      versions: [0.5, 0.9],
      act: done(atPause('revert', { version: 0, iteration: 1 })),
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'a later continue lets the rules select the parent again',
      versions: [0.5, { score: 0.6, critiqued: true }],
      act: done(atPause('revert', { version: 0, iteration: 1 }), atPause('continue', { version: 1, iteration: 1 })),
      next: { type: 'revise', from: 1 },
    },
    {
      name: 'by code, without a pause',
      versions: [0.5, 0.6],
      act: done(decisionOf('revert', { by: 'code', version: 0, iteration: 1 })),
      next: { type: 'revise', from: 0 },
    },
  ],
  auto: [
    {
      name: 'the run continues if no rule applies',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.5],
      act: done(atPause('auto', { version: 0 })),
      continues: true,
    },
    {
      name: 'the run ends by the rule that applies',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.9],
      act: done(atPause('auto', { version: 0 })),
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'at the cap it grants none',
      settings: { callbacks: { pause: 'always' }, maxIterations: 0 },
      versions: [0.5],
      act: done(atPause('auto', { version: 0 })),
      stops: 'max_iterations',
      best: 0,
    },
  ],
  edit: [
    { name: 'is scored first', versions: [0.5], act: edited('person', null), next: { type: 'evaluate', version: 1 } },
    {
      name: 'is also scored at the cap',
      settings: { maxIterations: 0 },
      versions: [0.5],
      act: edited('person', null),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'pauses again after scoring, regardless of the settings',
      versions: [0.5],
      act: edited('person', 0.6),
      next: { type: 'wait', version: 1, wouldStopAs: null },
    },
    {
      name: 'pauses with the stop reason that applies',
      versions: [0.5],
      act: edited('person', 0.9),
      next: { type: 'wait', version: 1, wouldStopAs: 'quality_met' },
    },
    {
      name: 'accepted: it becomes the final version',
      versions: [0.5],
      act: edited('person', 0.6, [atPause('accept', { version: 1 })]),
      stops: 'user_accepted',
      best: 1,
      final: 1,
    },
    {
      name: 'continued: it does not count as an iteration',
      settings: { maxIterations: 1 },
      versions: [0.5],
      act: edited('person', 0.6, [atPause('continue', { version: 1 })]),
      next: { type: 'critique', version: 1, trigger: 'completion' },
    },
    {
      name: 'by code does not pause',
      versions: [0.5],
      act: edited('code', 0.6),
      next: { type: 'proceed', version: 1 },
    },
  ],
  escalate: [
    {
      name: 'an unsolved run in retry mode pauses at its end',
      settings: { mode: 'retry', maxAttempts: 1, callbacks: { escalate: true } },
      versions: [0.2],
      next: { type: 'wait', version: 0, wouldStopAs: 'max_iterations' },
    },
    {
      name: 'a solved run ends',
      settings: { mode: 'retry', maxAttempts: 1, callbacks: { escalate: true } },
      versions: [0.9],
      stops: 'quality_met',
      also: ['max_iterations'],
      best: 0,
    },
    {
      name: 'not while the run would continue',
      settings: { mode: 'retry', maxAttempts: 2, callbacks: { escalate: true }, lessons: { write: 'off' } },
      versions: [0.2],
      continues: true,
    },
    {
      name: 'not if it is turned off',
      settings: { mode: 'retry', maxAttempts: 1 },
      versions: [0.2],
      stops: 'max_iterations',
      best: 0,
    },
    {
      name: 'auto ends the run',
      settings: { mode: 'retry', maxAttempts: 1, callbacks: { escalate: true } },
      versions: [0.2],
      act: done(atPause('auto', { version: 0 })),
      stops: 'max_iterations',
      best: 0,
    },
  ],
  timeout: [
    {
      name: 'stops the run if configured',
      versions: [0.5],
      act: done(atPause('stop', { by: 'timeout', version: 0 })),
      stops: 'user_stopped',
      best: 0,
    },
    {
      name: 'leaves the decision to the rules otherwise',
      settings: { callbacks: { pause: 'always' } },
      versions: [0.9],
      act: done(atPause('auto', { by: 'timeout', version: 0 })),
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'a missing human score stays open, and the cap applies',
      settings: { maxIterations: 0, criteria: [{ name: 'taste', evaluator: 'human' }] },
      versions: [{ judged: [{ criteria: { taste: null } }] }],
      act: done(atPause('continue', { by: 'timeout', version: 0 })),
      stops: 'max_iterations',
      best: null,
    },
  ],
};

describe.each(Object.entries(groups))('%s', (_name, scenarios) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (_case, scenario) => {
    expect(answerTo(scenario)).toMatchObject(expectationOf(scenario));
  });
});
