import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestVersion } from './best-version.ts';
import { findRequestedBase, hookOf } from './decisions.ts';
import type { History, Pause, Version } from './history.ts';
import { settingsOf } from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';
import { scoredVersions, scoreOf } from './scored-versions.ts';
import { BEST_VERSION_RULES } from './setting-choices.ts';
import { settingsSchema } from './settings.ts';
import { firstState, machineMade, mostVersions, type Script, simulateRun } from './simulate-run.test-support.ts';
import { forEveryRun, scriptArbitrary, settingsArbitrary } from './simulated-runs.test-support.ts';
import { spendOfRun } from './spend.ts';
import { STOP_REASONS } from './stop-reasons.ts';

const NOW = new Date('2026-01-05T12:00:00.000Z');

/** Returns the history after a JSON round trip, as stored. */
function kept(history: History): History {
  return JSON.parse(JSON.stringify(history));
}

/** Enough runs to include rare events. */
const OFTEN = { numRuns: 1_500 };

describe('every simulated run', () => {
  test('ends with any scores, failures, decisions and budgets', () => {
    const seen = new Set<string>();
    forEveryRun(
      ({ ending }) => {
        seen.add(ending.reason);
      },
      { numRuns: 1_500, seed: 5 },
    );
    // Seeded, and checks that the simulation covers every stop reason except those set outside the loop and those of tuning runs and
    // agents, which have their own simulations.
    expect([...STOP_REASONS].filter((reason) => !seen.has(reason))).toEqual([
      'internal_error',
      'nothing_to_mend',
      'cut_off',
      'try_limit',
      'experiment_budget',
      'month_budget',
    ]);
  });

  test('never has more generated versions than the cap plus those granted by reviewers', () => {
    let atTheCap = 0;
    forEveryRun(({ history, ending }, settings) => {
      expect(machineMade(history)).toBeLessThanOrEqual(mostVersions(history, settings));
      if (ending.reason === 'max_iterations') atTheCap++;
    });
    expect(atTheCap).toBeGreaterThan(0);
  });

  test('stays within the cap without reviewers', () => {
    fc.assert(
      fc.property(settingsArbitrary, scriptArbitrary, (settings, script) => {
        const alone = { ...settings, callbacks: { ...settings.callbacks, ...NO_PAUSES } };
        const { history } = simulateRun(alone, { ...script, overrides: {}, resumes: 0 });
        expect(machineMade(history)).toBeLessThanOrEqual(
          settings.mode === 'retry' ? settings.maxAttempts : 1 + settings.maxIterations,
        );
      }),
    );
  });

  test('gives the same result when resumed after any step', () => {
    forEveryRun(
      (whole, settings, script) => {
        for (const state of whole.states) {
          const rest = simulateRun(settings, script, kept(state));
          expect(rest.ending).toEqual(whole.ending);
          expect(rest.history).toEqual(whole.history);
        }
      },
      { numRuns: 100 },
    );
  });

  test('returns the same step for the same history and does not mutate it', () => {
    forEveryRun(
      ({ states }, settings) => {
        for (const state of states) {
          const before = JSON.stringify(state);
          const frozen = deepFreeze(kept(state));
          expect(nextStep(frozen, settings, NOW)).toEqual(nextStep(state, settings, NOW));
          expect(JSON.stringify(state)).toBe(before);
        }
      },
      { numRuns: 100 },
    );
  });

  test('lists each stop reason once, in the order of STOP_REASONS', () => {
    let several = 0;
    forEveryRun(({ ending }) => {
      const ranks = [ending.reason, ...ending.alsoHeld].map((reason) => STOP_REASONS.indexOf(reason));
      expect(ranks).toEqual([...new Set(ranks)].sort((one, other) => one - other));
      if (ranks.length > 1) several++;
    });
    expect(several).toBeGreaterThan(0);
  });

  test('has a best version, always a scored one, exactly if any is scored, by every rule', () => {
    forEveryRun(
      ({ states, ending, history }, settings) => {
        for (const state of states) {
          const scored = scoredVersions(state).map(({ version }) => version.number);
          for (const rule of BEST_VERSION_RULES) {
            const best = bestVersion(state, rule);
            if (best === null) expect(scored).toEqual([]);
            else expect(scored).toContain(best);
          }
        }
        expect(ending.bestVersion).toBe(bestVersion(history, settings.bestVersion));
      },
      { numRuns: 100 },
    );
  });

  test('evaluates every version that was not cut off, stopped or skipped', () => {
    let passedOver = 0;
    forEveryRun(({ history, ending }) => {
      const unjudged = history.versions.filter((version) => {
        const { number, interrupted } = version;
        if (interrupted || history.evaluations.some((evaluation) => evaluation.version === number)) return false;
        if (!isPassedOverIn(history, version)) return true;
        passedOver++;
        return false;
      });
      const brokenOff =
        ending.reason === 'model_failed' &&
        unjudged.length === 1 &&
        unjudged[0]?.number === history.versions.at(-1)?.number;
      if (!brokenOff) expect(unjudged).toEqual([]);
    });
    expect(passedOver).toBeGreaterThan(0);
  });

  test('pauses once for review before scoring each generated version, only if enabled', () => {
    const looked = { onGeneration: 0, onRevision: 0 };
    forEveryRun(({ history, states }, { callbacks: { review } }) => {
      const pauses = new Map<string, Pause>();
      for (const { pause, evaluations } of states) {
        if (pause === null || pause.hook === 'onReflection') continue;
        expect(evaluations.some(({ version }) => version === pause.version)).toBe(false);
        expect(pause).toMatchObject({ wouldStopAs: null, asks: [] });
        pauses.set(pause.pauseId, pause);
      }
      const expected = history.versions.flatMap((version) => {
        const hook = hookOf(version);
        const isAsked = hook === 'onRevision' ? review.revisions : review.drafts;
        if (hook === null || !isAsked || version.interrupted) return [];
        looked[hook]++;
        return [{ hook, version: version.number }];
      });
      expect([...pauses.values()].map(({ hook, version }) => ({ hook, version }))).toEqual(expected);
    });
    expect(looked.onGeneration).toBeGreaterThan(0);
    expect(looked.onRevision).toBeGreaterThan(0);
  });

  test('gives the same result without review if reviewers accept everything', () => {
    const property = fc.property(
      settingsArbitrary,
      scriptArbitrary,
      fc.constantFrom('continue' as const, 'auto' as const),
      (given, script, reviewDecision) => {
        // Step cost depends on the step number here, and a review takes steps.
        const settings = { ...given, budget: settingsOf().budget };
        const withReview = (isOn: boolean) => {
          const review = { drafts: isOn, revisions: isOn };
          const callbacks = { ...settings.callbacks, review };
          const { history, ending } = simulateRun(
            { ...settings, callbacks },
            { ...script, reviewDecision, failAt: [] },
          );
          return {
            ending,
            versions: history.versions.map(({ origin, parents, iteration, output }) => ({
              origin,
              parents,
              iteration,
              output,
            })),
            scores: history.evaluations.map(({ version, by, overallScore }) => ({ version, by, overallScore })),
            said: history.decisions
              .filter(({ hook }) => hook === 'onReflection')
              .map(({ decision, by, version }) => ({ decision, by, version })),
          };
        };
        expect(withReview(true)).toEqual(withReview(false));
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  test('succeeds exactly if its quality was met or a person accepted it', () => {
    forEveryRun(({ ending, history }, settings) => {
      expect(ending.success).toBe(ending.reason === 'quality_met' || ending.reason === 'user_accepted');
      const last = scoredVersions(history).at(-1);
      if (ending.reason === 'quality_met') expect(last?.score).toBeGreaterThanOrEqual(settings.qualityThreshold);
    });
  });

  test('neither revises a cut-off version no better than its parent nor prefers it as best', () => {
    let leftOut = 0;
    forEveryRun(({ states, history, ending }, settings) => {
      for (const state of states) {
        const step = nextStep(state, settings, NOW);
        if (step.type !== 'revise') continue;
        const last = state.versions.at(-1);
        const ordered = last === undefined ? null : findRequestedBase(state, last);
        if (ordered !== null) {
          // A person chose the version, so it is used even if cut off.
          expect(step.from).toBe(ordered);
          continue;
        }
        // The same applies if the version made from it was cut off too.
        if (state.decisions.some(({ decision, version }) => decision === 'revise' && version === step.from)) continue;
        const from = state.versions.find(({ number }) => number === step.from);
        const parent = state.versions.find(({ number }) => number === from?.parents[0]);
        // Of two cut-off versions with equal scores the later may be the best to return to, also if its parent has no score.
        const before = parent === undefined ? null : scoreOf(state, parent.number);
        const isOnlyScored = before === null && from !== last;
        if (
          from?.finishReason === 'length' &&
          parent !== undefined &&
          parent.finishReason !== 'length' &&
          !isOnlyScored
        )
          expect(scoreOf(state, from.number)).toBeGreaterThan(before ?? 1);
        if (state.versions.at(-1)?.finishReason === 'length' && step.regressed !== null) leftOut++;
      }
      const best = history.versions.find(({ number }) => number === ending.bestVersion);
      if (best?.finishReason !== 'length') return;
      const score = scoreOf(history, best.number);
      for (const { version, score: other } of scoredVersions(history))
        if (version.finishReason !== 'length') expect(score).toBeGreaterThan(other);
    }, OFTEN);
    expect(leftOut).toBeGreaterThan(0);
  });

  test('uses every revision strategy, and another one after a score drop', () => {
    const ways = new Set<string | null>();
    let changed = 0;
    forEveryRun(({ history, states }, settings) => {
      for (const version of history.versions) if (version.origin === 'revised') ways.add(version.strategy);
      for (const state of states) {
        const step = nextStep(state, settings, NOW);
        if (step.type !== 'revise' || step.regressed === null) continue;
        const fallen = state.versions.find(({ number }) => number === step.regressed?.version);
        const next = history.versions[state.versions.length];
        if (next === undefined || next.origin !== 'revised') continue;
        expect(next.strategy).not.toBe(fallen?.strategy);
        expect(next.parents).toEqual([step.from]);
        changed++;
      }
    });
    expect([...ways].sort()).toEqual(['full_rewrite', 'incremental', 'targeted_edit']);
    expect(changed).toBeGreaterThan(0);
  });

  test('counts every paid token', () => {
    forEveryRun(({ history, states, steps }) => {
      const spent = states.map((state) => spendOfRun(state).tokenUsage.total);
      expect([...spent].sort((one, other) => one - other)).toEqual(spent);
      const paying = steps.filter(({ type }) => !['proceed', 'wait', 'stop'].includes(type)).length;
      const sums = spendOfRun(history).tokenUsage;
      expect(sums.output).toBe(paying);
      expect(sums.total).toBe(sums.input + sums.output);
    });
  });

  test('stays within a call budget', () => {
    let held = 0;
    forEveryRun(
      ({ history, ending }, { budget: { maxCalls } }, { failAt }) => {
        // A failed call is retried when the run is resumed.
        if (maxCalls === null || failAt.length > 0) return;
        // A version's first evaluation is reserved with the version, except for one written by a person.
        const byHand = history.versions.filter(({ origin }) => origin === 'edited' || origin === 'merged').length;
        expect(history.calls).toBeLessThanOrEqual(maxCalls + byHand);
        if (ending.reason === 'call_budget') held++;
      },
      { numRuns: 1_000 },
    );
    expect(held).toBeGreaterThan(0);
  });

  test('exceeds a token budget by at most the difference between a call and its estimate', () => {
    forEveryRun(({ history }, settings, script) => {
      const { maxTokens } = settings.budget;
      if (maxTokens === null || history.versions.length === 0 || script.failAt.length > 0) return;
      // Calls cost 11 to 17 tokens: a version and its evaluation may each cost 6 more than the previous mean.
      expect(spendOfRun(history).tokenUsage.total).toBeLessThanOrEqual(Math.max(maxTokens, 34) + 12);
    });
  });
});

test('every run begins with the initial state', () => {
  expect(
    simulateRun(
      settingsSchema.parse({
        mode: 'revise',
        maxIterations: 0,
        generator: { provider: 'p', model: 'm' },
        criteria: [{ name: 'a', evaluator: 'llm' }],
      }),
      NOTHING_SPECIAL,
    ).states[0],
  ).toEqual(firstState());
});

const NO_PAUSES = { pause: 'never' as const, escalate: false, review: { drafts: false, revisions: false } };

/** True if a reviewer skipped the evaluation of a version. The decision precedes the next version. */
function isPassedOverIn(history: History, version: Version): boolean {
  const next = history.versions[version.number + 1];
  return history.decisions.some(
    ({ hook, decision, step }) =>
      hook !== 'onReflection' &&
      decision !== 'continue' &&
      decision !== 'auto' &&
      step > version.step &&
      step <= (next?.step ?? Number.POSITIVE_INFINITY),
  );
}

const NOTHING_SPECIAL: Script = {
  scores: [],
  outputs: [],
  issues: [],
  answers: [],
  interruptedAt: [],
  cutOffAt: [],
  failAt: [],
  verdicts: [],
  overrides: {},
  resumes: 0,
};

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
