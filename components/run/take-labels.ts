import { formatList } from '#lib/format.ts';

/** Which changes are taken and which are left: "take changes 1, 2 and 4 of v6, leave 3". */
export function takeLabel(version: number, taken: number[], left: number[]): string {
  const name = taken.length === 1 ? 'change' : 'changes';
  return `take ${name} ${formatList(taken.map(String))} of v${version}, leave ${formatList(left.map(String))}`;
}
