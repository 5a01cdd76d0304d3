import type { EvaluationIssue, History, Version } from '#lib/core/history.ts';
import { critiquesOf } from '#lib/core/reflections.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import { type IdentifiedIssue, withIssueIds } from './identify-issues.ts';

/**
 * The issues a version was found to have: those of the evaluation the loop goes by, or, where that names none, of its critiques. Null
 * where nobody looked: a version without a full evaluation, and one that no critique looked at in a run whose evaluations name no issues at
 * all, unless it is satisfactory.
 */
export function foundIssues(history: History, version: number): IdentifiedIssue[] | null {
  const identified = withIssueIds(history);
  const evaluation = effectiveEvaluation(identified, version);
  if (evaluation === null || evaluation.status === 'partial') return null;
  if (evaluation.issues.length > 0) return evaluation.issues.filter(hasId);
  const critiques = critiquesOf(identified, version);
  const isLookedAt = critiques.length > 0 || evaluation.satisfactory || evaluatorsNameIssues(identified);
  return isLookedAt ? critiques.flatMap(({ issues }) => issues.filter(hasId)) : null;
}

/** The ids of the issues a version was found to have, each once; null where nobody looked. */
export function foundIssueIds(history: History, version: number): Set<string> | null {
  const issues = foundIssues(history, version);
  return issues === null ? null : new Set(issues.map(({ id }) => id));
}

function evaluatorsNameIssues({ evaluations }: History): boolean {
  return evaluations.some(({ issues }) => issues.length > 0);
}

function hasId(issue: { id?: string | undefined }): issue is IdentifiedIssue {
  return issue.id !== undefined;
}

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

const ID_IN_FRONT = /^\s*\[?(i\d{1,7})\]?(?:\s*\([^)\n]{0,80}\))?\s*[:.–—-]?\s+(\S[\s\S]*)$/i;

/** The issue with the id that a model wrote in front of its text (`i2: No example.`) or beside it. Ids that it was not shown are left out. */
export function withStatedId(
  issue: EvaluationIssue,
  shown: readonly OpenIssue[],
  beside: string | null = null,
): EvaluationIssue {
  const find = (id: string | undefined) => shown.find((open) => open.id === id?.trim().toLowerCase())?.id;
  const [, inFront, text = ''] = ID_IN_FRONT.exec(issue.text) ?? [];
  const stated = find(inFront);
  const id = find(beside ?? undefined) ?? stated;
  return id === undefined ? issue : { ...issue, text: stated === undefined ? issue.text : text, id };
}
