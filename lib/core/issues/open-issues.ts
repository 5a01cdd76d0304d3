import type { History, Version } from '../history.ts';
import { effectiveEvaluation } from '../scored-versions.ts';
import { foundIssues } from './found-issues.ts';
import { type IdentifiedIssue, withIssueIds } from './identify-issues.ts';

/** An issue that stood before, as a judge or critic is told of it. */
export type OpenIssue = Pick<IdentifiedIssue, 'id' | 'criterion' | 'text'>;

/** The most issues that a prompt names; of all others the words are compared. */
const MOST_OPEN = 20;

/**
 * The issues that a version may still have: those of the last version before it that was looked at, and of the versions it was made
 * from, at most 20. Only versions before it count, however late it is judged again.
 */
export function openIssues(history: History, { number, parents }: Pick<Version, 'number' | 'parents'>): OpenIssue[] {
  const identified = withIssueIds(history);
  const before = identified.versions.filter((version) => version.number < number).map((version) => version.number);
  const found = [...before.reverse(), ...parents].map((version) => ({
    version,
    issues: foundIssues(identified, version),
  }));
  const last = found.find(({ issues }) => issues !== null)?.version;
  const open = new Map<string, OpenIssue>();
  for (const { version, issues } of found) {
    if (version !== last && !parents.includes(version)) continue;
    for (const { id, criterion, text } of issues ?? []) if (!open.has(id)) open.set(id, { id, criterion, text });
  }
  return [...open.values()].slice(0, MOST_OPEN);
}

/** The issues that a critic of a version is told of: those its evaluation names, or, where that names none, those it may still have. */
export function issuesForCritic(
  history: History,
  { number, parents }: Pick<Version, 'number' | 'parents'>,
): OpenIssue[] {
  const identified = withIssueIds(history);
  const named = effectiveEvaluation(identified, number)?.issues ?? [];
  if (named.length === 0) return openIssues(identified, { number, parents });
  const open = new Map<string, OpenIssue>();
  for (const { id, criterion, text } of named)
    if (id !== undefined && !open.has(id)) open.set(id, { id, criterion, text });
  return [...open.values()].slice(0, MOST_OPEN);
}
