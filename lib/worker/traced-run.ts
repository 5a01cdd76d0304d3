import type { ToolCall, ToolOutcome } from '#lib/core/agents/agent-records.ts';
import type { Step } from '#lib/core/step.ts';
import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import { traced } from '#lib/providers/tracing/spans.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';

/** Performs a run in a span that lasts until it ends or waits. Calls and tools in the span carry the run's ID. */
export function tracedRun<Value>({ run, experimentName }: StoredRun, work: () => Promise<Value>): Promise<Value> {
  return traced(
    () => ({
      name: 'run',
      kind: 'internal',
      attributes: {
        'hone.run.number': run.number,
        'hone.experiment.id': run.experimentId,
        'hone.experiment.name': experimentName,
      },
      inherited: { 'gen_ai.conversation.id': run.id, 'hone.run.id': run.id },
    }),
    work,
    () => ({}),
  );
}

/** Performs a step of a run in a span. */
export function tracedStep<Value>(number: number, { type }: Step, work: () => Promise<Value>): Promise<Value> {
  return traced(
    () => ({
      name: `step ${type}`,
      kind: 'internal',
      attributes: { 'hone.step.type': type },
      inherited: { 'hone.step': number },
    }),
    work,
    () => ({}),
  );
}

type Use = (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome | null>;

/** Uses a tool in a span. Source: OpenTelemetry semantic conventions, execute tool span. */
export function tracedUse(use: Use): Use {
  return (call, signal) =>
    traced(
      (capturesContent) => ({
        name: `execute_tool ${call.tool.slice(0, 64)}`,
        kind: 'internal',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': call.tool.slice(0, 64),
          'gen_ai.tool.call.id': call.id,
          'gen_ai.tool.call.arguments': capturesContent ? redactSecrets(call.arguments, null) : undefined,
        },
      }),
      () => use(call, signal),
      (outcome, capturesContent) => ({
        attributes: {
          'gen_ai.tool.call.result':
            capturesContent && outcome !== null ? redactSecrets(outcome.text, null) : undefined,
        },
        error:
          outcome === null
            ? { type: 'aborted', message: '' }
            : outcome.status === 'ok'
              ? null
              : { type: outcome.status, message: '' },
      }),
    );
}
