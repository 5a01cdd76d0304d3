import type { RunLimits } from '#lib/core/budget-settings.ts';
import type { Case } from '#lib/core/case.ts';
import {
  type Decision,
  EMPTY_HISTORY,
  type Evaluation,
  type History,
  type Version,
  type WrittenLesson,
} from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import type { SavedEnding } from '#lib/runs/save.ts';
import type { ImportLine, StoredAttempt, StoredRunFacts } from './import-line.ts';

const MARK = ' (imported)';

/** Marks a person or webhook of another installation, so that it is not confused with one of this installation. */
function importedActor(actor: string | null): string | null {
  return actor === null || actor.endsWith(MARK) ? actor : `${actor}${MARK}`;
}

/** Returns the actor's name without the import mark. */
export function originalActor(actor: string | null): string | null {
  return actor?.endsWith(MARK) ? actor.slice(0, -MARK.length) : actor;
}

type Attempt = { version: number; output: string; stored: StoredAttempt };

/**
 * Restores a run from lines that Hone exported. `run` comes from the first line. Ids are new, and actors are marked as imported. Recalled
 * lessons are kept only if the run wrote them, because others belong to another library.
 */
function historyOfStored(
  lines: readonly ImportLine[],
  run: StoredRunFacts,
  { newId }: HistoryContext,
): Omit<PastRun, 'run' | 'caseId' | 'case'> {
  const attempts = lines.flatMap(({ attempt, output, stored }): Attempt[] =>
    stored === undefined ? [] : [{ version: attempt - 1, output, stored }],
  );
  const lessons = inRunOrder(
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
    evaluations: inRunOrder(
      attempts.flatMap(({ version, stored }) => stored.evaluations.map((one) => ({ ...one, version }))),
    ).map((evaluation) => ({ ...evaluation, actor: importedActor(evaluation.actor) })),
    critiques: inRunOrder([
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
  const { ownBudget, asideTokens, asideCostUsd } = run;
  return {
    ...{ experimentVersion, history, status, branchedVersion: run.branchedVersion },
    ...{ ownBudget, aside: { asideTokens, asideCostUsd } },
    ...{ createdAt: run.createdAt, startedAt: run.startedAt },
    ending: { reason: run.convergenceReason, alsoHeld, success, finalVersion, endedAt: run.finishedAt },
    spend: { tokenUsage, costUsd, unpriced, calls },
  };
}

/** Returns the fields of an attempt without its evaluations and other related records. */
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

/** Sorts items by their order in the run, and removes the position. */
function inRunOrder<Item extends { place: number }>(items: Item[]): Omit<Item, 'place'>[] {
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

/** Spend of a run outside the loop: re-scores and retrospectives. */
export type AsideSpend = { asideTokens: number; asideCostUsd: number };

/** A past run ready to be stored: ended, with the values that its row repeats from its history. */
export type PastRun = {
  /** Names of the run and its case in the source system. */
  run: string;
  caseId: string;
  case: Case;
  experimentVersion: number;
  /** The version of another run that it started from. Null if it is not a branch. */
  branchedVersion: number | null;
  history: History;
  status: RunStatus;
  ending: SavedEnding;
  spend: Pick<Spend, 'tokenUsage'> & { costUsd: number; unpriced: boolean; calls: number };
  /** Spend outside the loop. */
  aside: AsideSpend;
  /** Budgets that were set when the run was resumed. */
  ownBudget: RunLimits | null;
  createdAt: string;
  startedAt: string | null;
};

type HistoryContext = { settings: ExperimentSettings; newId: () => string; now: string };

/**
 * Builds a run from the lines of one history, in attempt order. Attempts of other systems become independent attempts. The last one that
 * solved the case is the final version. Without one, the run ended with `max_iterations`. Lines exported by Hone restore the original
 * history.
 */
export function historyOfLines(lines: readonly ImportLine[], context: HistoryContext): PastRun {
  const [first] = lines;
  if (first === undefined) throw new Error('a history has at least one line');
  const { id: caseId, ...task } = first.case;
  const names = { run: first.run, caseId, case: task };
  if (first.stored?.run !== undefined) return { ...names, ...historyOfStored(lines, first.stored.run, context) };
  const history = historyOfPlain(lines, context);
  const spend = spendOfRun(history);
  const at = lines.flatMap((line) => line.at ?? []);
  const solved = history.evaluations.findLast(({ satisfactory }) => satisfactory);
  return {
    ...names,
    experimentVersion: 1,
    branchedVersion: null,
    history,
    status: 'finished',
    ending: {
      reason: solved === undefined ? 'max_iterations' : 'quality_met',
      alsoHeld: [],
      success: solved !== undefined,
      finalVersion: solved?.version ?? history.versions.length - 1,
      endedAt: at.at(-1) ?? context.now,
    },
    spend: {
      tokenUsage: spend.tokenUsage,
      costUsd: history.versions.reduce((sum, version) => sum + (version.costUsd ?? 0), 0),
      unpriced: spend.costUsd === null,
      calls: 0,
    },
    aside: { asideTokens: 0, asideCostUsd: 0 },
    ownBudget: null,
    createdAt: at[0] ?? context.now,
    startedAt: at[0] ?? null,
  };
}

function historyOfPlain(lines: readonly ImportLine[], context: HistoryContext): History {
  const versions: Version[] = [];
  const evaluations: Evaluation[] = [];
  const lessons: WrittenLesson[] = [];
  let step = 0;
  for (const line of lines) {
    const number = line.attempt - 1;
    const createdAt = line.at ?? context.now;
    const { input, output } = line.tokens ?? { input: 0, output: 0 };
    versions.push({
      ...{ number, iteration: number, origin: 'retried', parents: [], output: line.output, outputDropped: false },
      ...{ strategy: null, strategyNote: null, improvementsApplied: [], finishReason: 'stop', interrupted: false },
      ...{ recalledLessons: [], proposal: null, createdAt, step: step++ },
      ...{ tokenUsage: { input, output, total: input + output }, costUsd: line.costUsd, durationMs: 0 },
    });
    evaluations.push({ ...evaluationOf(line, context.settings), version: number, createdAt, step: step++ });
    if (line.lesson !== null && line.lesson.trim() !== '')
      lessons.push({
        ...{ ...NO_SPEND, id: context.newId(), version: number, createdAt, step: step++ },
        ...{ kind: 'lesson', text: line.lesson, fields: {} },
      });
  }
  return { ...EMPTY_HISTORY, inputLength: lines[0]?.case.input.length ?? 0, versions, evaluations, lessons, step };
}

function evaluationOf(
  line: ImportLine,
  settings: ExperimentSettings,
): Omit<Evaluation, 'version' | 'createdAt' | 'step'> {
  const score = line.score ?? (line.solved === null ? null : Number(line.solved));
  const criterion = settings.criteria[0]?.name ?? 'score';
  return {
    ...NO_SPEND,
    ...{ by: 'machine', actor: null, reason: null, status: score === null ? 'partial' : 'scored' },
    ...{ overallScore: score, criteriaScores: { [criterion]: score }, reasons: {} },
    satisfactory: line.solved ?? (score !== null && roundTo6(score) >= roundTo6(settings.qualityThreshold)),
    ...{ issues: line.issues, suggestions: [], confidence: null, feedback: line.feedback, detail: line.feedback },
    ...{ answer: null, sameModelJudge: false },
  };
}
