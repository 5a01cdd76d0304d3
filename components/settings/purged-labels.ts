import { formatList, formatNumberOf } from '#lib/format.ts';
import type { Purged } from '#lib/settings/schema.ts';

/** Describes the data that is or was purged: `texts of 12 calls, 3 events`. Empty if there is none. Counts above `most` are incomplete. */
export function purgedLabel(purged: Purged, most = Number.POSITIVE_INFINITY): string {
  const counted = (count: number, one: string, many?: string) =>
    count > most ? `more than ${formatNumberOf(most, one, many)}` : formatNumberOf(count, one, many);
  const parts = [
    { count: purged.callTexts, words: `the texts of ${counted(purged.callTexts, 'call')}` },
    { count: purged.paidReplies, words: counted(purged.paidReplies, 'stored response', 'stored responses') },
    { count: purged.runEvents, words: counted(purged.runEvents, 'event') },
    { count: purged.webhookDeliveries, words: counted(purged.webhookDeliveries, 'delivery', 'deliveries') },
    { count: purged.toolResults, words: counted(purged.toolResults, 'tool result', 'tool results') },
  ];
  return formatList(parts.flatMap(({ count, words }) => (count > 0 ? [words] : [])));
}
