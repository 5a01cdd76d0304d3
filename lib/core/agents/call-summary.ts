import type { Decision } from '../history.ts';

/**
 * What was decided on the use of a tool: the last `allow` or `refuse` of the call with this id on the way to this version; undefined
 * where nobody was asked. Ids are the same in every attempt, so the version tells them apart: it was the next one to come.
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
