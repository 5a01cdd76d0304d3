import { describe, expect, test } from 'vitest';
import { decided, decisionOf, historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';

const cut = (score: number, parent?: number): VersionGiven => ({
  score,
  cutOff: true,
  ...(parent !== undefined && { parent }),
});

describe('parent of the next revision', () => {
  test.each<[string, VersionGiven[], { from: number; regressed: { version: number; drop: number } | null }]>([
    ['a complete version with an equal score', [0.5, 0.5], { from: 1, regressed: null }],
    [
      'the version before a cut-off one with an equal score',
      [0.5, cut(0.5)],
      { from: 0, regressed: { version: 1, drop: 0 } },
    ],
    [
      'the version before a cut-off one with a slightly lower score',
      [0.5, cut(0.45)],
      { from: 0, regressed: { version: 1, drop: 0.05 } },
    ],
    ['a cut-off version with a higher score', [0.5, cut(0.6)], { from: 1, regressed: null }],
    [
      'the best version after a cut-off one with a drop above the threshold',
      [0.7, 0.6, cut(0.4)],
      { from: 0, regressed: { version: 2, drop: 0.2 } },
    ],
    [
      'the same parent after it was cut off again',
      [0.5, cut(0.5), cut(0.5, 0)],
      { from: 0, regressed: { version: 2, drop: 0 } },
    ],
    ['a cut-off first draft', [cut(0.5)], { from: 0, regressed: null }],
    ['a complete version with a score equal to its cut-off parent', [cut(0.5), 0.5], { from: 1, regressed: null }],
  ])('%s', (_name, versions, expected) => {
    const settings = settingsOf({ convergence: null });
    const history = historyOf(settings, [...versions.slice(0, -1), { ...given(versions.at(-1)), critiqued: true }]);
    const last = versions.length - 1;
    const continued = decided(history, decisionOf('continue', { version: last, iteration: last, by: 'policy' }));
    expect(nextStep(continued, settings, new Date(0))).toMatchObject({ type: 'revise', ...expected });
  });
});

function given(version: VersionGiven | undefined) {
  return typeof version === 'object' && version !== null ? version : { score: version ?? null };
}
