import { describe, expect, test } from 'vitest';
import { decided, decisionOf, historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';

const cut = (score: number, parent?: number): VersionGiven => ({
  score,
  cutOff: true,
  ...(parent !== undefined && { parent }),
});

describe('parent of the next revision', () => {
  test.each<[string, VersionGiven[], { from: number; regressed: { version: number; fell: number } | null }]>([
    ['a whole one that is as good', [0.5, 0.5], { from: 1, regressed: null }],
    ['cut off and as good', [0.5, cut(0.5)], { from: 0, regressed: { version: 1, fell: 0 } }],
    ['cut off and a little worse', [0.5, cut(0.45)], { from: 0, regressed: { version: 1, fell: 0.05 } }],
    ['cut off and better', [0.5, cut(0.6)], { from: 1, regressed: null }],
    [
      'cut off, fell by more than the threshold: from the best',
      [0.7, 0.6, cut(0.4)],
      { from: 0, regressed: { version: 2, fell: 0.2 } },
    ],
    [
      'cut off again from the same parent',
      [0.5, cut(0.5), cut(0.5, 0)],
      { from: 0, regressed: { version: 2, fell: 0 } },
    ],
    ['a first draft that was cut off', [cut(0.5)], { from: 0, regressed: null }],
    ['from a cut-off draft, whole and as good', [cut(0.5), 0.5], { from: 1, regressed: null }],
  ])('%s', (_name, versions, expected) => {
    const settings = settingsOf({ convergence: null });
    const history = historyOf(settings, [...versions.slice(0, -1), { ...given(versions.at(-1)), critiqued: true }]);
    const last = versions.length - 1;
    const goesOn = decided(history, decisionOf('continue', { version: last, iteration: last, by: 'policy' }));
    expect(nextStep(goesOn, settings, new Date(0))).toMatchObject({ type: 'revise', ...expected });
  });
});

function given(version: VersionGiven | undefined) {
  return typeof version === 'object' && version !== null ? version : { score: version ?? null };
}
