import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { parentOf } from './current-evaluation.ts';

/** The versions that one can be compared with, and the one it is: as chosen, else its parent, else the latest. */
export function comparedWith(
  { versions }: Pick<RunRecord, 'versions'>,
  version: VersionRecord,
  chosen: number | null,
): { others: VersionRecord[]; against: VersionRecord | undefined } {
  const others = version.outputDropped
    ? []
    : versions.filter(({ number, outputDropped }) => number !== version.number && !outputDropped);
  const parent = parentOf(version);
  const against =
    others.find(({ number }) => number === chosen) ?? others.find(({ number }) => number === parent) ?? others.at(-1);
  return { others, against };
}
