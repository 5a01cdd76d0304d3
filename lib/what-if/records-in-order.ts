import { appendResult } from '#lib/core/append-result.ts';
import type { Critique, Decision, Evaluation, History, Version } from '#lib/core/history.ts';
import type { StepResult } from '#lib/core/step.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';

/** One record of a history: what the machine did, or what people (or their code) did to the run from outside. */
export type HistoryRecord = { by: 'machine'; result: StepResult } | { by: 'people'; act: PeoplesAct };
/** A version is theirs where they wrote it; a critique where it was asked for by hand: it may come at any time, also after the end. */
export type PeoplesAct =
  | { version: Version }
  | { evaluation: Evaluation }
  | { decision: Decision }
  | { critique: Critique };

/**
 * The records of a history in the order in which they came: by step, people's acts before what the machine saved under the same
 * step. The policy's own stops are left out: they are conclusions and are drawn again.
 */
export function recordsInOrder(history: History): HistoryRecord[] {
  const records: Placed[] = [
    ...history.versions.map((version) =>
      version.origin === 'edited' || version.origin === 'merged'
        ? people(version.step, version.createdAt, { version })
        : machine(version.step, { type: 'version', version }),
    ),
    ...history.evaluations.map((evaluation) =>
      evaluation.by === 'machine'
        ? machine(evaluation.step, { type: 'evaluation', evaluation })
        : people(evaluation.step, evaluation.createdAt, { evaluation }),
    ),
    ...history.critiques.map((critique) =>
      critique.trigger === 'manual'
        ? people(critique.step, critique.createdAt, { critique })
        : machine(critique.step, { type: 'critique', critique }),
    ),
    ...history.lessons.map((lesson) => machine(lesson.step, { type: 'lesson', lesson })),
    ...byStep(history.turns).map(([step, turns]) =>
      machine(step, { type: 'turns', turns, recalled: 0, tookMs: longest(turns), lost: NO_SPEND }),
    ),
    ...byStep(history.observations).map(([step, observations]) =>
      machine(step, { type: 'observations', observations, tookMs: longest(observations) }),
    ),
    ...history.decisions.flatMap((decision) => {
      if (decision.by !== 'policy') return people(decision.step, decision.at, { decision });
      return decision.decision === 'stop' ? [] : machine(decision.step, { type: 'decision', decision });
    }),
  ];
  // Stable: an override's evaluation and an edit's version stand before their decision, which has the same moment.
  return records
    .sort((one, other) => one.step - other.step || one.turn - other.turn || one.at.localeCompare(other.at))
    .map(({ record }) => record);
}

/** The history after one more record. */
export function withRecord(history: History, record: HistoryRecord): History {
  if (record.by === 'machine') return appendResult(history, record.result);
  const { act } = record;
  if ('version' in act) return appendResult(history, { type: 'version', version: act.version });
  // Made beside the loop: its time does not count as the run's work.
  if ('critique' in act) return { ...history, critiques: [...history.critiques, act.critique] };
  return 'evaluation' in act
    ? { ...history, evaluations: [...history.evaluations, act.evaluation] }
    : { ...history, decisions: [...history.decisions, act.decision] };
}

function byStep<One extends { step: number }>(records: readonly One[]): [number, One[]][] {
  return [...Map.groupBy(records, ({ step }) => step)];
}

/** What was made at the same time took about as long as the longest of it. */
function longest(records: readonly { durationMs: number }[]): number {
  return Math.max(0, ...records.map(({ durationMs }) => durationMs));
}

type Placed = { step: number; turn: 0 | 1; at: string; record: HistoryRecord };

function machine(step: number, result: StepResult): Placed {
  return { step, turn: 1, at: '', record: { by: 'machine', result } };
}

function people(step: number, at: string, act: PeoplesAct): Placed {
  return { step, turn: 0, at, record: { by: 'people', act } };
}
