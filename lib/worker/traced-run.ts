import type { ToolCall, ToolOutcome } from '#lib/core/agents/agent-records.ts';
import type { History } from '#lib/core/history.ts';
import type { Ending, Step } from '#lib/core/step.ts';
import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import { MAX_PART_LENGTH, type SpanAttributes, traced, valueAttributes } from '#lib/providers/tracing/spans.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';

/** Notes the latest history of a run, and its ending once it has one. */
export type NoteProgress = (history: History, ending: Ending | null) => void;

/**
 * Performs a run in a span that lasts until it ends or waits. Calls and tools in the span carry the run's ID. The output is the final
 * version, or the last one so far. Input and output are named by OpenInference and by OpenTelemetry, because receivers read either.
 */
export function tracedRun<Value>(
  { run, experimentName, history }: StoredRun,
  work: (note: NoteProgress) => Promise<Value>,
): Promise<Value> {
  let latest = { history, ending: null as Ending | null };
  return traced(
    (capturesContent) => ({
      name: 'run',
      kind: 'internal',
      attributes: {
        'openinference.span.kind': 'CHAIN',
        'hone.run.number': run.number,
        'hone.experiment.id': run.experimentId,
        'hone.experiment.name': experimentName,
        ...(capturesContent && contentAttributes('input', 'user', run.input)),
      },
      inherited: { 'gen_ai.conversation.id': run.id, 'hone.run.id': run.id },
    }),
    () =>
      work((now, ending) => {
        latest = { history: now, ending };
      }),
    (_, capturesContent) => {
      const { ending } = latest;
      const { versions } = latest.history;
      const version = ending === null ? versions.at(-1) : versions.find(({ number }) => number === ending.finalVersion);
      return {
        attributes: {
          'hone.run.stop_reason': ending?.reason,
          'hone.run.success': ending?.success,
          ...(capturesContent && version !== undefined && contentAttributes('output', 'assistant', version.output)),
        },
      };
    },
  );
}

function contentAttributes(side: 'input' | 'output', role: string, text: string): SpanAttributes {
  if (text === '') return {};
  const content = shownText(text);
  return {
    ...valueAttributes(side, content, 'text/plain'),
    [`gen_ai.${side}.messages`]: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]),
  };
}

function shownText(text: string): string {
  return redactSecrets(text, null).slice(0, MAX_PART_LENGTH);
}

/** Performs a step of a run in a span. */
export function tracedStep<Value>(number: number, { type }: Step, work: () => Promise<Value>): Promise<Value> {
  return traced(
    () => ({
      name: `step ${type}`,
      kind: 'internal',
      attributes: { 'openinference.span.kind': 'CHAIN', 'hone.step.type': type },
      inherited: { 'hone.step': number },
    }),
    work,
    () => ({}),
  );
}

type Use = (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome | null>;

/** Uses a tool in a span. Source: OpenTelemetry semantic conventions, execute tool span. */
export function tracedUse(use: Use): Use {
  return (call, signal) => {
    const shownArguments = () => shownText(call.arguments);
    return traced(
      (capturesContent) => ({
        name: `execute_tool ${call.tool.slice(0, 64)}`,
        kind: 'internal',
        attributes: {
          'openinference.span.kind': 'TOOL',
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': call.tool.slice(0, 64),
          'gen_ai.tool.call.id': call.id,
          ...(capturesContent && {
            'gen_ai.tool.call.arguments': shownArguments(),
            ...valueAttributes('input', shownArguments(), 'application/json'),
          }),
        },
      }),
      () => use(call, signal),
      (outcome, capturesContent) => {
        const text = capturesContent && outcome !== null ? shownText(outcome.text) : undefined;
        return {
          attributes: {
            'gen_ai.tool.call.result': text,
            ...(text !== undefined && valueAttributes('output', text, 'text/plain')),
          },
          error:
            outcome === null
              ? { type: 'aborted', message: '' }
              : outcome.status === 'ok'
                ? null
                : { type: outcome.status, message: '' },
        };
      },
    );
  };
}
