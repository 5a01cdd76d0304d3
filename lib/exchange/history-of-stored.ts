import { type Decision, EMPTY_HISTORY, type History, NO_SPEND } from '#lib/core/history.ts';
import type { HistoryContext, PastRun } from './history-of-lines.ts';
import type { ImportLine } from './import-line.ts';
import { importedActor } from './imported-actor.ts';
import type { StoredAttempt, StoredRunFacts } from './stored-attempt.ts';

type Attempt = { version: number; output: string; stored: StoredAttempt };

/**
 * The run that Hone exported as these lines, `run` being what stands on the first of them. Ids are new, people are called imported, and
 * of lessons that were recalled only the run's own
 * are kept: others stand in another library.
 */
export function historyOfStored(
  lines: readonly ImportLine[],
  run: StoredRunFacts,
  { newId }: HistoryContext,
): Omit<PastRun, 'run' | 'caseId' | 'case'> {
  const attempts = lines.flatMap(({ attempt, output, stored }): Attempt[] =>
    stored === undefined ? [] : [{ version: attempt - 1, output, stored }],
  );
  const lessons = inPlace(
    attempts.flatMap(({ version, stored }) => stored.lessons.map((one) => ({ ...one, version, id: newId() }))),
  );
  const history: History = {
    ...EMPTY_HISTORY,
    inputLength: lines[0]?.case.input.length ?? 0,
    versions: attempts.map(({ version, output, stored }) => ({
      ...madeOf(stored),
      ...{ number: version, output, proposal: null },
      recalledLessons: stored.recalledLessons.flatMap(({ own, rank, score }) => {
        const lesson = own === null ? undefined : lessons[own];
        return lesson === undefined ? [] : [{ lessonId: lesson.id, rank, score }];
      }),
    })),
    evaluations: inPlace(
      attempts.flatMap(({ version, stored }) => stored.evaluations.map((one) => ({ ...one, version }))),
    ).map((evaluation) => ({ ...evaluation, actor: importedActor(evaluation.actor) })),
    critiques: inPlace([
      ...attempts.flatMap(({ version, stored }) => stored.critiques.map((one) => ({ ...one, version }))),
      ...run.critiques,
    ]),
    lessons,
    turns: [
      ...attempts.flatMap(({ version, stored }) => stored.turns.map((turn) => ({ ...turn, version }))),
      ...run.turns.map((turn) => ({ ...turn, version: attempts.length })),
    ],
    observations: [
      ...attempts.flatMap(({ version, stored }) => stored.observations.map((one) => ({ ...one, version }))),
      ...run.observations.map((one) => ({ ...one, version: attempts.length })),
    ],
    decisions: decisionsOf(run, newId),
    failure: run.failure === null ? null : { ...NO_SPEND, ...run.failure },
    calls: run.calls,
    step: run.step,
    activeMs: run.activeMs,
  };
  const { experimentVersion, status, alsoHeld, success, finalVersion, tokenUsage, costUsd, unpriced, calls } = run;
  return {
    ...{ experimentVersion, history, status, createdAt: run.createdAt, startedAt: run.startedAt },
    ending: { reason: run.convergenceReason, alsoHeld, success, finalVersion, endedAt: run.finishedAt },
    spend: { tokenUsage, costUsd, unpriced, calls },
  };
}

/** What an attempt is beside its judgements. */
function madeOf({
  evaluations: _e,
  critiques: _c,
  lessons: _l,
  recalledLessons: _r,
  turns: _t,
  observations: _o,
  run: _run,
  ...made
}: StoredAttempt) {
  return made;
}

/** In the order the run had them, without the number that tells it. */
function inPlace<Item extends { place: number }>(items: Item[]): Omit<Item, 'place'>[] {
  return items.sort((one, other) => one.place - other.place).map(({ place: _place, ...item }) => item);
}

function decisionsOf({ decisions }: StoredRunFacts, newId: () => string): Decision[] {
  const pauses = new Map<number, string>();
  return decisions.map(({ pause, ...decision }) => {
    if (pause !== null && !pauses.has(pause)) pauses.set(pause, newId());
    const pauseId = pause === null ? null : (pauses.get(pause) ?? null);
    return { ...decision, actor: importedActor(decision.actor), pauseId };
  });
}
