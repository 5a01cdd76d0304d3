'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { InboxRun } from '#lib/reflection/inbox-item.ts';
import { fetchInboxRun } from './fetch-inbox.ts';

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
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchInboxRun(runId, signal),
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
  if (data === null)
    return (
      <section className="pane border-b-0">
        <h1>This run is not there any more</h1>
        <p className="muted mt-0.5 mb-3">It was deleted, or its address is mistyped.</p>
        <Button onClick={onNext}>Next item</Button>
      </section>
    );
  if (isError)
    return (
      <section className="pane border-b-0">
        <h1>Inbox</h1>
        <Notice tone="worse" alert title="The run could not be read.">
          Nothing was changed. Check that Hone still runs.{' '}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      </section>
    );
  return (
    <section className="pane border-b-0" aria-busy="true">
      <h1 className="vh">Inbox</h1>
      <p className="muted late">Reading the run</p>
    </section>
  );
}
