import { usedTools } from '#lib/core/agents/tool-calls.ts';
import { type EmbedOutcome, embeddingRequest, readEmbeddings } from '#lib/core/embedding-request.ts';
import type { Evaluation, History, Version } from '#lib/core/history.ts';
import { ownLessons } from '#lib/core/lesson-form.ts';
import type { LessonStatus, Recalled, RecalledText } from '#lib/core/lesson-schema.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { StepResult } from '#lib/core/step.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { findByMeaning } from '#lib/lessons/find-by-meaning.ts';
import { hasPromotedLessons } from '#lib/lessons/lesson-status.ts';
import { type RecallQuestion, recallEffect, recalledAgent, recallLessons } from '#lib/lessons/recall-lessons.ts';
import {
  findStepRecall,
  lessonsFromCases,
  lessonsOnTrial,
  recallBaselines,
  saveStepRecall,
} from '#lib/lessons/recall-queries.ts';
import { recallQuestion } from '#lib/lessons/recall-question.ts';
import type { Claim } from '#lib/runs/claim-run.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import type { RecallOutcome } from '#lib/runs/save.ts';

/** Returns the IDs of the lessons that may still be used: promoted and not merged into another, or on trial and not held by screening. */
async function findUsableLessonIds(
  database: Database,
  ids: string[],
  onTrial: readonly string[],
): Promise<Set<string>> {
  const promoted: LessonStatus = 'promoted';
  const candidate: LessonStatus = 'candidate';
  const found = await database.prisma.lesson.findMany({
    where: {
      id: { in: ids },
      OR: [
        { status: promoted, mergedIntoId: null },
        { id: { in: [...onTrial] }, admission: { not: 'held' }, NOT: { status: candidate, withheld: true } },
      ],
    },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}

type RecallerOptions = {
  database: Database;
  claim: Claim;
  stored: StoredRun;
  call: StepCall;
  /** The step that another worker had started. `wasAnswered`: true if it had a model response. Null if nobody had started the run. */
  open: { step: number; wasAnswered: boolean } | null;
};

/** First ordinal of the embedding calls of a recall, which separates them from the calls of the step itself. */
const FIRST_ORDINAL = 1_000;

/**
 * Returns a function that recalls lessons for the steps of one run. The result is stored before it is used in a model call. A repeated step
 * reuses it, so that the prompt is the same and the paid response is found. Only lessons retired meanwhile are left out, unless the step
 * already has a response.
 * A step with the same query as the step before gets the same result if no lesson changed. Makes no query if nothing is to be recalled, and
 * almost none if no lesson was ever promoted.
 */
export function recaller({ database, claim, stored, call, open }: RecallerOptions) {
  const { lessons } = stored.settings;
  const savedSteps = new Set<number>();
  let ofAttempt: { step: number; lessons: RecalledText[] } | null = null;
  let last: { question: string; mark: Mark; recalled: Recalled } | null = null;
  const embedded: { last: AskedVectors | null } = { last: null };

  const onTrial = async () => (lessons.pinned.length === 0 ? [] : lessonsOnTrial(database, claim.runId));

  const again = async (step: number): Promise<Recalled | null> => {
    const wasAnswered = open?.step === step && open.wasAnswered;
    if (open?.step !== step && !savedSteps.has(step)) return null;
    const given = await findStepRecall(database, claim.runId, step);
    if (given === null) return wasAnswered ? NOTHING : null;
    if (wasAnswered) return { lessons: given, spend: NO_SPEND };
    const ids = given.map(({ id }) => id);
    const still = await findUsableLessonIds(database, ids, await onTrial());
    return { lessons: given.filter(({ id }) => still.has(id)), spend: NO_SPEND };
  };

  /** An agent keeps the lessons from the start of its attempt, because they are in its first message. */
  const asBegun = async (step: number): Promise<Recalled> => {
    const known = ofAttempt?.step === step ? ofAttempt.lessons : await findStepRecall(database, claim.runId, step);
    ofAttempt = { step, lessons: known ?? [] };
    return { lessons: ofAttempt.lessons, spend: NO_SPEND };
  };

  /** Pinned lessons and vectors are read each time, because their changes are not announced. */
  const isKept = lessons.pinned.length === 0 && lessons.embeddings === null;

  const recallAnew = async (question: RecallQuestion, step: number): Promise<Recalled | null> => {
    const mark = markChanges(database);
    const recalled = await recallLessons(database, question, meaning(database, stored, step, call, embedded));
    if (isKept && recalled !== null) last = { question: JSON.stringify(question), mark, recalled };
    return recalled;
  };

  const sameAsLast = async (question: RecallQuestion): Promise<Recalled | null> => {
    if (last === null || !isUnchanged(database, last.mark, ['lessons'], 0)) return null;
    const { question: before, recalled } = last;
    if (before !== JSON.stringify(question)) return null;
    const ids = recalled.lessons.map(({ id }) => id);
    // An announcement may still be in transit, and retired lessons must not be used.
    return ids.length === 0 || (await findUsableLessonIds(database, ids, [])).size === ids.length ? recalled : null;
  };

  return async (history: History): Promise<Recalled | null> => {
    if (lessons.store === 'none' && lessons.pinned.length === 0) return NOTHING;
    const { step } = history;
    const begun = begunAt(history);
    if (begun !== null) return asBegun(begun);
    const found = await again(step);
    if (found !== null) return found;
    if (lessons.pinned.length === 0 && !(await hasPromotedLessons(database))) return NOTHING;
    const guarded = await learnedFromGuarded(database, stored, history);
    const question = { ...questionOf(stored, history, guarded), onTrial: await onTrial() };
    const recalled = (await sameAsLast(question)) ?? (await recallAnew(question, step));
    if (recalled === null || recalled.lessons.length === 0) return recalled;
    await saveStepRecall(database, claim, step, recalled.lessons);
    savedSteps.add(step);
    return recalled;
  };
}

/** Returns true if the responses, by `callKey`, include one of the step itself and not only of its recall. */
export function hasModelResponse(keys: Iterable<string>, step: number): boolean {
  return [...keys].some((key) => {
    const [stepOfCall, ordinal] = key.split(' ').map(Number);
    return stepOfCall === step && (ordinal ?? 0) < FIRST_ORDINAL;
  });
}

/** Returns the step of the first turn in the current attempt, or null if there is none yet. */
function begunAt({ turns, versions }: History): number | null {
  return turns.find(({ version }) => version === versions.length)?.step ?? null;
}

const NOTHING: Recalled = { lessons: [], spend: NO_SPEND };

/** Returns lessons learned from a validation or held-out case of the tuning run, which would leak the case into a proposal. */
async function learnedFromGuarded(database: Database, { run, settings }: StoredRun, history: History) {
  if (settings.mode !== 'tune') return [];
  const guarded = history.cases.filter(({ split }) => split !== 'train');
  return lessonsFromCases(
    database,
    run.id,
    guarded.map(({ position }) => position),
  );
}

function questionOf({ run, settings }: StoredRun, history: History, guarded: readonly string[]): RecallQuestion {
  const { store, block, topK, tokenBudget } = settings.lessons;
  const pinned = settings.lessons.pinned.filter((id) => !guarded.includes(id));
  const without = [...ownLessons(history.lessons, settings).map(({ id }) => id), ...guarded];
  const agent = recalledAgent(settings.lessons);
  const scope = { agent, taskType: settings.taskType, tools: usedTools(settings.generator.base) };
  return { store, block, topK, tokenBudget, pinned, ...scope, without, input: recalledFor(run, history, settings) };
}

/** Returns the text used for recall: the run's input. A tuning run has none, so its prompt and training cases are used instead. */
function recalledFor(run: StoredRun['run'], history: History, settings: StoredRun['settings']): string {
  return settings.mode === 'tune' ? recallQuestion(history, settings) : run.input;
}

type AskedVectors = { prompt: string; outcome: EmbedOutcome };

/**
 * Returns the search by meaning, or null without an embedding model. `embedded`: the vectors of the run's last query, which are reused for
 * the same query.
 */
function meaning(
  database: Database,
  { settings }: StoredRun,
  step: number,
  call: StepCall,
  embedded: { last: AskedVectors | null },
) {
  const model = settings.lessons.embeddings;
  if (model === null) return null;
  return findByMeaning(database, model, async (index, texts) => {
    const request = { ...embeddingRequest(texts), model, ordinal: FIRST_ORDINAL + index };
    if (index === 0 && embedded.last?.prompt === request.prompt) return { ...embedded.last.outcome, spend: NO_SPEND };
    const outcome = readEmbeddings(await call(step, request), texts.length);
    if (index === 0 && outcome.ok) embedded.last = { prompt: request.prompt, outcome };
    return outcome;
  });
}

/**
 * Returns the effects of recalled lessons, from evaluations among results that are about to be saved. `history` includes them. The effects
 * are saved in the same commit, so each counts once. A tuning run has no effects, because only proposals that improved on their parents are
 * evaluated.
 * A version is compared with the previous one, if that did not get the lesson. A first version is compared with the lesson's source, if
 * that has the same input. Otherwise it is compared with the mean of finished runs with the same settings and input but without lessons.
 * Only the last two need a database query.
 */
export async function recallOutcomes(
  database: Database,
  { run, settings }: StoredRun,
  history: History,
  results: StepResult[],
): Promise<RecallOutcome[]> {
  const outcomes: RecallOutcome[] = [];
  for (const result of results) {
    if (result.type !== 'evaluation' || !isFirstScore(history, result.evaluation)) continue;
    const version = history.versions.find(({ number }) => number === result.evaluation.version);
    if (version === undefined || version.recalledLessons.length === 0) continue;
    const before = versionBefore(history, version);
    const scoreBefore =
      settings.mode === 'tune'
        ? () => null
        : before === null
          ? await scoresWithout(database, run, version)
          : scoresOfBefore(history, before);
    for (const { lessonId } of version.recalledLessons) {
      const effect = recallEffect({ before: scoreBefore(lessonId), after: result.evaluation.overallScore });
      outcomes.push({ version: version.number, lessonId, effect });
    }
  }
  return outcomes;
}

/** Returns the score to compare with for a lesson, or null if there is none. */
type ScoreBefore = (lessonId: string) => number | null;

function isFirstScore(history: History, evaluation: Evaluation): boolean {
  if (evaluation.by !== 'machine' || evaluation.status !== 'scored') return false;
  const first = history.evaluations.find(
    ({ by, status, version }) => by === 'machine' && status === 'scored' && version === evaluation.version,
  );
  return first === evaluation;
}

/** Returns the version that was revised, or in retry mode the previous attempt. */
function versionBefore(history: History, { number, origin, parents }: Version): Version | null {
  const before = origin === 'retried' ? number - 1 : parents[0];
  return history.versions.find((version) => version.number === before) ?? null;
}

function scoresOfBefore(history: History, before: Version): ScoreBefore {
  const given = new Set(before.recalledLessons.map(({ lessonId }) => lessonId));
  const score = scoreOf(history, before.number);
  return (lessonId) => (given.has(lessonId) ? null : score);
}

async function scoresWithout(database: Database, run: StoredRun['run'], version: Version): Promise<ScoreBefore> {
  const { sourceScores, meanFirst } = await recallBaselines(
    database,
    { runId: run.id, experimentId: run.experimentId, experimentVersion: run.experimentVersion, input: run.input },
    version.recalledLessons.map(({ lessonId }) => lessonId),
  );
  return (lessonId) => sourceScores.get(lessonId) ?? meanFirst;
}
