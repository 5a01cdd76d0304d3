import type { History } from '../history.ts';
import { critiquesOf } from '../reflections.ts';
import { effectiveEvaluation } from '../scored-versions.ts';
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
