import { flawsSpokenOf } from './flaws.ts';
import { listItems, type PromptParts } from './read-prompt.ts';

/** An issue that a prompt says stood before. */
export type PracticeOpenIssue = { id: string; criterion: string | null; text: string };

/** Lines such as `- i2 (clarity): No example.`. */
export function readOpenIssues(parts: PromptParts): PracticeOpenIssue[] {
  return listItems(parts.get('open_issues')).flatMap((line) => {
    const [, id, criterion = null, text] = /^(i\d+)(?: \(([^)]*)\))?: ([\s\S]*)$/.exec(line) ?? [];
    return id === undefined || text === undefined ? [] : [{ id, criterion, text }];
  });
}

/** The open issue that a remark names again: the same words, or the same flaw, under the same criterion where both say one. */
export function sameOpenIssue(
  open: readonly PracticeOpenIssue[],
  { text, criterion }: { text: string; criterion: string | null },
): PracticeOpenIssue | null {
  const flaws = flawsSpokenOf(text);
  const fits = open.filter((one) => one.criterion === null || criterion === null || one.criterion === criterion);
  return (
    fits.find((one) => one.text === text) ??
    fits.find((one) => flawsSpokenOf(one.text).some((flaw) => flaws.includes(flaw))) ??
    null
  );
}
