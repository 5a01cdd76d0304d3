import { describe, expect, test } from 'vitest';
import type { IssueScope } from '../history.ts';
import { historyOf, settingsOf } from '../history-of.test-support.ts';
import { chooseStrategy, fittingStrategy } from './choose-strategy.ts';
import type { AppliedStrategy, RevisionStrategy } from './strategy.ts';

const L = 'local';
const M = 'missing';
const W = 'whole';

function issuesOf(scopes: (IssueScope | null)[]) {
  return scopes.map((scope, at) => ({ criterion: null, text: `Issue ${at}`, ...(scope === null ? {} : { scope }) }));
}

describe('hybrid chooses the strategy by the issues', () => {
  test.each<[string, (IssueScope | null)[], AppliedStrategy]>([
    ['no issues', [], 'full_rewrite'],
    ['one local issue', [L], 'targeted_edit'],
    ['three local issues', [L, L, L], 'targeted_edit'],
    ['four local issues', [L, L, L, L], 'full_rewrite'],
    ['one missing part', [M], 'incremental'],
    ['many missing parts', [M, M, M, M, M], 'incremental'],
    ['local issues and missing parts', [L, M], 'full_rewrite'],
    ['one global issue', [W], 'full_rewrite'],
    ['local and global issues', [L, W], 'full_rewrite'],
    ['missing parts and a global issue', [M, W], 'full_rewrite'],
    ['an issue without a scope', [null], 'full_rewrite'],
    ['one issue with a scope and one without', [L, null], 'full_rewrite'],
  ])('%s: %s gives %s', (_name, scopes, strategy) => {
    expect(fittingStrategy(issuesOf(scopes))).toBe(strategy);
    expect(chosen('hybrid', scopes)).toEqual({ strategy, note: null });
  });
});

test.each<AppliedStrategy>(['full_rewrite', 'targeted_edit', 'incremental'])(
  'the configured strategy %s is used for any issues',
  (strategy) => {
    for (const scopes of [[], [L], [M], [W]] as IssueScope[][])
      expect(chosen(strategy, scopes).strategy).toBe(strategy);
  },
);

describe('chooses another strategy after a regression', () => {
  test.each<[string, RevisionStrategy, IssueScope[], (AppliedStrategy | null)[], AppliedStrategy]>([
    ['after the configured strategy', 'full_rewrite', [], ['full_rewrite'], 'targeted_edit'],
    ['after a targeted edit', 'targeted_edit', [L], ['targeted_edit'], 'full_rewrite'],
    ['after an incremental revision', 'incremental', [M], ['incremental'], 'full_rewrite'],
    ['after the strategy that hybrid chose', 'hybrid', [L], ['targeted_edit'], 'full_rewrite'],
    ['after another strategy than hybrid would choose', 'hybrid', [M], ['full_rewrite'], 'incremental'],
    ['after two strategies', 'full_rewrite', [], ['full_rewrite', 'targeted_edit'], 'incremental'],
    ['after all strategies', 'full_rewrite', [], ['full_rewrite', 'targeted_edit', 'incremental'], 'full_rewrite'],
    [
      'after the last strategy twice',
      'full_rewrite',
      [],
      ['targeted_edit', 'incremental', 'full_rewrite'],
      'targeted_edit',
    ],
    ['not after a manual edit', 'targeted_edit', [L], [null], 'targeted_edit'],
  ])('%s', (_name, set, scopes, failed, strategy) => {
    expect(chosen(set, scopes, failed).strategy).toBe(strategy);
  });

  test('notes the reason if it differs from the configured strategy', () => {
    expect(chosen('full_rewrite', [], ['full_rewrite']).note).toBe(
      'targeted edit instead of full rewrite: version 1, made by full rewrite, fell.',
    );
    expect(chosen('hybrid', [M], ['full_rewrite']).note).toBeNull();
  });
});

/** Returns the strategy for version 0 after each of its revisions, made by these strategies, scored lower. */
function chosen(set: RevisionStrategy, scopes: (IssueScope | null)[], failed: (AppliedStrategy | null)[] = []) {
  const settings = settingsOf({ revision: { strategy: set } });
  const history = historyOf(settings, [0.7, ...failed.map(() => ({ score: 0.3, parent: 0 }))]);
  const versions = history.versions.map((version, at) => ({ ...version, strategy: failed[at - 1] ?? null }));
  const [from] = versions;
  if (from === undefined) throw new Error('no version');
  const regressed = failed.length === 0 ? null : { version: failed.length };
  return chooseStrategy(settings, { ...history, versions }, from, issuesOf(scopes), regressed);
}
