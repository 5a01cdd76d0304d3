'use client';

import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useRef, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { useLoadedCode } from '#components/ui/use-loaded-code.ts';
import { useWindowRows } from '#components/ui/window-rows.tsx';
import type { CallRecord, CallSummary } from '#lib/runs/call-schema.ts';
import { callFacts, callRoleLabel } from './call-labels.ts';

/** Loaded when the first call is expanded, because highlighting takes much code. */
const loadCallBody = () => import('./call-body.tsx').then((file) => file.CallBody);

type LoadedBody = { code: ComponentType<{ call: CallRecord }> | null; isFailed: boolean; retry: () => void };

type CallListProps = { runId: string; calls: readonly CallSummary[] };

/** Virtualized list of the calls of a run, in order. Each expands to its verbatim request and response. */
export function CallList({ runId, calls }: CallListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const body = useLoadedCode(open.size > 0, loadCallBody);
  const { virtual, top } = useWindowRows(list, {
    count: calls.length,
    estimateSize: () => 45,
    getItemKey: (index) => calls[index]?.id ?? index,
    overscan: 8,
  });
  function toggle(id: number, isOpen: boolean) {
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(id);
      else after.delete(id);
      return after;
    });
  }
  return (
    <ul ref={list} className="relative" style={{ height: virtual.getTotalSize() }} aria-label={`${calls.length} calls`}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const call = calls[index];
        return call ? (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={calls.length}
            aria-posinset={index + 1}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <Call
              runId={runId}
              call={call}
              body={body}
              isOpen={open.has(call.id)}
              onToggle={(isOpen) => toggle(call.id, isOpen)}
            />
          </li>
        ) : null;
      })}
    </ul>
  );
}

type CallProps = {
  runId: string;
  call: CallSummary;
  body: LoadedBody;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
};

function Call({ runId, call, body, isOpen, onToggle }: CallProps) {
  return (
    <Fold
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
      title={<h2>{callRoleLabel(call.role)}</h2>}
      summary={callFacts(call).join('\u00a0· ')}
      mark={call.failureKind ? <Badge tone="worse">✕ {call.failureKind.replaceAll('_', ' ')}</Badge> : null}
    >
      {isOpen ? <WholeCall runId={runId} callId={call.id} body={body} /> : null}
    </Fold>
  );
}

/** Shows one call as sent and received. It is loaded when expanded. */
function WholeCall({ runId, callId, body }: { runId: string; callId: number; body: LoadedBody }) {
  const { data, refetch } = useQuery({
    queryKey: ['call', runId, callId],
    queryFn: ({ signal }) =>
      callApi('GET /api/v1/runs/{id}/calls/{call}', { params: { id: runId, call: callId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { code: CallBody, isFailed, retry } = body;
  if (data?.ok === false)
    return (
      <CallError
        message={data.problem.message}
        onRetry={() => {
          void refetch();
          // Without a connection, both are missing.
          if (isFailed) retry();
        }}
      />
    );
  if (CallBody === null && isFailed)
    return <CallError message="This part could not be loaded. Check the connection, then try again." onRetry={retry} />;
  if (data === undefined || CallBody === null)
    return (
      <FoldBody className="text-ink-2" role="status">
        Loading the call…
      </FoldBody>
    );
  return <CallBody call={data.value} />;
}

function CallError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <FoldBody className="flex items-center gap-2">
      <InlineError>{message}</InlineError>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </FoldBody>
  );
}
