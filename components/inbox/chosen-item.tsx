'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findApi } from '#components/api/call-api.ts';
import { UnreadEntry } from '#components/ui/unread-entry.tsx';
import type { InboxRun } from '#lib/inbox/inbox-item.ts';

type ChosenItemProps = {
  runId: string;
  /** What the page came with. */
  initial: InboxRun | null;
  children: (run: InboxRun) => ReactNode;
  onNext: () => void;
};

/** How a chosen item is read; also ahead of time, so that the next is there at once. */
export function itemQuery(runId: string) {
  return {
    queryKey: ['inbox-run', runId],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      findApi('GET /api/v1/inbox/{id}', { params: { id: runId }, signal }),
    staleTime: 30_000,
    retry: 1,
  };
}

/** Reads the chosen run; until it is there nothing can be decided on. */
export function ChosenItem({ runId, initial, children, onNext }: ChosenItemProps) {
  const { data, isError, refetch } = useQuery({
    ...itemQuery(runId),
    ...(initial?.run.id === runId ? { initialData: initial } : {}),
  });
  if (data) return children(data);
  return (
    <UnreadEntry
      page="Inbox"
      what="run"
      next="Next item"
      isGone={data === null}
      isError={isError}
      onNext={onNext}
      onRetry={() => void refetch()}
    />
  );
}
