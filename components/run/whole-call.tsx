'use client';

import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { FoldBody } from '#components/ui/fold-section.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatCost, formatDuration, formatMoment, formatNumberOf } from '#lib/format.ts';
import type { CallRecord } from '#lib/runs/call-schema.ts';
import { CallConversation } from './call-conversation.tsx';
import { maybeBilledLabel, optionLabel, tokenLabel } from './call-labels.ts';
import { CallPart } from './call-part.tsx';

/** One call as it was sent and received, read when it is opened. */
export function WholeCall({ runId, callId }: { runId: string; callId: number }) {
  const { data, refetch } = useQuery({
    queryKey: ['call', runId, callId],
    queryFn: ({ signal }) =>
      callApi('GET /api/v1/runs/{id}/calls/{call}', { params: { id: runId, call: callId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined)
    return (
      <FoldBody className="text-ink-2" role="status">
        Reading the call …
      </FoldBody>
    );
  if (!data.ok)
    return (
      <FoldBody className="flex items-center gap-2">
        <p className="text-worse" role="alert">
          ✕ {data.problem.message}
        </p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </FoldBody>
    );
  return <CallBody call={data.value} />;
}

function CallBody({ call }: { call: CallRecord }) {
  const toast = useToast();
  const billed = maybeBilledLabel(call);
  async function copy() {
    const isCopied = await navigator.clipboard.writeText(JSON.stringify(call, null, 2)).then(
      () => true,
      () => false,
    );
    toast(isCopied ? 'Copied the call' : 'The browser did not let it be copied', isCopied ? 'done' : 'problem');
  }
  return (
    <FoldBody className="flex flex-col gap-3">
      {call.instructions ? <CallPart name="Instructions" text={call.instructions} /> : null}
      <CallPart name="Prompt" text={call.prompt} />
      {call.conversation ? <CallConversation conversation={call.conversation} /> : null}
      <p className="text-ink-2 text-sm">Options: {optionLabel(call.options)}</p>
      {call.thought ? <CallPart name="Thought" text={call.thought} /> : null}
      {call.text === null ? null : <CallPart name={answerName(call)} text={call.text} />}
      {(call.toolCalls ?? []).map((use) => (
        <CallPart key={use.id} name={`Wants to use ${use.tool}`} text={use.arguments} />
      ))}
      {call.failure ? (
        <p className="wrap-anywhere text-worse">
          ✕ {call.failure.message} {call.failure.remedy}
          {call.failure.status === null ? '' : ` (status ${call.failure.status})`}
        </p>
      ) : null}
      {billed === null ? null : <p className="wrap-anywhere text-sm text-wait">▲ {billed}</p>}
      {call.warnings.map((warning) => (
        <p key={warning} className="wrap-anywhere text-ink-2 text-sm">
          Warning: {warning}
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <p className="text-ink-2 text-sm">{sumLabel(call)}</p>
        <Button size="small" className="ml-auto" onClick={() => void copy()}>
          <Copy className="size-3.25" aria-hidden />
          Copy as JSON
        </Button>
      </div>
    </FoldBody>
  );
}

function answerName({ finishReason, toolCalls }: CallRecord): string {
  const name = toolCalls === null || toolCalls.length === 0 ? 'Answer' : 'Thought';
  return finishReason && finishReason !== 'stop' && finishReason !== 'tool-calls'
    ? `${name}, ended by ${finishReason}`
    : name;
}

function sumLabel(call: CallRecord): string {
  return [
    formatMoment(call.createdAt),
    tokenLabel(call),
    call.costUsd === null ? 'no price known' : formatCost(call.costUsd, false),
    formatDuration(call.latencyMs),
    call.attempts === 0 ? 'not made' : formatNumberOf(call.attempts, 'try', 'tries'),
  ].join(' · ');
}
