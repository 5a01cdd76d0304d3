import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { resultVersion } from '#lib/runs/run-facts.ts';
import { isEnded } from './run-versions.ts';

/** The version of this number; else the one a person would look at first: the paused one, the accepted, the best, the last. */
export function shownVersion(record: RunRecord, number: number | null): VersionRecord | undefined {
  const wanted = number ?? firstLookedAt(record);
  const found = record.versions.find((version) => version.number === wanted);
  return found ?? (number === null ? record.versions.at(-1) : shownVersion(record, null));
}

function firstLookedAt(record: RunRecord): number | null {
  if (record.waitingFor !== null) return record.waitingFor.version;
  return isEnded(record) ? resultVersion(record) : null;
}
