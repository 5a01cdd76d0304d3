import { bestVersion } from './best-version.ts';
import type { History } from './history.ts';

/** What was made before a version: the output just before it, and the one with the highest score so far; null where there is none. */
export type EarlierOutputs = { previous: string | null; best: string | null };

export const NOTHING_EARLIER: EarlierOutputs = { previous: null, best: null };

/** The outputs a version can be compared with. Only versions before it count, however late it is judged again; cut-off ones do not. */
export function earlierOutputs(history: History, versionNumber: number): EarlierOutputs {
  const versions = history.versions.filter((version) => version.number < versionNumber && !version.interrupted);
  const best = bestVersion({ ...history, versions }, 'highest_score');
  return {
    previous: versions.at(-1)?.output ?? null,
    best: versions.find((version) => version.number === best)?.output ?? null,
  };
}
