'use client';

import { Copy } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { CodeText } from '#components/ui/code-block.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { FoldBody } from '#components/ui/fold-section.tsx';
import { highlightLines } from '#components/ui/highlight-lines.ts';
import { LocalMoments, LocalTime } from '#components/ui/local-time.tsx';
import type { AgentMessage } from '#lib/core/agents/agent-records.ts';
import { formatCost, formatDuration, formatNumberOf } from '#lib/format.ts';
import type { CallRecord } from '#lib/runs/call-schema.ts';
import { maybeBilledLabel, optionLabel, tokenLabel } from './call-labels.ts';

/** Request and response of a call, verbatim. */
export function CallBody({ call }: { call: CallRecord }) {
  const copy = useCopy();
  const billed = maybeBilledLabel(call);
  return (
    <FoldBody className="flex flex-col gap-3">
      {call.instructions ? <CallPart name="Instructions" text={call.instructions} /> : null}
      <CallPart name="Prompt" text={call.prompt} />
      {call.conversation ? <CallConversation conversation={call.conversation} /> : null}
      <p className="text-ink-2 text-sm">Options: {optionLabel(call.options)}</p>
      {call.thought ? <CallPart name="Thought" text={call.thought} /> : null}
      {call.text === null ? null : <CallPart name={answerName(call)} text={call.text} />}
      {(call.toolCalls ?? []).map((use) => (
        <CallPart key={use.id} name={`Tool call: ${use.tool}`} text={use.arguments} />
      ))}
      {call.failure ? (
        <p className="wrap-anywhere text-worse">
          ✕ {call.failure.message} <LocalMoments text={call.failure.remedy} />
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
        <p className="text-ink-2 text-sm">
          <LocalTime moment={call.createdAt} /> · {sumLabel(call)}
        </p>
        <Button size="small" className="ml-auto" onClick={() => copy(JSON.stringify(call, null, 2), 'Call copied')}>
          <Copy />
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
    tokenLabel(call),
    call.costUsd === null ? 'no price known' : formatCost(call.costUsd, false),
    formatDuration(call.latencyMs),
    call.attempts === 0 ? 'not made' : formatNumberOf(call.attempts, 'try', 'tries'),
  ].join(' · ');
}

type CallConversationProps = { conversation: NonNullable<CallRecord['conversation']> };

/** Shows the agent messages that follow the prompt, and the tools offered to the agent. */
function CallConversation({ conversation: { messages, tools } }: CallConversationProps) {
  return (
    <>
      {tools.length === 0 ? null : (
        <details>
          <summary className="text-ink-2 text-sm">
            {formatNumberOf(tools.length, 'tool')}: {tools.map(({ name }) => name).join(', ')}
          </summary>
          <div className="mt-2 flex flex-col gap-3">
            {tools.map(({ name, description, parameters }) => (
              <CallPart key={name} name={name} text={`${description}\n\n${JSON.stringify(parameters, null, 2)}`} />
            ))}
          </div>
        </details>
      )}
      {messages.length === 0 ? null : (
        <section className="flex flex-col gap-3" aria-label={formatNumberOf(messages.length, 'message')}>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages keep their order
            <Message key={index} message={message} />
          ))}
        </section>
      )}
    </>
  );
}

function Message({ message }: { message: AgentMessage }) {
  switch (message.role) {
    case 'user':
      return <CallPart name="User message" text={message.text} />;
    case 'assistant':
      return (
        <>
          {message.text === '' ? null : <CallPart name="Agent message" text={message.text} />}
          {message.calls.map(({ id, tool, arguments: input }) => (
            <CallPart key={id} name={`Tool call: ${tool}`} text={input} />
          ))}
        </>
      );
    case 'tool':
      return message.results.map(({ id, tool, text, isError }) => (
        <CallPart key={id} name={isError ? `Error of ${tool}` : `Result of ${tool}`} text={text} />
      ));
  }
}

/** Shows one verbatim text of a call under its name. */
function CallPart({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1">{name}</h3>
      {text === '' ? <p className="text-ink-3 text-sm">Nothing.</p> : <CodeText lines={highlightLines(text)} />}
    </div>
  );
}
