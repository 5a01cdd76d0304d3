import type { ObservationRecord, RunRecord, TurnRecord } from '#lib/core/run-record.ts';

const spend = { tokenUsage: { input: 90, output: 10, total: 100 }, costUsd: 0.001, durationMs: 900 };

/** Returns the time the given number of seconds into a run, for tests. */
export function momentAt(second: number): string {
  return new Date(Date.parse('2026-11-21T12:00:00.000Z') + second * 1000).toISOString();
}

/** Returns a turn of the main agent for tests, for v0 by default. */
export function turnFixture(number: number, changes: Partial<TurnRecord> = {}): TurnRecord {
  return {
    ...spend,
    ...{ version: 0, number, agent: 'main', delegation: null, thought: `Thought ${number}.`, calls: [] },
    ...{ callsLeftOut: 0, answer: null, finishReason: 'stop', createdAt: momentAt(number * 10), ...changes },
  };
}

/** Returns a tool result for tests. */
export function observationFixture(callId: string, changes: Partial<ObservationRecord> = {}): ObservationRecord {
  return {
    ...{
      version: 0,
      callId,
      tool: 'calculator',
      status: 'ok',
      text: '4',
      length: 1,
      durationMs: 12,
      createdAt: momentAt(5),
    },
    ...changes,
  };
}

/** Returns a decision on a tool call for tests. */
export function allowanceFixture(
  toolCallId: string,
  changes: Partial<RunRecord['decisions'][number]> = {},
): RunRecord['decisions'][number] {
  return {
    ...{ hook: 'onToolCall', version: 0, iteration: 0, decision: 'allow', by: 'person', actor: 'Ada', reason: null },
    ...{ score: null, criterion: null, guidance: null, toolCallId, toolArguments: null, pauseId: 'pause' },
    ...{ seen: { versions: 0, evaluations: 0, score: null, wouldStopAs: null }, at: momentAt(4), ...changes },
  };
}
