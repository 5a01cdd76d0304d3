'use client';

import { useRef, useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Fold } from '#components/ui/fold-section.tsx';
import { useWindowRows } from '#components/ui/use-window-rows.ts';
import type { CallSummary } from '#lib/runs/call-schema.ts';
import { callFacts, callRoleWord } from './call-labels.ts';
import { WholeCall } from './whole-call.tsx';

type CallListProps = { runId: string; calls: readonly CallSummary[] };

/** The calls of a run in order; each opens to what was sent and what came back, word for word. Only those in sight are drawn. */
export function CallList({ runId, calls }: CallListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
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
            <Call runId={runId} call={call} isOpen={open.has(call.id)} onToggle={(isOpen) => toggle(call.id, isOpen)} />
          </li>
        ) : null;
      })}
    </ul>
  );
}

type CallProps = { runId: string; call: CallSummary; isOpen: boolean; onToggle: (isOpen: boolean) => void };

function Call({ runId, call, isOpen, onToggle }: CallProps) {
  return (
    <Fold
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
      title={<h2>{callRoleWord(call.role)}</h2>}
      summary={callFacts(call).join('\u00a0· ')}
      mark={call.failureKind ? <Badge tone="worse">✕ {call.failureKind.replaceAll('_', ' ')}</Badge> : null}
    >
      {isOpen ? <WholeCall runId={runId} callId={call.id} /> : null}
    </Fold>
  );
}
