import type { EvaluationIssue, History, Version } from '../history.ts';
import { isCutOff } from '../is-cut-off.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { AppliedStrategy } from './strategy.ts';

/** The way the next revision is made in; `note` says for people why it is not the one that was set. */
export type ChosenStrategy = { strategy: AppliedStrategy; note: string | null };

/** Up to this many local issues are mended by edits. */
const MOST_LOCAL_ISSUES = 3;

/**
 * The way to revise `from`: the one set, for `hybrid` the one that fits the issues. After a regression (or a revision that was cut
 * off) it is another one than led there, and one not yet tried on this text where there is one.
 */
export function chooseStrategy(
  settings: ExperimentSettings,
  history: History,
  from: Version,
  issues: EvaluationIssue[],
  regressed: { version: number } | null,
): ChosenStrategy {
  const set = settings.revision.strategy;
  const wanted = set === 'hybrid' ? fittingStrategy(issues) : set;
  const fallen = history.versions.find(({ number }) => number === regressed?.version);
  if (fallen === undefined || fallen.strategy === null) return { strategy: wanted, note: null };
  const tried = history.versions.filter(({ parents }) => parents.includes(from.number)).map(({ strategy }) => strategy);
  const others = [wanted, ...IN_TURN].filter((strategy) => strategy !== fallen.strategy);
  const strategy = others.find((other) => !tried.includes(other)) ?? others[0] ?? wanted;
  if (strategy === wanted) return { strategy, note: null };
  const what = isCutOff(fallen) ? 'was cut off' : 'fell';
  const way = `${inWords(strategy)} instead of ${inWords(wanted)}`;
  return { strategy, note: `${way}: version ${fallen.number}, made by ${inWords(fallen.strategy)}, ${what}.` };
}

const IN_TURN: AppliedStrategy[] = ['full_rewrite', 'targeted_edit', 'incremental'];

/** All issues local and at most three: edits; only missing parts: sections; else, and where no issue is named, all anew. */
export function fittingStrategy(issues: EvaluationIssue[]): AppliedStrategy {
  if (issues.length === 0) return 'full_rewrite';
  if (issues.every(({ scope }) => scope === 'missing')) return 'incremental';
  const areLocal = issues.every(({ scope }) => scope === 'local');
  return areLocal && issues.length <= MOST_LOCAL_ISSUES ? 'targeted_edit' : 'full_rewrite';
}

/** The name of a strategy as people read it. */
export function inWords(strategy: string): string {
  return strategy.replaceAll('_', ' ');
}
