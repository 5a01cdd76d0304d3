import type { History, Hook, Version } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { decisionsSince } from './verdicts.ts';

/**
 * The hook at which somebody is to look at a version before it is evaluated: once at each that a model made, where the settings
 * ask for it. Null where they do not, and where it was looked at. A version by hand was seen by whoever wrote it.
 */
export function dueReview(history: History, { callbacks }: ExperimentSettings, version: Version): Hook | null {
  const hook = hookOf(version);
  const isAsked = hook === 'onRevision' ? callbacks.review.revisions : callbacks.review.drafts;
  if (hook === null || !isAsked || effectiveEvaluation(history, version.number) !== null) return null;
  const isAnswered = decisionsSince(history, version).some(
    (decision) => decision.hook === hook && decision.pauseId !== null,
  );
  return isAnswered ? null : hook;
}

/** Which hook a version comes to when it is made; null for one that no model made. */
export function hookOf({ origin }: Pick<Version, 'origin'>): Exclude<Hook, 'onReflection' | 'onToolCall'> | null {
  switch (origin) {
    case 'generated':
    case 'retried':
      return 'onGeneration';
    case 'revised':
      return 'onRevision';
    case 'edited':
    case 'merged':
    case 'branched':
    case 'given':
      return null;
  }
}
