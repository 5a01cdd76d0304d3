import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { decisionOnCall } from '#lib/core/agents/decision-on-call.ts';
import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/tool-calls.ts';
import type { CritiqueRecord, ObservationRecord, RunRecord, TurnRecord } from '#lib/core/run-record.ts';

type Decision = RunRecord['decisions'][number];

/** Tool call with its result, its approval, and the turns of the worker it delegated to. */
export type ToolUse = {
  call: ToolCall;
  observation: ObservationRecord | null;
  /** Decision of a reviewer, webhook or timeout, if approval was needed. */
  decision: Decision | null;
  /** An approval is pending: for this call (`itself`), or for a call of the worker it delegated to (`within`). */
  waits: 'itself' | 'within' | null;
  /** True if it has not started because an earlier call waits for approval. */
  comesLater: boolean;
  /** Null if it is not a delegation. */
  work: TurnEntry[] | null;
};

export type TurnEntry = { kind: 'turn'; turn: TurnRecord; uses: ToolUse[] };
/** Event on the way to a version, in order. */
export type StepEntry = TurnEntry | { kind: 'critique'; critique: CritiqueRecord };

export type AgentSteps = { version: number; entries: StepEntry[]; sums: StepTotals };
/**
 * Totals of an agent. `leftOut`: tool calls beyond the limit of a turn. `failed`: calls with a status other than `ok`. The cost is null if
 * a price is unknown.
 */
export type StepTotals = {
  turns: number;
  uses: number;
  leftOut: number;
  failed: number;
  tokens: number;
  costUsd: number | null;
};

type StepsRecord = Pick<
  RunRecord,
  'turns' | 'observations' | 'decisions' | 'versions' | 'openCritiques' | 'waitingFor'
>;

/** Returns the steps of an agent toward a version, which may be unfinished. Null if there was no agent. */
export function agentStepsOf(record: StepsRecord, version: number): AgentSteps | null {
  const turns = record.turns.filter((turn) => turn.version === version);
  if (turns.length === 0) return null;
  const observations = record.observations.filter((observation) => observation.version === version);
  const parts: Parts = {
    version,
    observations: new Map(observations.map((observation) => [observation.callId, observation])),
    workers: Map.groupBy(turns, ({ delegation }) => delegation),
    decisions: record.decisions.filter(({ toolCallId }) => toolCallId !== null),
    waiting: record.waitingFor?.version === version ? (record.waitingFor.toolCall?.id ?? null) : null,
  };
  const main = turns.filter(({ agent }) => agent === MAIN_AGENT).map((turn) => turnEntry(turn, parts));
  return {
    version,
    entries: withCritiques(main, critiquesOn(record, version)),
    sums: {
      turns: turns.length,
      uses: turns.reduce((sum, { calls }) => sum + calls.length, 0),
      leftOut: turns.reduce((sum, { callsLeftOut }) => sum + callsLeftOut, 0),
      failed: observations.filter(({ status }) => status !== 'ok').length,
      tokens: turns.reduce((sum, { tokenUsage }) => sum + tokenUsage.total, 0),
      costUsd: turns.reduce<number | null>(
        (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
        0,
      ),
    },
  };
}

/**
 * Returns the steps toward an unfinished version, with a title: in progress, or interrupted if the run has ended. Null if there are none.
 */
export function unfinishedSteps(
  record: StepsRecord & Pick<RunRecord, 'status'>,
): { way: AgentSteps; title: string; isLive: boolean } | null {
  const next = record.versions.length;
  const way = agentStepsOf(record, next);
  if (way === null) return null;
  const isLive = record.status === 'queued' || record.status === 'running' || record.status === 'waiting';
  return { way, title: isLive ? `Work on v${next}` : `Interrupted work on v${next}`, isLive };
}

type Parts = {
  version: number;
  observations: Map<string, ObservationRecord>;
  workers: Map<string | null, TurnRecord[]>;
  decisions: Decision[];
  waiting: string | null;
};

function turnEntry(turn: TurnRecord, parts: Parts): TurnEntry {
  return {
    kind: 'turn',
    turn,
    uses: turn.calls.map((call) => {
      const observation = parts.observations.get(call.id) ?? null;
      const work =
        call.tool === DELEGATE_TOOL
          ? (parts.workers.get(call.id) ?? []).map((worked) => turnEntry(worked, parts))
          : null;
      const isWithin = work?.some(({ uses }) => uses.some((use) => use.waits !== null)) ?? false;
      const waits = parts.waiting === call.id ? 'itself' : isWithin ? 'within' : null;
      return {
        call,
        observation,
        decision: decisionOnCall(parts.decisions, parts.version, call.id) ?? null,
        waits,
        comesLater: observation === null && waits === null && parts.waiting !== null,
        work,
      };
    }),
  };
}

/** Returns the critiques made while a version was produced. Critiques of the finished version are shown with its scores. */
function critiquesOn(record: StepsRecord, version: number): CritiqueRecord[] {
  const made = record.versions.find(({ number }) => number === version);
  const critiques = made?.critiques ?? record.openCritiques.filter((critique) => critique.version === version);
  return critiques.filter(({ trigger }) => trigger === 'step_interval' || trigger === 'tool_result');
}

function withCritiques(turns: TurnEntry[], critiques: CritiqueRecord[]): StepEntry[] {
  const entries: StepEntry[] = [];
  const left = [...critiques];
  for (const entry of turns) {
    while (left[0] !== undefined && left[0].createdAt < entry.turn.createdAt) take();
    entries.push(entry);
  }
  while (left.length > 0) take();
  return entries;

  function take() {
    const critique = left.shift();
    if (critique !== undefined) entries.push({ kind: 'critique', critique });
  }
}
