import type { Case } from '#lib/core/case.ts';
import { type Decision, EMPTY_HISTORY, type Evaluation, type History } from '#lib/core/history.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendOfRun } from '#lib/core/spend.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import type { SavedEnding } from '#lib/runs/save.ts';
import type { ImportLine, StoredAttempt, StoredRunFacts } from './import-line.ts';

const MARK = ' (imported)';

/** A person or webhook of another installation: nobody is taken for somebody here. */
function importedActor(actor: string | null): string | null {
  return actor === null || actor.endsWith(MARK) ? actor : `${actor}${MARK}`;
}

/** The name as it was where it comes from. */
export function originalActor(actor: string | null): string | null {
  return actor?.endsWith(MARK) ? actor.slice(0, -MARK.length) : actor;
}

type Attempt = { version: number; output: string; stored: StoredAttempt };

/**
 * The run that Hone exported as these lines, `run` being what stands on the first of them. Ids are new, people are called imported, and
 * of lessons that were recalled only the run's own
 * are kept: others stand in another library.
 */
function historyOfStored(
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

/** A past run as it is to be stored: ended, with all that its row repeats of its history. */
export type PastRun = {
  /** What it and its case are called where it comes from. */
  run: string;
  caseId: string;
  case: Case;
  experimentVersion: number;
  history: History;
  status: RunStatus;
  ending: SavedEnding;
  spend: Pick<Spend, 'tokenUsage'> & { costUsd: number; unpriced: boolean; calls: number };
  createdAt: string;
  startedAt: string | null;
};

type HistoryContext = { settings: ExperimentSettings; newId: () => string; now: string };

/**
 * The run that the lines of one history tell, the first attempt first. Attempts of other systems are fresh tries; a history whose last
 * attempt did not solve its case ended for want of more attempts. Lines that Hone exported give the very history they were made of.
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
  const solved = history.evaluations.at(-1)?.satisfactory === true;
  return {
    ...names,
    experimentVersion: 1,
    history,
    status: 'finished',
    ending: {
      reason: solved ? 'quality_met' : 'max_iterations',
      alsoHeld: [],
      success: solved,
      finalVersion: history.versions.length - 1,
      endedAt: at.at(-1) ?? context.now,
    },
    spend: {
      tokenUsage: spend.tokenUsage,
      costUsd: history.versions.reduce((sum, version) => sum + (version.costUsd ?? 0), 0),
      unpriced: spend.costUsd === null,
      calls: 0,
    },
    createdAt: at[0] ?? context.now,
    startedAt: at[0] ?? null,
  };
}

function historyOfPlain(lines: readonly ImportLine[], context: HistoryContext): History {
  const history: History = { ...EMPTY_HISTORY, inputLength: lines[0]?.case.input.length ?? 0 };
  const { versions, evaluations, lessons } = {
    versions: [...history.versions],
    evaluations: [...history.evaluations],
    lessons: [...history.lessons],
  };
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
        ...NO_SPEND,
        id: context.newId(),
        version: number,
        kind: 'lesson',
        text: line.lesson,
        fields: {},
        createdAt,
        step: step++,
      });
  }
  return { ...history, versions, evaluations, lessons, step };
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
