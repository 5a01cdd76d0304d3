import { diffLines } from 'diff';

/** How many lines of a text are new and how many are gone, against another one. */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  // A last line without its end is the same line.
  const parts = diffLines(`${before}\n`, `${after}\n`, { timeout: 500 }) ?? [];
  const count = (changed: typeof parts) => changed.reduce((sum, part) => sum + part.count, 0);
  return { added: count(parts.filter(({ added }) => added)), removed: count(parts.filter(({ removed }) => removed)) };
}
