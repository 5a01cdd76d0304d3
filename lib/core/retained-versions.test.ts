import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestVersion } from './best-version.ts';
import type { Decision } from './history.ts';
import { decided, decisionOf, historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { droppedVersions, withoutTexts } from './retained-versions.ts';
import { BEST_VERSION_RULES } from './setting-choices.ts';
import type { ExperimentSettingsInput } from './settings.ts';
import type { StopReason } from './stop-reasons.ts';

const accept = (version: number) => decisionOf('accept', { version });

describe('texts dropped when a run ends', () => {
  test.each<
    [
      string,
      Partial<ExperimentSettingsInput>,
      VersionGiven[],
      { reason?: StopReason; final?: number; decisions?: Decision[] },
      number[],
    ]
  >([
    ['drops all texts except the first, the best and the final', {}, [0.1, 0.2, 0.9, 0.3, 0.4], {}, [1, 3]],
    ['the best version is the first', {}, [0.9, 0.2, 0.3], {}, [1]],
    ['the best version is the final', {}, [0.1, 0.2, 0.9], {}, [1]],
    ['the best version by another rule', { bestVersion: 'latest' }, [0.1, 0.9, 0.2], {}, [1]],
    [
      'keeps an accepted version, which is the final one',
      {},
      [0.1, 0.2, 0.9, 0.3],
      { reason: 'user_accepted', final: 1, decisions: [accept(1)] },
      [3],
    ],
    [
      'keeps a version accepted before another',
      {},
      [0.1, 0.2, 0.9, 0.3, 0.4],
      { reason: 'user_accepted', final: 3, decisions: [accept(1), accept(3)] },
      [4],
    ],
    ['a single version', {}, [0.5], {}, []],
    ['keeps the first and the final if none is scored', {}, [null, null, null], {}, [1]],
    ['drops nothing if all versions are preserved', { preserveAllVersions: true }, [0.1, 0.2, 0.9, 0.3], {}, []],
    ['drops nothing of a stopped run, which can be resumed', {}, [0.1, 0.2, 0.9, 0.3], { reason: 'user_stopped' }, []],
    ['drops nothing of a failed run, which can be resumed', {}, [0.1, 0.2, 0.9, 0.3], { reason: 'model_failed' }, []],
  ])('%s', (_name, changes, versions, { reason = 'max_iterations', final, decisions = [] }, expected) => {
    const settings = settingsOf({ preserveAllVersions: false, ...changes });
    const history = decided(historyOf(settings, versions), ...decisions);
    const finalVersion = final ?? versions.length - 1;
    expect(droppedVersions(history, settings, { reason, finalVersion })).toEqual(expected);
  });
});

test('for any scores and rule: keeps the best, first and final text, drops only texts', () => {
  const scores = fc.array(fc.option(fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(scores, fc.constantFrom(...BEST_VERSION_RULES), (given, rule) => {
      const settings = settingsOf({ preserveAllVersions: false, bestVersion: rule });
      const history = historyOf(settings, given);
      const finalVersion = given.length - 1;
      const dropped = droppedVersions(history, settings, { reason: 'plateau', finalVersion });
      expect(dropped.length).toBeGreaterThanOrEqual(given.length - 3);
      for (const number of [0, finalVersion, bestVersion(history, rule)]) expect(dropped).not.toContain(number);
      const after = withoutTexts(history, dropped);
      for (const version of after.versions) {
        const before = history.versions[version.number];
        expect(version).toEqual(
          dropped.includes(version.number) ? { ...before, output: '', outputDropped: true } : before,
        );
      }
      expect({ ...after, versions: [] }).toEqual({ ...history, versions: [] });
      expect(droppedVersions(after, settings, { reason: 'plateau', finalVersion })).toEqual(dropped);
    }),
  );
});
