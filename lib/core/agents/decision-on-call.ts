import type { Decision } from '../history.ts';

/**
 * Returns the decision on a tool call: the last `allow` or `refuse` for the call with this id on the way to this version, or undefined if
 * there is none. Ids repeat in every attempt, so decisions are matched by version: it was the next one at that time.
 */
export function decisionOnCall<
  One extends Pick<Decision, 'decision' | 'version' | 'toolCallId'> & { seen: { versions: number } | null },
>(decisions: readonly One[], version: number, callId: string): One | undefined {
  return decisions.findLast(
    ({ decision, toolCallId, seen, version: of }) =>
      toolCallId === callId &&
      (decision === 'allow' || decision === 'refuse') &&
      (seen === null ? of === version : seen.versions === version),
  );
}
