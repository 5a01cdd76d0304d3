import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision, History } from '#lib/core/history.ts';
import { decided, decisionOf, historyOf, judged, settingsOf } from '#lib/core/history-of.test-support.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { BEST_VERSION_RULES } from '#lib/core/setting-choices.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { simulateRun } from '#lib/core/simulate-run.test-support.ts';
import { forEveryRun, scriptArbitrary, settingsArbitrary } from '#lib/core/simulated-runs.test-support.ts';
import { type WhatIf, whatIf } from './what-if.ts';

/** Summarizes the end: `plateau at v2`, `waits at v1`, `continues after v3`. */
function words({ end, last }: WhatIf): string {
  switch (end.type) {
    case 'stops':
      return `${end.reason} at v${last}`;
    case 'waits':
      return `waits at v${end.version}`;
    case 'goes_on':
      return `continues after v${last}`;
    case 'leaves':
      return `leaves v${last} for v${end.from}`;
  }
}

const NO_PAUSES = { pause: 'never' as const, escalate: false, review: { drafts: false, revisions: false } };
const LATER = '2026-02-01T00:00:00.000Z';

describe('whatIf', () => {
  const run = historyOf(settingsOf(), [0.5, 0.6, 0.7, 0.72, 0.73]);
  const patient = { plateauIterations: 4, improvementThreshold: 0.05, detectOscillation: true, detectStability: true };
  test.each<{ name: string; own?: object; changed: Partial<ExperimentSettings>; is: string; returned: number | null }>([
    { name: 'unchanged settings', changed: {}, is: 'diminishing at v4', returned: 4 },
    { name: 'a lower quality threshold', changed: { qualityThreshold: 0.6 }, is: 'quality_met at v1', returned: 1 },
    { name: 'a quality threshold of 0', changed: { qualityThreshold: 0 }, is: 'quality_met at v0', returned: 0 },
    {
      name: 'a threshold between two scores',
      changed: { qualityThreshold: 0.71 },
      is: 'quality_met at v3',
      returned: 3,
    },
    { name: 'a lower cap', changed: { maxIterations: 2 }, is: 'max_iterations at v2', returned: 2 },
    { name: 'a higher patience', changed: { convergence: patient }, is: 'continues after v4', returned: 4 },
    { name: 'no early stops', changed: { convergence: null }, is: 'continues after v4', returned: 4 },
    {
      name: 'a lower improvement threshold',
      changed: { convergence: { ...patient, plateauIterations: 2, improvementThreshold: 0.02 } },
      is: 'continues after v4',
      returned: 4,
    },
    {
      name: 'less patience and a higher improvement threshold',
      changed: { convergence: { ...patient, plateauIterations: 1, improvementThreshold: 0.2 } },
      is: 'diminishing at v1',
      returned: 1,
    },
    {
      name: 'a threshold no score reaches',
      changed: {
        criteria: settingsOf({ criteria: [{ name: 'quality', threshold: 0.9, evaluator: 'llm' }] }).criteria,
        qualityThreshold: 0.5,
      },
      is: 'diminishing at v4',
      returned: 4,
    },
  ])('$name: $is', ({ changed, is, returned }) => {
    const own = settingsOf();
    const answer = whatIf(run, own, { ...own, ...changed }, LATER);
    expect(words(answer)).toBe(is);
    expect(answer.returned).toBe(returned);
  });

  test('other weights change the scores, the stop and the returned version', () => {
    const own = settingsOf({
      criteria: [
        { name: 'right', threshold: 0, weight: 1, evaluator: 'llm' },
        { name: 'short', threshold: 0, weight: 1, evaluator: 'llm' },
      ],
    });
    const scores = [
      { right: 0.2, short: 1 },
      { right: 0.8, short: 0.5 },
      { right: 0.9, short: 0.4 },
      { right: 0.9, short: 0.3 },
    ];
    const history = historyOf(
      own,
      scores.map((criteria) => ({ criteria })),
    );
    expect(whatIf(history, own, own, LATER)).toMatchObject({ returned: 2 });
    const [right, short] = own.criteria;
    if (right === undefined || short === undefined) throw new Error('two criteria are given');
    const changed = { ...own, criteria: [right, { ...short, weight: 0 }] };
    const answer = whatIf(history, own, changed, LATER);
    expect(words(answer)).toBe('quality_met at v1');
    expect(answer.evaluations.get(3)?.overallScore).toBe(0.9);
    expect(answer.returned).toBe(1);
  });

  test('an unscored version stays unscored with any weights', () => {
    const own = settingsOf();
    const history = historyOf(own, [0.5, null]);
    const answer = whatIf(history, own, { ...own, qualityThreshold: 0 }, null);
    expect(answer.evaluations.get(1)?.overallScore).toBeNull();
    expect(words(whatIf(history, own, { ...own, qualityThreshold: 0.9 }, null))).toBe('continues after v1');
  });

  test('stops at a version whose revision is unknown because another one was revised', () => {
    const own = settingsOf({ triggers: { qualityDropThreshold: 0.1 } });
    // v1 fell by 0.3, so v2 was made from v0; with a larger allowed drop it would have been made from v1.
    const history = historyOf(own, [0.6, { score: 0.3, critiqued: false }, { score: 0.7, parent: 0 }, 0.7]);
    const changed = { ...own, triggers: { ...own.triggers, qualityDropThreshold: 0.5 } };
    expect(words(whatIf(history, own, changed, LATER))).toBe('leaves v1 for v1');
  });

  test('keeps human decisions', () => {
    const own = settingsOf({ callbacks: { pause: 'before_finish' } });
    const history = historyOf(own, [{ score: 0.9, continued: true }, 0.5]);
    expect(words(whatIf(history, own, { ...own, qualityThreshold: 0.4 }, null))).toBe('waits at v1');
    expect(words(whatIf(history, own, own, null))).toBe('continues after v1');
  });

  test('compares a human overall score with the pass threshold only', () => {
    const own = settingsOf({ criteria: [{ name: 'quality', threshold: 0.7, evaluator: 'llm' }] });
    const before = historyOf(own, [0.2]);
    const at = '2026-01-05T10:00:00.000Z';
    const scored = judged(before, own, 0, { score: 0.9, by: 'person' });
    const override: Decision = decisionOf('override', { version: 0, score: 0.9, step: scored.step, at });
    const history = decided(scored, override);
    const stricter = settingsOf({ criteria: [{ name: 'quality', threshold: 0.95, evaluator: 'llm' }] });
    expect(whatIf(history, own, stricter, null).evaluations.get(0)).toMatchObject({
      overallScore: 0.9,
      satisfactory: true,
    });
  });

  describe('after the run ended', () => {
    const own = settingsOf();
    const ended = historyOf(own, [0.5, 0.9]);
    const endedAt = '2026-01-01T00:00:00.000Z';
    test('an override changes the returned version but not the end', () => {
      const overridden = judged(ended, own, 1, { score: 0.1, by: 'person' });
      const answer = whatIf(overridden, own, own, endedAt);
      expect(words(answer)).toBe('quality_met at v1');
      expect(answer.returned).toBe(0);
    });
    test('returns the accepted version', () => {
      const answer = whatIf(decided(ended, decisionOf('accept', { version: 0, iteration: 0 })), own, own, endedAt);
      expect(words(answer)).toBe('user_accepted at v1');
      expect(answer.returned).toBe(0);
    });
    test('ignores an accepted version if the run would have ended earlier', () => {
      const accepted = decided(ended, decisionOf('accept', { version: 0, iteration: 0 }));
      expect(words(whatIf(accepted, own, { ...own, qualityThreshold: 0.5 }, endedAt))).toBe('quality_met at v0');
    });
    test('a stopped and resumed run continues', () => {
      const stopped = decided(historyOf(own, [0.5]), decisionOf('stop', { version: 0, iteration: 0 }));
      expect(words(whatIf(stopped, own, own, endedAt))).toBe('user_stopped at v0');
      const resumed = decided(stopped, decisionOf('resume', { version: 0, iteration: 0 }));
      expect(words(whatIf(resumed, own, own, null))).toBe('continues after v0');
    });
    test('counts a version whose call completed after the stop', () => {
      const first = historyOf(own, [0.5]);
      const stopped = decided(first, decisionOf('stop', { version: 0, iteration: 0 }));
      const late = historyOf(own, [0.5, 0.6]).versions[1];
      if (late === undefined) throw new Error('two versions are given');
      const withLate = {
        ...stopped,
        versions: [...first.versions, { ...late, step: first.step }],
        step: first.step + 1,
      };
      expect(words(whatIf(withLate, own, own, endedAt))).toBe('user_stopped at v1');
    });
  });

  test('a paused run waits at its pause with its pending stop reason', () => {
    const own = settingsOf({ callbacks: { pause: 'before_finish' } });
    const at = historyOf(own, [0.5, 0.9]);
    const history: History = {
      ...at,
      pause: {
        pauseId: 'p',
        hook: 'onReflection',
        version: 1,
        wouldStopAs: 'quality_met',
        asks: [],
        toolCall: null,
        since: LATER,
        expiresAt: null,
      },
    };
    expect(whatIf(history, own, own, null).end).toEqual({
      type: 'waits',
      hook: 'onReflection',
      version: 1,
      wouldStopAs: 'quality_met',
    });
    const overridden = judged(history, own, 1, { score: 0.1, by: 'person' });
    expect(whatIf(overridden, own, own, null).end).toMatchObject({ type: 'waits', version: 1, wouldStopAs: null });
  });
});

test('rejects tuning runs', () => {
  const settings = settingsOf({ mode: 'tune' });
  expect(() => whatIf(historyOf(settings, [0.5]), settings, settings, null)).toThrow('not supported for tuning runs');
});

test('includes human scores given so far', () => {
  const own = settingsOf({
    criteria: [
      { name: 'quality', threshold: 0, evaluator: 'llm' },
      { name: 'taste', threshold: 0, evaluator: 'human', config: {} },
      { name: 'tone', threshold: 0, evaluator: 'human', config: {} },
    ],
  });
  let history = historyOf(own, [{ criteria: { quality: 0.8, taste: null, tone: null } }]);
  expect(words(whatIf(history, own, own, null))).toBe('waits at v0');
  for (const scores of [
    { quality: 0.8, taste: 0.9, tone: null },
    { quality: 0.8, taste: 0.9, tone: 0.4 },
  ]) {
    history = judged(history, own, 0, { criteria: scores, by: 'person' });
    history = decided(history, decisionOf('score', { version: 0, pauseId: 'p' }));
  }
  expect(words(whatIf(history, own, own, null))).toBe('continues after v0');
  expect(words(whatIf(history, own, { ...own, qualityThreshold: 0.7 }, null))).toBe('quality_met at v0');
});

describe('simulated runs', () => {
  test('matches the actual ending under the original settings', () => {
    forEveryRun(
      ({ history, ending }, settings) => {
        const answer = whatIf(history, settings, settings, null);
        const { endedAt: _endedAt, ...end } = ending;
        expect(answer.end).toEqual({ type: 'stops', ...end });
        expect(answer.versionCount).toBe(history.versions.length);
        expect(answer.spend.tokenUsage.output).toBeLessThanOrEqual(history.step + history.lostSpend.tokenUsage.output);
        expect(answer.bestByRule[settings.bestVersion]).toBe(ending.bestVersion);
      },
      { numRuns: 1_500, seed: 11 },
    );
  });

  test('matches the next step at every state of the run', () => {
    forEveryRun(
      ({ states }, settings) => {
        for (const state of states) {
          const { end } = whatIf(state, settings, settings, null);
          const step = nextStep(state, settings, new Date(0));
          const ends = step.type === 'stop' || step.type === 'write_reflection';
          const type = ends ? 'stops' : step.type === 'wait' ? 'waits' : 'goes_on';
          expect(end.type).toBe(type);
        }
      },
      { numRuns: 200 },
    );
  });

  test('a predicted stop under other settings matches a real run with those settings', () => {
    let earlier = 0;
    let unknown = 0;
    const property = fc.property(settingsArbitrary, settingsArbitrary, scriptArbitrary, (own, other, script) => {
      const settings = { ...own, callbacks: { ...own.callbacks, ...NO_PAUSES } };
      const changed = { ...settings, ...changeable(other, settings) };
      const alone = { ...script, overrides: {}, failAt: [], resumes: 0 };
      const stored = simulateRun(settings, alone);
      const answer = whatIf(stored.history, settings, changed, null);
      const real = simulateRun(changed, alone);
      if (answer.end.type !== 'stops') {
        unknown++;
        expect(real.history.versions.length).toBeGreaterThanOrEqual(answer.versionCount);
        return;
      }
      if (answer.versionCount < stored.history.versions.length) earlier++;
      const { endedAt: _endedAt, ...end } = real.ending;
      expect(answer.end).toEqual({ type: 'stops', ...end });
      expect(answer.versionCount).toBe(real.history.versions.length);
    });
    fc.assert(property, { numRuns: 1_000, seed: 5 });
    expect(earlier).toBeGreaterThan(50);
    expect(unknown).toBeGreaterThan(50);
  });

  test('every best-version rule selects among the predicted versions', () => {
    forEveryRun(({ history }, settings) => {
      const answer = whatIf(history, settings, { ...settings, maxIterations: 1, maxAttempts: 1 }, null);
      for (const rule of BEST_VERSION_RULES) {
        const best = answer.bestByRule[rule];
        if (best !== null) expect(best).toBeLessThan(answer.versionCount);
      }
    });
  });
});

/** Settings that can be varied afterwards. Budgets and criteria stay those of the run. */
function changeable(other: ExperimentSettings, own: ExperimentSettings): Partial<ExperimentSettings> {
  const { qualityThreshold, maxIterations, maxAttempts, convergence, bestVersion } = other;
  const criteria = own.criteria.map((criterion, index) => ({ ...criterion, weight: index + 1, threshold: 0.6 }));
  return { qualityThreshold, maxIterations, maxAttempts, convergence, bestVersion, criteria };
}
