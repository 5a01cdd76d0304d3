import { stopReasonsWith } from '#lib/core/stop-reasons.ts';
import { bestVersion } from './best-version.ts';
import type { History } from './history.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Ending } from './step.ts';

/**
 * Returns the versions whose text is deleted when a run ends: none if all are preserved, else all but the first, the best, the final and
 * every accepted one. A failed or stopped run can be resumed and keeps all. Source: Reflection requirements 2.2 (preserve_all_versions).
 */
export function droppedVersions(
  history: History,
  settings: ExperimentSettings,
  { reason, finalVersion }: Pick<Ending, 'reason' | 'finalVersion'>,
): number[] {
  if (settings.preserveAllVersions || RESUMABLE.includes(reason)) return [];
  const accepted = history.decisions.flatMap(({ decision, version }) => (decision === 'accept' ? [version] : []));
  const retained = [history.versions[0]?.number, bestVersion(history, settings.bestVersion), finalVersion, ...accepted];
  return history.versions.map(({ number }) => number).filter((number) => !retained.includes(number));
}

const RESUMABLE = stopReasonsWith(({ status }) => status !== 'finished');

/** Returns the history without the texts of some versions. Their other fields are unchanged. */
export function withoutTexts(history: History, dropped: number[]): History {
  if (dropped.length === 0) return history;
  return {
    ...history,
    versions: history.versions.map((version) =>
      dropped.includes(version.number) ? { ...version, output: '', outputDropped: true } : version,
    ),
  };
}
