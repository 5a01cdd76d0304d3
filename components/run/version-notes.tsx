import { cutOffOf, cutOffSentence } from '#components/agents/agent-labels.ts';
import { Notice } from '#components/ui/notice.tsx';
import type { VersionRecord } from '#lib/core/run-record.ts';

/** What a person should know of how a version was made: that it was cut off, or made in another way than was set. */
export function VersionNotes({ version }: { version: VersionRecord }) {
  const cutOff = cutOffOf(version);
  return (
    <>
      {cutOff === null ? null : (
        <Notice tone="worse" title="Cut off." className="mt-2">
          {cutOffSentence(cutOff)} {interruptedLabel(version)}
        </Notice>
      )}
      {version.cutOff ? (
        <Notice tone="worse" title="Cut off." className="mt-2">
          {cutOffLabel(version)}
        </Notice>
      ) : null}
      {version.strategyNote === null ? null : (
        <Notice title="How it was revised." className="mt-2">
          {version.strategyNote}
        </Notice>
      )}
    </>
  );
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
