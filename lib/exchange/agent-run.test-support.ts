import type { AgentTurn, History, Observation } from '#lib/core/history.ts';
import { decided, decisionOf, historyOf, settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendsOf, sumSpend } from '#lib/core/spend.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { linesOfRun } from './export-runs.ts';
import type { PastRun } from './history-of-lines.ts';

const AT = '2026-01-05T12:00:00.000Z';

/**
 * Creates a supervisor run for tests. Its first attempt has a worker, a tool call whose arguments a person changed, and a score. Its second
 * attempt was interrupted.
 */
export function agentRun() {
  const settings = settingsOf({
    mode: 'retry',
    generator: {
      ...{ provider: 'practice', model: 'practice-1' },
      base: { type: 'supervisor', workers: [{ name: 'reader' }], tools: ['calculator'], approve: ['calculator'] },
    },
  });
  const scored = historyOf(settings, [0.4]);
  const history: History = {
    ...decided(
      scored,
      decisionOf('allow', {
        ...{ hook: 'onToolCall', version: 0, toolCallId: '0.0', toolArguments: '{"expression":"2+3"}' },
        ...{ seen: { versions: 0, evaluations: 0, score: null, wouldStopAs: null }, by: 'person', actor: 'Ada' },
      }),
    ),
    turns: [
      turn(0, {
        calls: [
          { id: '0.0', tool: 'calculator', arguments: '{"expression":"2+2"}' },
          { id: '0.1', tool: 'delegate', arguments: '{"worker":"reader","task":"Read"}' },
        ],
        callsLeftOut: 3,
      }),
      turn(0, { agent: 'reader', delegation: '0.1', answer: 'Read.', step: 1 }),
      turn(1, { answer: 'Five.', step: 2 }),
      turn(0, { version: 1, thought: 'Again.', step: 9 }),
    ],
    observations: [observation('0.0', 'calculator', '5'), observation('0.1', 'delegate', 'Read.')],
    step: 10,
  };
  return { history, settings };
}

/** Returns the export of `agentRun`. */
export function agentLines(): string {
  const { history, settings } = agentRun();
  return `${exportedLines(storedRun(rowOf(history), settings)).join('\n')}\n`;
}

const ID = '00000000-0000-4000-8000-000000000000';
const NAMES = { run: 'run 0001', caseId: 'a' };

export type Row = Pick<PastRun, 'history' | 'status' | 'ending' | 'spend' | 'createdAt' | 'startedAt'>;

/** Returns a run as loaded from the database. */
export function storedRun(
  { history, status, ending, spend, createdAt, startedAt }: Row,
  settings: ExperimentSettings,
): StoredRun {
  return {
    experimentName: 'Capitals',
    settings,
    experimentSettings: settings,
    history,
    run: {
      ...{ id: ID, number: 1, experimentId: ID, experimentVersion: 1, batchId: ID, position: 0, input: 'Where?' },
      ...{ reference: 'Rome', tags: ['city'], metadata: { level: 2 }, status, convergenceReason: ending.reason },
      ...{
        alsoHeld: ending.alsoHeld,
        success: ending.success,
        failure: history.failure,
        pause: null,
        redraw: null,
        claim: 3,
      },
      ...{ idleClaims: 0, step: history.step, eventNumber: 9, decisionCount: 0, createdAt },
      ...{ startedAt, finishedAt: ending.endedAt, activeMs: history.activeMs },
      ...{
        finalVersion: ending.finalVersion,
        tokenUsage: spend.tokenUsage,
        costUsd: spend.costUsd,
        callCount: spend.calls,
      },
      ...{ unpriced: spend.unpriced, branchedFromRunId: null, branchedFromVersion: null },
    },
  };
}

/** Returns the export lines of a run. */
export function exportedLines(run: StoredRun): string[] {
  const experiment = { name: run.experimentName, version: 1, settings: run.settings };
  return linesOfRun(run, NAMES, { asideTokens: 0, asideCostUsd: 0 }, experiment).map((line) => JSON.stringify(line));
}

/** Returns the row of an interrupted run with this history. */
export function rowOf(history: History): Row {
  const spend = sumSpend(spendsOf(history));
  return {
    ...{ history, status: 'failed', createdAt: AT, startedAt: AT },
    ending: { reason: 'model_failed', alsoHeld: [], success: false, finalVersion: 0, endedAt: AT },
    spend: { tokenUsage: spend.tokenUsage, costUsd: spend.costUsd ?? 0, unpriced: false, calls: history.calls },
  };
}

function turn(number: number, changes: Partial<AgentTurn>): AgentTurn {
  return {
    ...NO_SPEND,
    ...{ version: 0, number, agent: 'main', delegation: null, thought: 'Well.', calls: [] },
    ...{
      callsLeftOut: 0,
      answer: null,
      finishReason: 'stop',
      createdAt: AT,
      step: 0,
      tokenUsage: { input: 5, output: 2, total: 7 },
      ...changes,
    },
  };
}

function observation(callId: string, tool: string, text: string): Observation {
  return { version: 0, callId, tool, status: 'ok', text, durationMs: 3, createdAt: AT, step: 1 };
}
