import { DELEGATE_TOOL, MAIN_AGENT } from '#lib/core/agents/agent-names.ts';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import { decisionOnCall } from '#lib/core/agents/call-summary.ts';
import type { CritiqueRecord, ObservationRecord, RunRecord, TurnRecord } from '#lib/core/run-record.ts';

type Decision = RunRecord['decisions'][number];

/** The use of a tool: what came of it, who was asked about it, and the turns of the worker that it gave a task to. */
export type ToolUse = {
  call: ToolCall;
  observation: ObservationRecord | null;
  /** What a person, a webhook or a time-out said where the agent had to ask. */
  said: Decision | null;
  /** Somebody is asked just now: about it, or about something on the way of the worker that it gave a task to. */
  waits: 'itself' | 'within' | null;
  /** It has not begun, since somebody is asked about another one before it. */
  comesLater: boolean;
  /** Null where it is no task for a worker. */
  work: TurnEntry[] | null;
};

export type TurnEntry = { kind: 'turn'; turn: TurnRecord; uses: ToolUse[] };
/** What happened on the way to a version, in its order. */
export type WayEntry = TurnEntry | { kind: 'critique'; critique: CritiqueRecord };

export type AgentSteps = { version: number; entries: WayEntry[]; sums: WaySums };
/** `leftOut`: uses of tools beyond the limit of a turn; `failed`: those that came to nothing. The money is null where a price is not known. */
export type WaySums = {
  turns: number;
  uses: number;
  leftOut: number;
  failed: number;
  tokens: number;
  costUsd: number | null;
};

type Told = Pick<RunRecord, 'turns' | 'observations' | 'decisions' | 'versions' | 'openCritiques' | 'waitingFor'>;

/** What an agent did on its way to a version, also to one that is still to come; null where there was no agent. */
export function agentStepsOf(record: Told, version: number): AgentSteps | null {
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

/** The way to a version that is not there yet, with what to call it: under way, or broken off where the run has ended. Null where there is none. */
export function wayUnderWay(
  record: Told & Pick<RunRecord, 'status'>,
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
        said: decisionOnCall(parts.decisions, parts.version, call.id) ?? null,
        waits,
        comesLater: observation === null && waits === null && parts.waiting !== null,
        work,
      };
    }),
  };
}

/** Critiques of a version that came on the way to it: those of the finished one are told with its scores. */
function critiquesOn(record: Told, version: number): CritiqueRecord[] {
  const made = record.versions.find(({ number }) => number === version);
  const critiques = made?.critiques ?? record.openCritiques.filter((critique) => critique.version === version);
  return critiques.filter(({ trigger }) => trigger === 'step_interval' || trigger === 'tool_result');
}

function withCritiques(turns: TurnEntry[], critiques: CritiqueRecord[]): WayEntry[] {
  const entries: WayEntry[] = [];
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
