import Link from 'next/link';
import { MayButton } from '#components/access/may-button.tsx';
import { MayLink } from '#components/access/may-link.tsx';
import { cutOffOf, cutOffSentence } from '#components/agents/agent-labels.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { Role } from '#lib/auth/role.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { formatSentence } from '#lib/format.ts';

type FailureNoticeProps = { record: RunRecord; isBusy: boolean; onResume: () => void };

/** Why a run broke off, or which wider budget ended it: what happened, what is safe, what to do next. */
export function FailureNotice({ record, isBusy, onResume }: FailureNoticeProps) {
  const { failure, versions, convergenceReason: reason } = record;
  if (record.status !== 'failed' && (record.status !== 'stopped' || failure === null)) return null;
  const made = versions.at(-1);
  const last = made?.number;
  const safe =
    last === undefined
      ? 'No version was made yet, so nothing is lost.'
      : last === 0
        ? 'Version v0 is stored.'
        : `Versions v0 to v${last} and their scores are stored.`;
  const place = nextPlace(record);
  const cutOff = reason === 'cut_off' && made ? cutOffOf(made) : null;
  const message = failure?.message ?? (cutOff !== null ? cutOffSentence(cutOff) : 'The run broke off.');
  const resumeHelps = failure?.kind !== 'no_reference';
  return (
    <Pane className="max-medium:order-1">
      <Notice
        tone="worse"
        alert
        title={formatSentence(message)}
        actions={
          <>
            {resumeHelps ? (
              <MayButton needs="editor" size="small" onClick={onResume} disabled={isBusy}>
                {cutOff !== null ? 'Try again' : last === undefined ? 'Resume' : `Resume from v${last}`}
              </MayButton>
            ) : null}
            <MayLink needs={place.needs} variant="ghost" size="small" href={place.href}>
              {place.label}
            </MayLink>
            <Button asChild variant="ghost" size="small">
              <Link href={`/runs/${record.id}/calls`}>Show the calls</Link>
            </Button>
          </>
        }
      >
        {safe}
        {failure?.remedy ? ` ${failure.remedy}` : ''}
        {cutOff !== null
          ? ' Give the agent more turns or another model in the settings, or let it try again as it is.'
          : ''}
      </Notice>
    </Pane>
  );
}

const SETTLED_IN_SETTINGS: readonly StopReason[] = ['cut_off', 'experiment_budget', 'evaluation_failed'];

/** Where what ended the run is set right. */
function nextPlace({ convergenceReason, experimentId }: RunRecord): { href: string; label: string; needs: Role } {
  if (convergenceReason !== null && SETTLED_IN_SETTINGS.includes(convergenceReason))
    return { href: `/experiments/${experimentId}/edit`, label: 'Change the settings', needs: 'editor' };
  return {
    href: '/models',
    needs: 'viewer',
    label: convergenceReason === 'month_budget' ? 'The month’s budget' : 'Test the connection',
  };
}
