import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { resultVersion } from '#lib/runs/run-facts.ts';
import { isEnded } from './run-versions.ts';

/** Returns the version with this number. Otherwise returns the most relevant one: paused, accepted, best or last. */
export function shownVersion(record: RunRecord, number: number | null): VersionRecord | undefined {
  const wanted = number ?? getDefaultVersionNumber(record);
  const found = record.versions.find((version) => version.number === wanted);
  return found ?? (number === null ? record.versions.at(-1) : shownVersion(record, null));
}

function getDefaultVersionNumber(record: RunRecord): number | null {
  if (record.waitingFor !== null) return record.waitingFor.version;
  return isEnded(record) ? resultVersion(record) : null;
}
