import type { Evaluation } from '#lib/core/history.ts';

type Texts = Pick<Evaluation, 'reasons' | 'feedback' | 'detail'>;

/** Returns the feedback of an evaluation whose criteria have none in addition to their reasons. */
export function composeFeedback({ reasons }: Pick<Texts, 'reasons'>): string {
  // Sorted, because the database does not keep the order.
  const inOrder = Object.entries(reasons).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([criterion, reason]) => `${criterion}: ${reason}`).join('\n');
}

/** Returns the detail of an evaluation whose criteria have none in addition to their reasons. */
export function composeDetail({ reasons, feedback }: Omit<Texts, 'detail'>): string {
  const [reason, ...others] = Object.values(reasons);
  return reason === undefined || others.length > 0 ? feedback : reason;
}
