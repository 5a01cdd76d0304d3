import { formatList, formatNumberOf } from '#lib/format.ts';
import type { Purged } from '#lib/reflection/retention.ts';

/** What goes or went, in words: `texts of 12 calls, 3 events`; empty where nothing does. */
export function purgedWords(purged: Purged): string {
  const parts = [
    { count: purged.callTexts, words: `the texts of ${formatNumberOf(purged.callTexts, 'call')}` },
    { count: purged.paidReplies, words: formatNumberOf(purged.paidReplies, 'kept reply', 'kept replies') },
    { count: purged.runEvents, words: formatNumberOf(purged.runEvents, 'event') },
    { count: purged.webhookDeliveries, words: formatNumberOf(purged.webhookDeliveries, 'delivery', 'deliveries') },
    { count: purged.toolResults, words: formatNumberOf(purged.toolResults, 'result of tools', 'results of tools') },
  ];
  return formatList(parts.flatMap(({ count, words }) => (count > 0 ? [words] : [])));
}
