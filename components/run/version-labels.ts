import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isEnded } from './run-versions.ts';

/** Where a version came from, in words: `full rewrite of v2`, `attempt 3`, `first draft`. */
export function originLabel(version: VersionRecord): string {
  const parent = version.parents[0];
  switch (version.origin) {
    case 'generated':
      return version.iteration === 0 ? 'first draft' : 'new draft';
    case 'retried':
      return `attempt ${version.iteration + 1}`;
    case 'revised': {
      const strategy = version.strategy?.replaceAll('_', ' ') ?? 'revision';
      return parent === undefined || parent === version.number - 1 ? strategy : `${strategy} of v${parent}`;
    }
    case 'given':
      return 'the prompt as given';
    case 'branched':
      return 'branched';
    case 'edited':
      return parent === undefined ? 'edited by a person' : `edited from v${parent}`;
    case 'merged':
      return version.parents.length > 0
        ? `merged from ${version.parents.map((number) => `v${number}`).join(' and ')}`
        : 'merged';
  }
}

/**
 * What is said of a run that has ended with versions of which none was scored, so that none is its best. Null for all others, and where a
 * person accepted one.
 */
export function unscoredEnd(record: RunRecord, mode: ExperimentSettings['mode']): string | null {
  const { versions, bestVersion, convergenceReason } = record;
  const last = versions.at(-1);
  if (!isEnded(record) || last === undefined || bestVersion !== null || convergenceReason === 'user_accepted')
    return null;
  const isCutOff = versions.every(({ interrupted }) => interrupted);
  const one = mode === 'retry' ? 'attempt' : 'draft';
  if (versions.length === 1)
    return isCutOff
      ? `The ${one} came to no end that could be scored, so there is no best version.`
      : 'The only version was not scored, so there is no best one.';
  const none = isCutOff ? `No ${one} came to an end that could be scored` : 'No version was scored';
  return `${none}, so none is the best: v${last.number} is only the last.`;
}

/** What the loop makes of an attempt whose agent was stopped. */
export function interruptedLabel({ origin }: Pick<VersionRecord, 'origin'>): string {
  return origin === 'retried'
    ? 'It is kept as it is, neither judged nor learnt from; the next attempt follows, where one is left.'
    : 'It is kept as it is and not judged: there is nothing to revise. The run can be resumed, or given more turns.';
}

/** That the end is missing, what the loop makes of it, and what a person can do. */
export function cutOffLabel({ origin, parents }: Pick<VersionRecord, 'origin' | 'parents'>): string {
  const what = 'The model reached its limit of tokens before the end of the text.';
  const [parent] = parents;
  if (origin !== 'revised' || parent === undefined)
    return `${what} Ask for a shorter text, or choose a model that may answer at greater length.`;
  return `${what} Unless it scores higher than v${parent}, the next revision starts from v${parent} again. Allow revisions more tokens, or have them made by targeted edits.`;
}
