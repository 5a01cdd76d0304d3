import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestVersion } from './best-version.ts';
import { hookOf, orderedBase } from './due-review.ts';
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

/** A history as it comes back from where it was kept. */
function kept(history: History): History {
  return JSON.parse(JSON.stringify(history));
}

/** So many that what seldom happens is among them. */
const OFTEN = { numRuns: 1_500 };

describe('every simulated run', () => {
  test('ends, whatever scores, failures, people and budgets do', () => {
    const seen = new Set<string>();
    forEveryRun(
      ({ ending }) => {
        seen.add(ending.reason);
      },
      { numRuns: 1_500, seed: 5 },
    );
    // Seeded: the simulation is worth something only if it comes to every end but those that only the shell gives, and those that only
    // tuning runs and agents come to, which are simulated by themselves.
    expect([...STOP_REASONS].filter((reason) => !seen.has(reason))).toEqual([
      'internal_error',
      'nothing_to_mend',
      'cut_off',
      'try_limit',
      'experiment_budget',
      'month_budget',
    ]);
  });

  test('never has more machine-made versions than the cap and what people granted', () => {
    let atTheCap = 0;
    forEveryRun(({ history, ending }, settings) => {
      expect(machineMade(history)).toBeLessThanOrEqual(mostVersions(history, settings));
      if (ending.reason === 'max_iterations') atTheCap++;
    });
    expect(atTheCap).toBeGreaterThan(0);
  });

  test('without people stays within the cap alone', () => {
    fc.assert(
      fc.property(settingsArbitrary, scriptArbitrary, (settings, script) => {
        const alone = { ...settings, callbacks: { ...settings.callbacks, ...NOBODY } };
        const { history } = simulateRun(alone, { ...script, overrides: {}, resumes: 0 });
        expect(machineMade(history)).toBeLessThanOrEqual(
          settings.mode === 'retry' ? settings.maxAttempts : 1 + settings.maxIterations,
        );
      }),
    );
  });

  test('taken up again after any step comes out as the whole run', () => {
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

  test('gets the same step for the same history, which stays as it was', () => {
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

  test('names its reasons once each, in the order of the table', () => {
    let several = 0;
    forEveryRun(({ ending }) => {
      const places = [ending.reason, ...ending.alsoHeld].map((reason) => STOP_REASONS.indexOf(reason));
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
      if (places.length > 1) several++;
    });
    expect(several).toBeGreaterThan(0);
  });

  test('has a best version exactly when one is scored, by every rule, and among the scored ones', () => {
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

  test('judges every version that was not cut off, unless it was broken off or passed over there', () => {
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

  test('is looked at before it is judged at every version that a model made, where that is asked, once, and nowhere else', () => {
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

  test('goes as if nobody had looked where nobody had anything against it', () => {
    const property = fc.property(
      settingsArbitrary,
      scriptArbitrary,
      fc.constantFrom('continue' as const, 'auto' as const),
      (given, script, saidBefore) => {
        // What a step costs goes by its number here, and looking takes steps.
        const settings = { ...given, budget: settingsOf().budget };
        const withReview = (isOn: boolean) => {
          const review = { drafts: isOn, revisions: isOn };
          const callbacks = { ...settings.callbacks, review };
          const { history, ending } = simulateRun({ ...settings, callbacks }, { ...script, saidBefore, failAt: [] });
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

  test('is a success exactly when its quality was met or a person accepted it', () => {
    forEveryRun(({ ending, history }, settings) => {
      expect(ending.success).toBe(ending.reason === 'quality_met' || ending.reason === 'user_accepted');
      const last = scoredVersions(history).at(-1);
      if (ending.reason === 'quality_met') expect(last?.score).toBeGreaterThanOrEqual(settings.qualityThreshold);
    });
  });

  test('revises nothing that was cut off and is no better than its parent, nor takes it for the best before a whole one', () => {
    let leftOut = 0;
    forEveryRun(({ states, history, ending }, settings) => {
      for (const state of states) {
        const step = nextStep(state, settings, NOW);
        if (step.type !== 'revise') continue;
        const last = state.versions.at(-1);
        const ordered = last === undefined ? null : orderedBase(state, last);
        if (ordered !== null) {
          // Somebody said which: it is that one, cut off or not.
          expect(step.from).toBe(ordered);
          continue;
        }
        // So it is when what was made from it was cut off too.
        if (state.decisions.some(({ decision, version }) => decision === 'revise' && version === step.from)) continue;
        const from = state.versions.find(({ number }) => number === step.from);
        const parent = state.versions.find(({ number }) => number === from?.parents[0]);
        // Of two that were cut off and score alike, the later one may be the best there is to go back to; so it may be if nobody
        // scored the text it came from.
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

  test('is revised in each way, and after a fall in another than the one that fell', () => {
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

  test('counts every token it paid for', () => {
    forEveryRun(({ history, states, steps }) => {
      const spent = states.map((state) => spendOfRun(state).tokenUsage.total);
      expect([...spent].sort((one, other) => one - other)).toEqual(spent);
      const paying = steps.filter(({ type }) => !['proceed', 'wait', 'stop'].includes(type)).length;
      const sums = spendOfRun(history).tokenUsage;
      expect(sums.output).toBe(paying);
      expect(sums.total).toBe(sums.input + sums.output);
    });
  });

  test('within a budget of calls makes no more of them', () => {
    let held = 0;
    forEveryRun(
      ({ history, ending }, { budget: { maxCalls } }, { failAt }) => {
        // What fails is tried again when somebody resumes the run.
        if (maxCalls === null || failAt.length > 0) return;
        // A version's first evaluation was reserved with the version; of one that a person wrote nobody could know.
        const byHand = history.versions.filter(({ origin }) => origin === 'edited' || origin === 'merged').length;
        expect(history.calls).toBeLessThanOrEqual(maxCalls + byHand);
        if (ending.reason === 'call_budget') held++;
      },
      { numRuns: 1_000 },
    );
    expect(held).toBeGreaterThan(0);
  });

  test('within a token budget passes it at most by what a call came out dearer than its estimate', () => {
    forEveryRun(({ history }, settings, script) => {
      const { maxTokens } = settings.budget;
      if (maxTokens === null || history.versions.length === 0 || script.failAt.length > 0) return;
      // Calls cost 11 to 17 tokens: a version and its evaluation may each come out 6 dearer than the mean before.
      expect(spendOfRun(history).tokenUsage.total).toBeLessThanOrEqual(Math.max(maxTokens, 34) + 12);
    });
  });
});

test('a first state is where every run begins', () => {
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

const NOBODY = { pause: 'never' as const, escalate: false, review: { drafts: false, revisions: false } };

/** Whether somebody who looked at a version before it was judged said that it need not be: their word stands before the next version. */
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
