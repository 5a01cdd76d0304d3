import type { EvaluationIssue, History, Version } from '#lib/core/history.ts';
import { critiquesOf } from '#lib/core/reflections.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import { hasId, type IdentifiedIssue, withIssueIds } from './identify-issues.ts';

/**
 * Returns the issues of a version: those of its effective evaluation or, if it names none, of its critiques. Null if the version was not
 * reviewed: it has no full evaluation, or it has no critique in a run whose evaluations name no issues, unless it is satisfactory.
 */
function foundIssues(history: History, version: number): IdentifiedIssue[] | null {
  const identified = withIssueIds(history);
  const evaluation = effectiveEvaluation(identified, version);
  if (evaluation === null || evaluation.status === 'partial') return null;
  if (evaluation.issues.length > 0) return evaluation.issues.filter(hasId);
  const critiques = critiquesOf(identified, version);
  const isLookedAt =
    critiques.length > 0 || evaluation.satisfactory || identified.evaluations.some(({ issues }) => issues.length > 0);
  return isLookedAt ? critiques.flatMap(({ issues }) => issues.filter(hasId)) : null;
}

/** Returns the unique ids of the issues of a version, or null if it was not reviewed. */
export function foundIssueIds(history: History, version: number): Set<string> | null {
  const issues = foundIssues(history, version);
  return issues === null ? null : new Set(issues.map(({ id }) => id));
}

/** An open issue as shown to a judge or critic. */
export type OpenIssue = Pick<IdentifiedIssue, 'id' | 'criterion' | 'text'>;

/** Maximum number of issues in a prompt. The others are matched by their text. */
const MAX_OPEN_ISSUES = 20;

/**
 * Returns the issues that a version may still have, at most 20: those of the last reviewed version before it, and of its parents. Only
 * earlier versions count, even if it is judged again later.
 */
export function openIssues(history: History, { number, parents }: Pick<Version, 'number' | 'parents'>): OpenIssue[] {
  const identified = withIssueIds(history);
  const before = identified.versions.filter((version) => version.number < number).map((version) => version.number);
  const found = [...before.reverse(), ...parents].map((version) => ({
    version,
    issues: foundIssues(identified, version),
  }));
  const last = found.find(({ issues }) => issues !== null)?.version;
  return shownIssues(
    found.flatMap(({ version, issues }) => (version === last || parents.includes(version) ? (issues ?? []) : [])),
  );
}

function shownIssues(issues: readonly IdentifiedIssue[]): OpenIssue[] {
  const firsts = new Map<string, OpenIssue>();
  for (const { id, criterion, text } of issues) if (!firsts.has(id)) firsts.set(id, { id, criterion, text });
  return [...firsts.values()].slice(0, MAX_OPEN_ISSUES);
}

/** Returns the issues shown to a critic of a version: those of its evaluation or, if it names none, those that may still be open. */
export function issuesForCritic(
  history: History,
  { number, parents }: Pick<Version, 'number' | 'parents'>,
): OpenIssue[] {
  const identified = withIssueIds(history);
  const named = effectiveEvaluation(identified, number)?.issues ?? [];
  return named.length === 0 ? openIssues(identified, { number, parents }) : shownIssues(named.filter(hasId));
}

const ID_IN_FRONT = /^\s*\[?(i\d{1,7})\]?(?:\s*\([^)\n]{0,80}\))?(?:\s*[:.–—-])?\s+(\S[\s\S]*)$/i;

/** Returns the issue with the id that a model wrote in its field or before its text (`i2: No example.`). Removes ids not shown to it. */
export function withStatedId(
  issue: EvaluationIssue,
  shown: readonly OpenIssue[],
  statedId: string | null = null,
): EvaluationIssue {
  const find = (id: string | undefined) => shown.find((open) => open.id === id?.trim().toLowerCase())?.id;
  const [, inFront, text = ''] = ID_IN_FRONT.exec(issue.text) ?? [];
  const stated = find(inFront);
  const id = find(statedId ?? undefined) ?? stated;
  return id === undefined ? issue : { ...issue, text: stated === undefined ? issue.text : text, id };
}

export const ISSUE_STATES = ['opened', 'open', 'again', 'resolved'] as const;
type IssueState = (typeof ISSUE_STATES)[number];
/**
 * One issue across the versions of a run, in its first wording. `states` contains a version's number only if the issue was open there or
 * had just been resolved.
 */
export type LedgerRow = { id: string; text: string; criterion: string | null; states: Record<number, IssueState> };

/**
 * Tracks every issue through the versions: opened at its first appearance, then open, resolved in the first reviewed version without it,
 * reopened if it returns. The issues of a version come from `foundIssues` and are matched by id, so a reworded issue is not resolved.
 */
export function issueLedger(history: History): LedgerRow[] {
  const identified = withIssueIds(history);
  const rows = new Map<string, LedgerRow>();
  let standing = new Set<string>();
  for (const { number } of identified.versions) {
    const found = foundIssues(identified, number);
    if (found === null) continue;
    const named = new Set(found.map(({ id }) => id));
    for (const { id, text, criterion } of found) {
      const row = rows.get(id);
      if (row === undefined) rows.set(id, { id, text, criterion, states: { [number]: 'opened' } });
      else row.states[number] ??= standing.has(id) ? 'open' : 'again';
    }
    for (const id of standing) {
      const row = rows.get(id);
      if (row !== undefined && !named.has(id)) row.states[number] = 'resolved';
    }
    standing = named;
  }
  return [...rows.values()];
}
