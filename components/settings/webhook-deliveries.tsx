'use client';

import { RotateCw } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { refusalOf } from '#components/team/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatDuration, formatNumberOf, formatRunNumber } from '#lib/format.ts';
import type { DeliveryState, WebhookDelivery } from '#lib/reflection/webhook-delivery.ts';
import type { WebhookActions } from './webhook-actions.ts';

type WebhookDeliveriesProps = Pick<WebhookActions, 'resend'> & {
  name: string;
  deliveries: readonly WebhookDelivery[];
  /** The server's. */
  now: string;
};

/** What a webhook was asked of late, what it answered, and what became of it. */
export function WebhookDeliveries({ name, deliveries, now, resend }: WebhookDeliveriesProps) {
  const router = useRouter();
  const toast = useToast();
  const [isBusy, startSending] = useTransition();
  if (deliveries.length === 0)
    return <p className="sm muted">It was not asked to decide yet. What it is sent will stand here.</p>;

  function sendAgain(id: string) {
    startSending(async () => {
      const sent = await resend(name, id).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was sent.'),
      );
      toast(sent.ok ? 'It is sent again' : sent.problem.message, sent.ok ? 'done' : 'problem');
      router.refresh();
    });
  }

  return (
    <section aria-label={`Latest deliveries to ${name}`}>
      <h3 className="mb-2">Latest deliveries</h3>
      <ul className="stack gap-3">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="stack gap-1.5" data-testid={`delivery-${delivery.state}`}>
            <div className="row wrap">
              <Badge tone={STATES[delivery.state].tone}>{STATES[delivery.state].words}</Badge>
              <Link className="link" href={`/runs/${delivery.runId}`}>
                Run {formatRunNumber(delivery.runNumber)}
              </Link>
              <span className="sm muted">
                <TimeAgo moment={delivery.createdAt} now={now} /> · {formatNumberOf(delivery.tries, 'try', 'tries')}
                {delivery.durationMs === null ? '' : ` · ${formatDuration(delivery.durationMs)}`}
              </span>
              {MAY_BE_RESENT.includes(delivery.state) ? (
                <span className="end">
                  <Button size="small" onClick={() => sendAgain(delivery.id)} disabled={isBusy}>
                    <RotateCw className="i s" aria-hidden />
                    Resend
                  </Button>
                </span>
              ) : null}
            </div>
            {delivery.outcome === null ? null : <p className="sm wrap-anywhere">{delivery.outcome}</p>}
            {delivery.error === null ? null : <p className="sm muted wrap-anywhere">{delivery.error}</p>}
            <details>
              <summary className="sm muted cursor-pointer">Request and answer</summary>
              <p className="sm faint mt-1">hone-delivery: {delivery.id}</p>
              <pre className="plain mt-1">{delivery.request}</pre>
              <p className="sm faint mt-1">
                {delivery.responseStatus === null ? 'No answer came.' : `Status ${delivery.responseStatus}`}
              </p>
              {delivery.response ? <pre className="plain mt-1">{delivery.response}</pre> : null}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where the run may still wait for an answer. */
const MAY_BE_RESENT: readonly DeliveryState[] = ['failed', 'refused', 'declined'];

const STATES: Record<DeliveryState, { words: string; tone: 'default' | 'better' | 'worse' | 'wait' }> = {
  waiting: { words: 'to be sent', tone: 'wait' },
  sending: { words: 'being sent', tone: 'wait' },
  decided: { words: '✓ decided', tone: 'better' },
  declined: { words: 'left it to others', tone: 'default' },
  refused: { words: '✕ answer refused', tone: 'worse' },
  late: { words: 'came too late', tone: 'default' },
  failed: { words: '✕ failed', tone: 'worse' },
  dropped: { words: 'not sent', tone: 'default' },
};
