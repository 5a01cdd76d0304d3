import { diffParts } from '#components/run/diff-parts.ts';

/** How many lines of a text are new and how many are gone, against another one. */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  const changes = diffParts(`${before}\n`, `${after}\n`).filter((part) => part.kind === 'change');
  const count = (texts: string[]) => texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return {
    added: count(changes.map((change) => change.after)),
    removed: count(changes.map((change) => change.before)),
  };
}
