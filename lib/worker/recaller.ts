import { usedTools } from '#lib/core/agents/used-tools.ts';
import { embeddingRequest, readEmbeddings } from '#lib/core/embedding-request.ts';
import { type History, NO_SPEND } from '#lib/core/history.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import type { Recalled, RecalledText } from '#lib/core/recalled-text.ts';
import { ownLessons } from '#lib/core/step-lessons.ts';
import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { findByMeaning } from '#lib/lessons/find-by-meaning.ts';
import { lessonsOnTrial } from '#lib/lessons/find-trials.ts';
import { hasPromotedLessons } from '#lib/lessons/has-promoted-lessons.ts';
import { type RecallQuestion, recallLessons } from '#lib/lessons/recall-lessons.ts';
import { recalledAgent } from '#lib/lessons/recalled-agent.ts';
import type { Claim } from '#lib/runs/claim-run.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { findStepRecall, saveStepRecall, stillGiven } from './step-recalls.ts';

type RecallerOptions = {
  database: Database;
  claim: Claim;
  stored: StoredRun;
  call: StepCall;
  /** The step that another worker had begun, and whether a model had answered it; null for a run that nobody had begun. */
  open: { step: number; wasAnswered: boolean } | null;
};

/** Embedding calls of a recall are numbered from here, so that they are told from the calls of the step itself. */
const FIRST_ORDINAL = 1_000;

/**
 * Recalls for the steps of one run. What was found is kept before a model is asked with it, and read back when the step is done again:
 * the same question is asked then, and a reply that was paid for is found. Only a lesson that was retired meanwhile is left out, unless
 * it is answered already. A step that asks what the step before it asked is given the same, as long as no lesson was changed. Costs no query
 * where nothing is wanted, and next to none where no lesson was ever promoted.
 */
export function recaller({ database, claim, stored, call, open }: RecallerOptions) {
  const { lessons } = stored.settings;
  const kept = new Set<number>();
  let ofAttempt: { step: number; lessons: RecalledText[] } | null = null;
  let last: { question: string; mark: Mark; recalled: Recalled } | null = null;

  const onTrial = async () => (lessons.pinned.length === 0 ? [] : lessonsOnTrial(database, claim.runId));

  const again = async (step: number): Promise<Recalled | null> => {
    const wasAnswered = open?.step === step && open.wasAnswered;
    if (open?.step !== step && !kept.has(step)) return null;
    const given = await findStepRecall(database, claim.runId, step);
    if (given === null) return wasAnswered ? NOTHING : null;
    if (wasAnswered) return { lessons: given, spend: NO_SPEND };
    const ids = given.map(({ id }) => id);
    const still = await stillGiven(database, ids, await onTrial());
    return { lessons: given.filter(({ id }) => still.has(id)), spend: NO_SPEND };
  };

  /** An agent keeps the lessons that its attempt began with: they stand in its first message. */
  const asBegun = async (step: number): Promise<Recalled> => {
    const known = ofAttempt?.step === step ? ofAttempt.lessons : await findStepRecall(database, claim.runId, step);
    ofAttempt = { step, lessons: known ?? [] };
    return { lessons: ofAttempt.lessons, spend: NO_SPEND };
  };

  /** Pinned lessons and vectors are looked up each time: changes of theirs are not announced. */
  const isKept = lessons.pinned.length === 0 && lessons.embeddings === null;

  const recallAnew = async (question: RecallQuestion, step: number): Promise<Recalled | null> => {
    const mark = markChanges(database);
    const recalled = await recallLessons(database, question, meaning(database, stored, step, call));
    if (isKept && recalled !== null) last = { question: JSON.stringify(question), mark, recalled };
    return recalled;
  };

  const sameAsLast = async (question: RecallQuestion): Promise<Recalled | null> => {
    if (last === null || !isUnchanged(database, last.mark, ['lessons'], 0)) return null;
    const { question: asked, recalled } = last;
    if (asked !== JSON.stringify(question)) return null;
    const ids = recalled.lessons.map(({ id }) => id);
    // An announcement may be on its way: what is retired is given no more.
    return ids.length === 0 || (await stillGiven(database, ids, [])).size === ids.length ? recalled : null;
  };

  return async (history: History): Promise<Recalled | null> => {
    if (lessons.store === 'none' && lessons.pinned.length === 0) return NOTHING;
    const { step } = history;
    const begun = begunAt(history);
    if (begun !== null) return asBegun(begun);
    const found = await again(step);
    if (found !== null) return found;
    if (lessons.pinned.length === 0 && !(await hasPromotedLessons(database))) return NOTHING;
    const question = { ...questionOf(stored, history), onTrial: await onTrial() };
    const recalled = (await sameAsLast(question)) ?? (await recallAnew(question, step));
    if (recalled === null || recalled.lessons.length === 0) return recalled;
    await saveStepRecall(database, claim, step, recalled.lessons);
    kept.add(step);
    return recalled;
  };
}

/** Whether replies of a step, by `ordinal fingerprint`, hold one to the step itself and not only to its recall. */
export function hasModelReply(places: Iterable<string>): boolean {
  return [...places].some((place) => Number.parseInt(place, 10) < FIRST_ORDINAL);
}

/** The step of the first turn of the attempt that is under way; null where none was made yet. */
function begunAt({ turns, versions }: History): number | null {
  return turns.find(({ version }) => version === versions.length)?.step ?? null;
}

const NOTHING: Recalled = { lessons: [], spend: NO_SPEND };

function questionOf({ run, settings }: StoredRun, history: History): RecallQuestion {
  const { store, block, topK, tokenBudget, pinned } = settings.lessons;
  const without = ownLessons(history.lessons, settings).map(({ id }) => id);
  const agent = recalledAgent(settings.lessons);
  const scope = { agent, taskType: settings.taskType, tools: usedTools(settings.generator.base) };
  return { store, block, topK, tokenBudget, pinned, ...scope, without, input: run.input };
}

function meaning(database: Database, { settings }: StoredRun, step: number, call: StepCall) {
  const model = settings.lessons.embeddings;
  if (model === null) return null;
  return findByMeaning(database, model, async (place, texts) => {
    const request = { ...embeddingRequest(texts), model, ordinal: FIRST_ORDINAL + place };
    return readEmbeddings(await call(step, request), texts.length);
  });
}
