'use client';

import { RotateCw } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatDuration, formatNumberOf, formatRunNumber } from '#lib/format.ts';
import type { DeliveryState, WebhookDelivery } from '#lib/webhooks/schema.ts';
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
    return <p className="text-ink-2 text-sm">It was not asked to decide yet. What it is sent will stand here.</p>;

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
      <ul className="flex flex-col gap-3">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-col gap-1.5" data-testid={`delivery-${delivery.state}`}>
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone={STATES[delivery.state].tone}>{STATES[delivery.state].words}</Badge>
              <Link className="link" href={`/runs/${delivery.runId}`}>
                Run {formatRunNumber(delivery.runNumber)}
              </Link>
              <span className="text-ink-2 text-sm">
                <TimeAgo moment={delivery.createdAt} now={now} /> · {formatNumberOf(delivery.tries, 'try', 'tries')}
                {delivery.durationMs === null ? '' : ` · ${formatDuration(delivery.durationMs)}`}
              </span>
              {MAY_BE_RESENT.includes(delivery.state) ? (
                <span className="ml-auto">
                  <Button size="small" onClick={() => sendAgain(delivery.id)} disabled={isBusy}>
                    <RotateCw className="size-3.25" aria-hidden />
                    Resend
                  </Button>
                </span>
              ) : null}
            </div>
            {delivery.outcome === null ? null : <p className="wrap-anywhere text-sm">{delivery.outcome}</p>}
            {delivery.error === null ? null : <p className="wrap-anywhere text-ink-2 text-sm">{delivery.error}</p>}
            <details>
              <summary className="cursor-pointer text-ink-2 text-sm">Request and answer</summary>
              <p className="mt-1 text-ink-3 text-sm">hone-delivery: {delivery.id}</p>
              <CodeBlock className="mt-1">{delivery.request}</CodeBlock>
              <p className="mt-1 text-ink-3 text-sm">
                {delivery.responseStatus === null ? 'No answer came.' : `Status ${delivery.responseStatus}`}
              </p>
              {delivery.response ? <CodeBlock className="mt-1">{delivery.response}</CodeBlock> : null}
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
