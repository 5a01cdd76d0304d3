import { setImmediate } from 'node:timers/promises';
import { type BudgetedCall, callPrices } from '#lib/budgets/budgeted-call.ts';
import { appendResult } from '#lib/core/append-result.ts';
import { scoringWebhook } from '#lib/core/criterion.ts';
import type { History } from '#lib/core/history.ts';
import { ownLessons } from '#lib/core/lesson-form.ts';
import type { Recalled } from '#lib/core/lesson-schema.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import { nextStep } from '#lib/core/next-step.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { asksModel, type Step, type StepResult } from '#lib/core/step.ts';
import { settledToolUses } from '#lib/core/tuning/due-try.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { refusedLessons } from '#lib/lessons/admit-lessons.ts';
import { withScreening } from '#lib/lessons/check-text.ts';
import type { Interruption } from '#lib/live/interrupt.ts';
import type { Claim } from '#lib/runs/claim-run.ts';
import { withoutTraces, withTraces } from '#lib/runs/example-scores.ts';
import { holdBatch } from '#lib/runs/hold-batch.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { eventsOf } from '#lib/runs/run-events.ts';
import type { SaveOutcome } from '#lib/runs/save-results.ts';
import type { StoredPrompts } from '#lib/runs/stored-texts.ts';
import type { AgentTools } from './agent-tools.ts';
import type { CallBuffer } from './call-buffer.ts';
import type { Ownership } from './claim-ownership.ts';
import { performStep } from './perform-step.ts';
import { factStep, type Pending, savePending } from './save-pending.ts';
import { type NoteProgress, tracedStep } from './traced-run.ts';
import { isStopping, type WorkerContext } from './worker-context.ts';

/** What the loop of one run needs. */
export type Performance = {
  worker: WorkerContext;
  claim: Claim;
  stored: StoredRun;
  call: StepCall;
  recall: (history: History) => Promise<Recalled | null>;
  tools: AgentTools;
  buffer: CallBuffer;
  budgeted: BudgetedCall;
  /** Returns the number of model calls made so far. */
  callsMade: () => number;
  interruption: Interruption;
  ownership: Ownership;
  freeSlot: () => void;
  /** The prompts stored so far, of which later calls store only a reference. */
  prompts: StoredPrompts;
  /** The step whose response existed before the run was taken over, so its prompt must not change. */
  answeredStep: number | null;
};

/**
 * Performs the steps of a run until it ends, waits for a person, or the worker stops. Results stay in memory only while nothing has been
 * paid for since. They are saved before the next model call, or while it is in progress (see `startsBeforeSave`), and at the end. Returns
 * `needs slot` if more steps are due after the run freed its slot, because its last save was refused. `lastEvent`: the number of the last
 * saved event.
 */
export async function performLoop(
  performance: Performance,
  note: NoteProgress,
): Promise<{ outcome: 'done' | 'needs slot'; lastEvent: number }> {
  const loop = new RunLoop(performance, note);
  try {
    for (;;) {
      const outcome = await loop.advance();
      if (outcome !== 'continue') return { outcome, lastEvent: loop.lastEvent };
    }
  } finally {
    await loop.settle();
  }
}

type Outcome = 'continue' | 'done' | 'needs slot';

class RunLoop {
  readonly #performance: Performance;
  readonly #settings: ExperimentSettings;
  readonly #note: NoteProgress;
  #stored: StoredRun;
  #history: History;
  /** Results that no save includes yet. */
  #pending: Pending[] = [];
  /** Results in saves that are not confirmed yet. */
  #sent: Pending[] = [];
  /** The latest save. It starts when the one before has succeeded, and otherwise has the same outcome. */
  #saving: Promise<SaveOutcome> = Promise.resolve('saved');
  #callsStored: number;
  #callsInStore: number;
  #hasSlot = true;

  constructor(performance: Performance, note: NoteProgress) {
    this.#performance = performance;
    this.#settings = performance.stored.settings;
    this.#note = note;
    this.#stored = performance.stored;
    this.#history = performance.stored.history;
    this.#callsStored = this.#history.calls;
    this.#callsInStore = performance.callsMade();
  }

  get lastEvent(): number {
    return this.#stored.run.eventNumber;
  }

  /** Waits for saves under way, which must end before the run is left. */
  async settle(): Promise<void> {
    await this.#saving.catch(() => undefined);
  }

  /** Saves what has to be saved before the next step, and performs it. */
  async advance(): Promise<Outcome> {
    const { worker, ownership } = this.#performance;
    if (ownership.isLost()) return 'done';
    this.#history = { ...this.#history, calls: this.#callsSoFar() };
    const planned = nextStep(this.#history, this.#settings, worker.now());
    const isPaid = asksModel(planned, this.#settings);
    const needsSlot = isPaid && !this.#hasSlot;
    const mustSave = this.#pending.length > 0 && (isPaid || isStopping(worker));
    const savesDuring = !isStopping(worker) && !needsSlot && startsBeforeSave(planned, this.#settings);
    if (mustSave && !savesDuring) {
      const outcome = await this.#save();
      if (outcome === 'lost') return 'done';
      if (outcome === 'stale') return this.#readAgain();
    }
    if (isStopping(worker) || (planned.type === 'wait' && this.#history.pause !== null)) return 'done';
    if (needsSlot) return 'needs slot';
    return mustSave && savesDuring ? this.#performWhileSaving(planned) : this.#take(await this.#perform(planned));
  }

  #callsSoFar(): number {
    return this.#callsStored + this.#performance.callsMade() - this.#callsInStore;
  }

  /** Saves the pending results after the saves before. `due`: when it resolves, the save no longer waits for saves of other runs. */
  #save(due?: Promise<void>): Promise<SaveOutcome> {
    const [pending, history, before] = [this.#pending, this.#history, this.#saving];
    this.#pending = [];
    this.#sent.push(...pending);
    this.#saving = before.then((outcome) => (outcome === 'saved' ? this.#saveResults(pending, history, due) : outcome));
    return this.#saving;
  }

  async #saveResults(pending: Pending[], history: History, due?: Promise<void>): Promise<SaveOutcome> {
    const { ownership, tools } = this.#performance;
    const outcome = await savePending(this.#performance, this.#stored, history, pending, due);
    ownership.note(outcome !== 'lost');
    if (outcome !== 'saved') return outcome;
    const tries = pending.flatMap(({ result }) => (result.type === 'tries' ? result.tries : []));
    tools.discard(settledToolUses(history, tries));
    const { run } = this.#stored;
    const eventNumber = run.eventNumber + pending.flatMap(({ events }) => events).length;
    this.#stored = { ...this.#stored, run: { ...run, eventNumber } };
    this.#sent.splice(0, pending.length);
    return outcome;
  }

  /**
   * Performs a step and saves at the same time. Waits only for the save before, so that a quick step does not wait for its own commit.
   * A budget that has to be checked, or the end of the step, sends the save at once.
   */
  async #performWhileSaving(planned: Step): Promise<Outcome> {
    const { buffer, budgeted } = this.#performance;
    const { promise: due, resolve: endWait } = Promise.withResolvers<void>();
    const before = this.#saving;
    const saving = this.#save(due);
    buffer.holdUntil(saving);
    budgeted.waitFor(() => {
      endWait();
      return saving;
    });
    const [performed, saved] = await Promise.allSettled([this.#perform(planned).finally(endWait), before]);
    if (saved.status === 'rejected') throw saved.reason;
    if (performed.status === 'rejected') throw performed.reason;
    if (saved.value === 'lost') return 'done';
    // The response is in the journal, so the step is not paid again if it is still due.
    if (saved.value === 'stale') return this.#readAgain();
    return this.#take(performed.value);
  }

  /** Reads the run again after its stored state changed, and keeps the results that are still due. */
  async #readAgain(): Promise<Outcome> {
    const { worker, interruption, buffer, callsMade } = this.#performance;
    if ((await this.#saving) === 'lost') return 'done';
    this.#saving = Promise.resolve('saved');
    // An aborted step may still have a result.
    interruption.renew();
    await buffer.flush();
    this.#callsInStore = callsMade();
    this.#stored = await loadStored(worker, this.#stored.run.id);
    // The end or pause was saved, its response was lost, and then a person changed the run. If it goes on, the queue sends it again.
    if (this.#stored.run.status !== 'running') return 'done';
    this.#callsStored = this.#stored.history.calls;
    this.#pending = stillDue([...this.#sent, ...this.#pending], this.#stored.history.step);
    this.#sent = [];
    this.#history = this.#pending.reduce(
      (history, { result }) => appendResult(history, withoutTraces(result)),
      this.#stored.history,
    );
    return 'continue';
  }

  /** Returns null if the step was aborted. */
  async #perform(planned: Step): Promise<StepResult | null> {
    const { worker, call, recall, tools, interruption } = this.#performance;
    const { run } = this.#stored;
    const open = await tracedHistory(worker, run.id, this.#history, planned);
    // Traces make a proposal longer and can split it into several calls, so the budgets are checked again.
    const step = open === this.#history ? planned : nextStep(open, this.#settings, worker.now());
    const context = {
      history: await withoutRefused(this.#performance, step, open),
      settings: this.#settings,
      case: run,
      call,
      callsMade: () => this.#callsSoFar(),
      priceOf: callPrices(worker.database, worker.now),
      recall: () => recall(open),
      ...tools.services,
      python: worker.python,
      validate: (webhook, request) => worker.validate(webhook, { ...request, run: run.id }, interruption.signal()),
      now: worker.now,
      newId: worker.newId,
    } satisfies Parameters<typeof performStep>[1];
    const made = await tracedStep(open.step, step, () => performStep(step, context));
    if (made === null) return null;
    return withScreening(made, { settings: this.#settings, call, step: open.step, now: worker.now() });
  }

  async #take(result: StepResult | null): Promise<Outcome> {
    if (result === null) return this.#performance.ownership.isLost() ? 'done' : this.#readAgain();
    this.#history = appendResult(this.#history, withoutTraces(result));
    this.#note(this.#history, result.type === 'end' ? result.ending : null);
    this.#pending.push({ result, events: eventsOf(result, this.#history, this.#settings) });
    return result.type === 'pause' || result.type === 'end' ? this.#finish() : 'continue';
  }

  /** Saves the end or the pause of the run. */
  async #finish(): Promise<Outcome> {
    const { worker, freeSlot } = this.#performance;
    const { failure } = this.#history;
    const { batchId } = this.#stored.run;
    // The next run of the batch must not start before the batch is held after a failure, or before it can recall this run's lessons.
    const isFree = failure === null && usesNoLessons(this.#settings);
    if (isFree) {
      this.#hasSlot = false;
      freeSlot();
      // The next run is claimed first. Preparing this save takes longer than sending the claim.
      await setImmediate();
    }
    const outcome = await this.#save(isFree ? new Promise(() => undefined) : undefined);
    if (outcome === 'stale') return this.#readAgain();
    // Only the failure of the run's worker counts.
    if (outcome === 'saved' && failure !== null)
      await retryWhileUnreachable(
        () => holdBatch(worker.database, { batchId, settings: this.#settings, failure }),
        worker.signal,
      );
    return 'done';
  }
}

/**
 * Returns the results that are not stored and do not depend on a conclusion, which is drawn again. `openStep`: the first step that is not
 * stored. The responses of later steps are in the journal.
 */
function stillDue(unsaved: readonly Pending[], openStep: number): Pending[] {
  const due = unsaved.filter(({ result }) => (factStep(result) ?? openStep) >= openStep);
  const conclusion = due.findIndex(({ result }) => factStep(result) === null);
  return conclusion === -1 ? due : due.slice(0, conclusion);
}

/**
 * True if a step may start while the results before it are being saved, so that it does not wait for the commit. It reads nothing that the
 * save stores: no lessons, and no webhook, tool or target that could look the run up. A call of a target also deletes the answers to
 * earlier calls, which must be stored by then.
 */
function startsBeforeSave(step: Step, settings: ExperimentSettings): boolean {
  const { criteria, generator } = settings;
  switch (step.type) {
    case 'evaluate':
      return criteria.every((criterion) => scoringWebhook(criterion) === null);
    case 'attempt':
    case 'revise':
      return generator.base.type === 'single' && generator.target === null && usesNoLessons(settings);
    default:
      return false;
  }
}

function usesNoLessons({ lessons }: ExperimentSettings): boolean {
  return lessons.store === 'none' && lessons.pinned.length === 0 && lessons.write === 'off';
}

/** Returns the history with the traces that a proposal shows, or unchanged for other steps. */
async function tracedHistory(
  { database, signal }: Pick<WorkerContext, 'database' | 'signal'>,
  runId: string,
  history: History,
  step: Step,
): Promise<History> {
  if (step.type !== 'propose') return history;
  return retryWhileUnreachable(() => withTraces(database, runId, history, step.proposals), signal);
}

/** Returns the history without the run's own lessons that were rejected or held meanwhile, for an unanswered step that reads them. */
async function withoutRefused(
  { worker, stored, answeredStep }: Performance,
  step: Step,
  history: History,
): Promise<History> {
  const isReader =
    step.type === 'attempt' || step.type === 'turn' || step.type === 'conclude' || step.type === 'write_lesson';
  const own = isReader && history.step !== answeredStep ? ownLessons(history.lessons, stored.settings) : [];
  if (own.length === 0) return history;
  const ids = own.map(({ id }) => id);
  const refused = await retryWhileUnreachable(() => refusedLessons(worker.database, ids), worker.signal);
  return { ...history, lessons: history.lessons.filter(({ id }) => !refused.has(id)) };
}

export async function loadStored(worker: WorkerContext, runId: string): Promise<StoredRun> {
  const stored = await loadRun(worker.database, runId);
  if (stored === null) throw new Error(`run ${runId} was deleted while it was in progress`);
  return stored;
}
