import { describe, expect, test } from 'vitest';
import { appendResult } from './append-result.ts';
import { branchedVersion, editedVersion } from './edited-version.ts';
import { type Decision, EMPTY_HISTORY, type Hook } from './history.ts';
import { decided, decisionOf, judged } from './history-of.test-support.ts';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';

type Act = NonNullable<Scenario['act']>;

const UNJUDGED = { judged: [] };
const DRAFTS = { callbacks: { review: { drafts: true } } };
const REVISIONS = { callbacks: { review: { revisions: true } } };
const AT = '2026-01-05T10:00:00.000Z';

const withAnswers =
  (hook: Hook, decision: Decision['decision'], given: Partial<Decision> = {}): Act =>
  (history) =>
    decided(history, decisionOf(decision, { hook, pauseId: 'pause', ...given }));
const ofDraft = (decision: Decision['decision'], given: Partial<Decision> = {}) =>
  withAnswers('onGeneration', decision, { version: 0, ...given });
const ofRevision = (decision: Decision['decision'], given: Partial<Decision> = {}) =>
  withAnswers('onRevision', decision, { version: 1, iteration: 1, ...given });

const groups: Record<string, Scenario[]> = {
  pauses: [
    {
      name: 'at a first draft',
      settings: DRAFTS,
      versions: [UNJUDGED],
      next: { type: 'wait', hook: 'onGeneration', version: 0, wouldStopAs: null, asks: [] },
    },
    {
      name: 'at each attempt',
      settings: { ...DRAFTS, mode: 'retry' },
      versions: [0.2, UNJUDGED],
      next: { type: 'wait', hook: 'onGeneration', version: 1 },
    },
    {
      name: 'at a revision',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      next: { type: 'wait', hook: 'onRevision', version: 1 },
    },
    {
      name: 'at the last revision, because the cap applies after scoring',
      settings: { ...REVISIONS, maxIterations: 1 },
      versions: [0.5, UNJUDGED],
      next: { type: 'wait', hook: 'onRevision', version: 1, wouldStopAs: null },
    },
    {
      name: 'even if the budget is exhausted',
      settings: { ...REVISIONS, budget: { maxTokens: 10 } },
      spend: { tokens: 100, costUsd: 0, durationMs: 0 },
      versions: [0.5, UNJUDGED],
      next: { type: 'wait', hook: 'onRevision', version: 1 },
    },
  ],
  'does not pause': [
    { name: 'if it is not enabled', versions: [UNJUDGED], next: { type: 'evaluate', version: 0 } },
    {
      name: 'at a draft if only revisions are reviewed',
      settings: REVISIONS,
      versions: [UNJUDGED],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'at a revision if only drafts are reviewed',
      settings: DRAFTS,
      versions: [0.5, UNJUDGED],
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'at a cut-off attempt',
      settings: { ...DRAFTS, mode: 'retry' },
      versions: [{ interrupted: true }],
      continues: true,
    },
    {
      name: 'at a manual edit',
      settings: { callbacks: { review: { drafts: true, revisions: true } } },
      versions: [0.5],
      act: (history) =>
        appendResult(history, {
          type: 'version',
          version: editedVersion(history, { output: 'By hand.', parents: [0], at: AT }),
        }),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'at the first version of a branch',
      settings: DRAFTS,
      versions: [],
      act: () =>
        appendResult(EMPTY_HISTORY, { type: 'version', version: branchedVersion({ output: 'Chosen.', at: AT }) }),
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'a second time after an unscored evaluation',
      settings: DRAFTS,
      versions: [null],
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'a second time after a stop and a resume',
      settings: DRAFTS,
      versions: [UNJUDGED],
      act: (history, settings) => decided(ofDraft('stop')(history, settings), decisionOf('resume')),
      next: { type: 'evaluate', version: 0 },
    },
  ],
  'continue and auto': [
    {
      name: 'continue: scores the version',
      settings: DRAFTS,
      versions: [UNJUDGED],
      act: ofDraft('continue'),
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'auto: scores the version',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('auto'),
      next: { type: 'evaluate', version: 1 },
    },
    {
      name: 'timeout: scores the version',
      settings: DRAFTS,
      versions: [UNJUDGED],
      act: ofDraft('auto', { by: 'timeout' }),
      next: { type: 'evaluate', version: 0 },
    },
    {
      name: 'continue suspends no rule: quality_met applies after scoring',
      settings: DRAFTS,
      versions: [0.9],
      act: ofDraft('continue'),
      stops: 'quality_met',
      best: 0,
    },
    {
      name: 'continue grants no iteration at the cap',
      settings: { ...REVISIONS, maxIterations: 1 },
      versions: [0.3, 0.5],
      act: ofRevision('continue'),
      stops: 'max_iterations',
      best: 1,
    },
    {
      name: 'continue does not decide a pause after scoring',
      settings: { callbacks: { pause: 'always', review: { drafts: true } } },
      versions: [0.5],
      act: ofDraft('continue'),
      next: { type: 'wait', hook: 'onReflection', version: 0, wouldStopAs: null },
    },
    {
      name: 'continue does not count as an automatic continue',
      settings: DRAFTS,
      versions: [0.5],
      act: ofDraft('continue'),
      continues: true,
    },
  ],
  revise: [
    {
      name: 'a draft with guidance, without scoring or critique',
      settings: DRAFTS,
      versions: [UNJUDGED],
      act: ofDraft('revise', { guidance: 'Be brief.' }),
      next: { type: 'revise', from: 0, iteration: 1, regressed: null },
    },
    {
      name: 'a revision with guidance',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('revise', { guidance: 'Be brief.' }),
      next: { type: 'revise', from: 1, iteration: 2, regressed: null },
    },
    {
      name: 'the version before it',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('revise', { version: 0, guidance: 'Be brief.' }),
      next: { type: 'revise', from: 0, iteration: 2, regressed: null },
    },
    {
      name: 'regardless of pauses after scoring',
      settings: { callbacks: { pause: 'always', review: { drafts: true } } },
      versions: [UNJUDGED],
      act: ofDraft('revise', { guidance: 'Be brief.' }),
      next: { type: 'revise', from: 0 },
    },
    {
      name: 'at the cap it grants one more iteration',
      settings: { ...REVISIONS, maxIterations: 1 },
      versions: [0.5, UNJUDGED],
      act: ofRevision('revise', { guidance: 'Be brief.' }),
      next: { type: 'revise', from: 1, iteration: 2 },
    },
    {
      name: 'within the budget only',
      settings: { ...REVISIONS, budget: { maxTokens: 300 } },
      spend: { tokens: 100, costUsd: 0, durationMs: 0 },
      versions: [{ score: 0.5, critiqued: false }, UNJUDGED],
      act: ofRevision('revise', { guidance: 'Be brief.' }),
      stops: 'token_budget',
      best: 0,
    },
    {
      name: 'an attempt: starts another one without a lesson',
      settings: { ...DRAFTS, mode: 'retry' },
      versions: [UNJUDGED],
      act: ofDraft('revise', { guidance: 'Mind the units.' }),
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'applies only to the next revision, which is reviewed again',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: (history, settings) => {
        const revision = ofRevision('revise', { guidance: 'Be brief.' })(history, settings);
        const made = editedVersion(revision, { output: 'x', parents: [1], at: AT });
        return appendResult(revision, { type: 'version', version: { ...made, origin: 'revised', iteration: 2 } });
      },
      next: { type: 'wait', hook: 'onRevision', version: 2 },
    },
  ],
  revert: [
    {
      name: 'the next revision starts from the named version',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('revert', { version: 0 }),
      next: { type: 'revise', from: 0, iteration: 2, regressed: null },
    },
    {
      name: 'to an unscored version: critiques it first',
      settings: { callbacks: { review: { drafts: true, revisions: true } } },
      versions: [{ judged: [], critiqued: false }, UNJUDGED],
      act: ofRevision('revert', { version: 0 }),
      next: { type: 'critique', version: 0, trigger: 'completion' },
    },
    {
      name: 'to an unscored version with guidance: revises it at once',
      settings: { callbacks: { review: { drafts: true, revisions: true } } },
      versions: [{ judged: [], critiqued: false }, UNJUDGED],
      act: ofRevision('revert', { version: 0, guidance: 'Be brief.' }),
      next: { type: 'revise', from: 0 },
    },
  ],
  'accept and stop': [
    {
      name: 'a draft accepted without a score leaves no best version',
      settings: DRAFTS,
      versions: [UNJUDGED],
      act: ofDraft('accept'),
      stops: 'user_accepted',
      best: null,
      final: 0,
    },
    {
      name: 'a revision accepted without a score: the best version is the scored one',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('accept'),
      stops: 'user_accepted',
      best: 0,
      final: 1,
    },
    {
      name: 'the previous version is accepted',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('accept', { version: 0 }),
      stops: 'user_accepted',
      best: 0,
      final: 0,
    },
    {
      name: 'the run is stopped',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: ofRevision('stop'),
      stops: 'user_stopped',
      best: 0,
    },
  ],
  'an edit': [
    {
      name: 'is scored instead of the revision and then pauses',
      settings: REVISIONS,
      versions: [0.5, UNJUDGED],
      act: (history, settings) => {
        const version = editedVersion(history, { output: 'Half of each.', parents: [0, 1], at: AT });
        const made = appendResult(history, { type: 'version', version });
        const merge = decisionOf('merge', { hook: 'onRevision', version: 2, pauseId: 'pause', step: history.step });
        return judged({ ...made, decisions: [...made.decisions, merge] }, settings, 2, { score: 0.6 });
      },
      next: { type: 'wait', hook: 'onReflection', version: 2, wouldStopAs: null },
    },
  ],
};

describe.each(Object.entries(groups))('review before scoring: %s', (_name, scenarios) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (_case, scenario) => {
    expect(answerTo(scenario)).toMatchObject(expectationOf(scenario));
  });
});
