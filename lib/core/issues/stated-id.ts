import type { EvaluationIssue } from '../history.ts';
import type { OpenIssue } from './open-issues.ts';

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
