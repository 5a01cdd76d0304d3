'use client';

import { useWaitingCount } from '#components/layout/use-waiting-count.ts';

/** The title of the inbox, with how many runs wait. */
export function InboxTitle({ waiting }: { waiting: number }) {
  const count = useWaitingCount(waiting);
  return <title>{count === 0 ? 'Inbox · Hone' : `(${count}) Inbox · Hone`}</title>;
}
