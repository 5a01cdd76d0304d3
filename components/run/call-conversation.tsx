import type { AgentMessage } from '#lib/core/agents/agent-records.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { CallRecord } from '#lib/runs/call-schema.ts';
import { CallPart } from './call-part.tsx';

type CallConversationProps = { conversation: NonNullable<CallRecord['conversation']> };

/** What was said to an agent after the prompt, message by message, and the tools it was told of. */
export function CallConversation({ conversation: { messages, tools } }: CallConversationProps) {
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
          {messages.map((message, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages stand in a fixed order
            <Message key={place} message={message} />
          ))}
        </section>
      )}
    </>
  );
}

function Message({ message }: { message: AgentMessage }) {
  switch (message.role) {
    case 'user':
      return <CallPart name="Told" text={message.text} />;
    case 'assistant':
      return (
        <>
          {message.text === '' ? null : <CallPart name="The agent said" text={message.text} />}
          {message.calls.map(({ id, tool, arguments: given }) => (
            <CallPart key={id} name={`The agent used ${tool}`} text={given} />
          ))}
        </>
      );
    case 'tool':
      return message.results.map(({ id, tool, text, isError }) => (
        <CallPart key={id} name={isError ? `${tool} failed` : `${tool} answered`} text={text} />
      ));
  }
}
