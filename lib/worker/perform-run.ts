import { type BudgetedCall, budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { ToolDefinition, UseTool } from '#lib/core/agents/agent-records.ts';
import { appendResult } from '#lib/core/append-result.ts';
import { withCallLimit } from '#lib/core/call-limit.ts';
import { scoringWebhook } from '#lib/core/criterion.ts';
import type { History } from '#lib/core/history.ts';
import { ownLessons } from '#lib/core/lesson-form.ts';
import type { Recalled } from '#lib/core/lesson-schema.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import { hasSeed, withShiftedSeed } from '#lib/core/model-settings.ts';
import { nextStep } from '#lib/core/next-step.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { asksModel, type Step } from '#lib/core/step.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { EXAMPLE_SCORES_STEP, settledToolUses } from '#lib/core/tuning/due-try.ts';
import type { Database } from '#lib/database/database.ts';
import { DATABASE_AWAY_MS, retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import type { PythonRunner } from '#lib/evaluators/python/python-report.ts';
import { refusedLessons } from '#lib/lessons/admit-lessons.ts';
import { withScreening } from '#lib/lessons/check-text.ts';
import { type Interruption, interruptible } from '#lib/live/interrupt.ts';
import { endLiveText, isShown, liveText } from '#lib/live/live.ts';
import { CANCELLED, type ModelCaller } from '#lib/providers/call/model-caller.ts';
import { ReturnedJobError } from '#lib/queue/dispatch-jobs.ts';
import { type Claim, claimRun, releaseClaim } from '#lib/runs/claim-run.ts';
import { withoutTraces, withTraces } from '#lib/runs/example-scores.ts';
import { holdBatch } from '#lib/runs/hold-batch.ts';
import { recordCalls, type SavedReply, savedReplies, savedToolResults } from '#lib/runs/journal.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { eventsOf } from '#lib/runs/run-events.ts';
import type { SaveOutcome } from '#lib/runs/save-results.ts';
import type { StoredPrompts } from '#lib/runs/stored-texts.ts';
import { countCalls } from '#lib/runs/worker-queries.ts';
import type { Toolbox } from '#lib/tools/toolbox.ts';
import type { WebhookValidator } from '#lib/webhooks/send-webhook.ts';
import { CallBuffer } from './call-buffer.ts';
import { type Ownership, ownershipOf } from './claim-ownership.ts';
import type { SaveRun } from './group-saves.ts';
import { hasModelReply, recaller } from './lesson-recall.ts';
import { performStep } from './perform-step.ts';
import { recordedCall } from './recorded-call.ts';
import { reusePaidReplies } from './reuse-saved-responses.ts';
import { recordedTools, type ToolboxOf } from './run-tools.ts';
import { factStep, type Pending, savePending } from './save-pending.ts';
import { type NoteProgress, tracedRun, tracedStep, tracedUse } from './traced-run.ts';

/** Number of claims without a newly saved step after which a run fails as an internal error. */
const IDLE_CLAIMS = 3;

/** The dependencies of a worker that performs runs. `signal` aborts when the worker stops. */
export type WorkerContext = {
  database: Database;
  save: SaveRun;
  call: ModelCaller;
  validate: WebhookValidator;
  python: PythonRunner;
  openTools: ToolboxOf;
  now: () => Date;
  newId: () => string;
  signal: AbortSignal;
  /**
   * Aborts when the worker accepts no more work. Calls in flight continue until `signal` aborts. Afterwards the run is returned to the
   * queue.
   */
  draining?: AbortSignal;
  /** Identifies this process as the holder of runs and work. If null or omitted, no other process takes over from it. */
  processId?: string | null;
};

type Performance = {
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

/** Thrown if another process performs the run. The queue retries later, because that process may die. */
export class RunBusyError extends Error {
  override name = 'BeingPerformed';
}

/**
 * Performs a run until it ends, waits for a person, or the worker stops. Returns false and does nothing if the run is not to be performed.
 * Also stops if another worker takes it over. Throws database errors and `RunBusyError`, after which the queue sends the run again. Calls
 * `freeSlot` when only the last save remains and the next run may start.
 */
export async function performRun(
  worker: WorkerContext,
  runId: string,
  freeSlot: () => void = () => undefined,
): Promise<boolean> {
  const { database, signal } = worker;
  const claimed = await claimRun(database, runId, worker.now(), worker.processId);
  if (claimed === null) return false;
  if (claimed === 'held') throw new RunBusyError(`run ${runId} is performed by another process`);
  const { claim, experimentId, untouched } = claimed;
  const interruption = interruptible(runId, signal);
  const budgeted = budgetedCall(worker.call, { database, now: worker.now, experimentId, purpose: null });
  const ownership = ownershipOf(worker, claim, interruption);
  const buffer = new CallBuffer(async (entries) => {
    const keep = (again: boolean) => recordCalls(database, { ...claim, again }, entries);
    ownership.note(await retryWhileUnreachable(keep, DATABASE_AWAY_MS, signal));
    budgeted.written(entries);
  });
  let isReturned = false;
  try {
    const stored = untouched ?? (await loadStored(worker, runId));
    const saved: Map<string, SavedReply> =
      untouched === null ? await savedReplies(database, runId, stored.history.step) : new Map();
    const limited = withCallLimit(budgeted.call, stored.settings, stored.history.calls);
    const ask =
      stored.settings.mode === 'tune'
        ? reusePaidReplies({
            database,
            call: limited,
            owner: { runId },
            now: worker.now,
            processId: worker.processId ?? null,
          })
        : limited;
    let callsMade = 0;
    const recorded = recordedCall({
      call: async (request, options, step) => {
        if (!(await ownership.isSure())) return CANCELLED;
        return ask(request, { ...options, origin: { runId, step } }, step).finally(() => {
          if (isShown(request)) endLiveText(runId, request);
        });
      },
      saved,
      record: (entry) => {
        callsMade += countCalls([entry]);
        buffer.add(entry);
      },
      signal: () => interruption.signal(),
      onText: (request) => liveText(runId, request),
      now: worker.now,
    });
    const shift = hasSeed(stored.settings) ? await findRepetition(database, runId) : 0;
    const call: StepCall = (step, request) => recorded(step, withShiftedSeed(request, shift));
    const open =
      untouched === null
        ? { step: stored.history.step, wasAnswered: hasModelReply(saved.keys(), stored.history.step) }
        : null;
    const recall = recaller({ database, claim, stored, call, open });
    const answeredStep = open?.wasAnswered ? open.step : null;
    const tools = await agentTools(worker, stored, { isUntouched: untouched !== null, interruption, claim, ownership });
    const performance: Performance = {
      worker,
      claim,
      stored: failStalledRun(stored, claim, worker.now()),
      call,
      recall: (history) => retryWhileUnreachable(() => recall(history), DATABASE_AWAY_MS, signal),
      tools,
      answeredStep,
      buffer,
      budgeted,
      callsMade: () => callsMade,
      interruption,
      ownership,
      freeSlot,
      prompts: new Map(),
    };
    isReturned = (await tracedRun(stored, (note) => performLoop(performance, note))) === 'needs slot';
  } catch (error) {
    // Without the release, the queue's retry would consider the run as being performed.
    const release = () => releaseClaim(database, claim, false);
    if (!isStopping(worker)) await retryWhileUnreachable(release, DATABASE_AWAY_MS, signal).catch(() => undefined);
    throw error;
  } finally {
    interruption.close();
    await buffer.flush();
    budgeted.close();
    const release = () => releaseClaim(database, claim, true);
    if (isStopping(worker) || isReturned) await retryWhileUnreachable(release, DATABASE_AWAY_MS, signal);
  }
  // The queue sends the run again, to any worker or after the restart.
  if (isStopping(worker) || isReturned) throw new ReturnedJobError();
  return true;
}

/** Returns the index of a run among the runs of its case, from 0. */
async function findRepetition({ prisma }: Database, runId: string): Promise<number> {
  const run = await prisma.run.findUnique({ where: { id: runId }, select: { repetition: true } });
  return run?.repetition ?? 0;
}

/**
 * Runs the loop. Results stay in memory only while nothing has been paid for since. They are saved before the next model call, or while it
 * is in progress (see `startsBeforeSave`), and at the end. Returns `needs slot` if more steps are due after the run freed its slot, because
 * its last save was refused.
 */
async function performLoop(performance: Performance, note: NoteProgress): Promise<'done' | 'needs slot'> {
  const { worker, call, recall, tools, buffer, budgeted, callsMade, interruption, ownership, freeSlot } = performance;
  const { settings } = performance.stored;
  let { stored } = performance;
  let { history } = stored;
  let pending: Pending[] = [];
  let callsStored = history.calls;
  let callsInStore = callsMade();
  let hasSlot = true;

  const save = async (due?: Promise<void>): Promise<SaveOutcome> => {
    const outcome = await savePending(performance, stored, history, pending, due);
    ownership.note(outcome !== 'lost');
    if (outcome === 'saved') {
      const tries = pending.flatMap(({ result }) => (result.type === 'tries' ? result.tries : []));
      tools.discard(settledToolUses(history, tries));
      stored = {
        ...stored,
        run: { ...stored.run, eventNumber: stored.run.eventNumber + pending.flatMap(({ events }) => events).length },
      };
      pending = [];
    }
    return outcome;
  };
  const callsSoFar = () => callsStored + callsMade() - callsInStore;
  const readAgain = async () => {
    // An aborted step may still have a result.
    interruption.renew();
    await buffer.flush();
    callsInStore = callsMade();
    stored = await loadStored(worker, stored.run.id);
    callsStored = stored.history.calls;
    const facts = pending.filter(({ result }) => (factStep(result) ?? -1) >= stored.history.step);
    history = facts.reduce((sum, { result }) => appendResult(sum, withoutTraces(result)), stored.history);
    pending = facts;
  };

  for (;;) {
    if (ownership.isLost()) return 'done';
    history = { ...history, calls: callsSoFar() };
    const planned = nextStep(history, settings, worker.now());
    const needsSlot = !hasSlot && asksModel(planned, settings);
    const mustSave = pending.length > 0 && (asksModel(planned, settings) || isStopping(worker));
    const isSavedBefore = mustSave && (isStopping(worker) || needsSlot || !startsBeforeSave(planned, settings));
    const { promise: due, resolve: endWait } = Promise.withResolvers<void>();
    const saving = mustSave && !isSavedBefore ? save(due) : null;
    if (isSavedBefore) {
      const outcome = await save();
      if (outcome === 'lost') return 'done';
      if (outcome === 'stale') {
        await readAgain();
        continue;
      }
    } else if (saving !== null) {
      buffer.holdUntil(saving);
      budgeted.waitFor(() => {
        endWait();
        return saving;
      });
    }
    if (isStopping(worker) || (planned.type === 'wait' && history.pause !== null)) return 'done';
    if (needsSlot) return 'needs slot';
    const open = await tracedHistory(worker, stored.run.id, history, planned);
    // Traces make a proposal longer and can split it into several calls, so the budgets are checked again.
    const step = open === history ? planned : nextStep(open, settings, worker.now());
    const { run } = stored;
    const context = {
      history: await withoutRefused(performance, step, open),
      settings,
      case: run,
      call,
      callsMade: callsSoFar,
      recall: () => recall(open),
      ...tools.services,
      python: worker.python,
      validate: (webhook, request) => worker.validate(webhook, { ...request, run: run.id }, interruption.signal()),
      now: worker.now,
      newId: worker.newId,
    } satisfies Parameters<typeof performStep>[1];
    const perform = async () => {
      const made = await tracedStep(history.step, step, () => performStep(step, context));
      return made === null ? null : withScreening(made, { settings, call, step: history.step, now: worker.now() });
    };
    const [performed, saved] = await Promise.allSettled([perform().finally(endWait), saving]);
    if (saved.status === 'rejected') throw saved.reason;
    if (performed.status === 'rejected') throw performed.reason;
    if (saved.value === 'lost') return 'done';
    if (saved.value === 'stale') {
      // The response is in the journal, so the step is not paid again if it is still due.
      await readAgain();
      continue;
    }
    const result = performed.value;
    if (result === null) {
      if (!ownership.isLost()) await readAgain();
      continue;
    }
    history = appendResult(history, withoutTraces(result));
    note(history, result.type === 'end' ? result.ending : null);
    pending.push({ result, events: eventsOf(result, history, settings) });
    if (result.type !== 'pause' && result.type !== 'end') continue;
    const { batchId } = stored.run;
    const { failure } = history;
    // The next run of the batch must not start before the batch is held after a failure, or before it can recall this run's lessons.
    const isFree = failure === null && usesNoLessons(settings);
    if (isFree) {
      hasSlot = false;
      freeSlot();
    }
    const outcome = await save(isFree ? new Promise(() => undefined) : undefined);
    if (outcome === 'stale') {
      await readAgain();
      continue;
    }
    // Only the failure of the run's worker counts.
    if (outcome === 'saved' && failure !== null)
      await retryWhileUnreachable(
        () => holdBatch(worker.database, { batchId, settings, failure }),
        DATABASE_AWAY_MS,
        worker.signal,
      );
    return 'done';
  }
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

/** Returns true if the worker accepts no more work. */
export function isStopping({ signal, draining }: Pick<WorkerContext, 'signal' | 'draining'>): boolean {
  return signal.aborted || draining?.aborted === true;
}

type AgentTools = {
  services: { toolDefinitions?: readonly ToolDefinition[]; useTool?: UseTool };
  /** Discards the tool results whose call IDs have one of these prefixes. */
  discard: (prefixes: readonly string[]) => void;
};

/** Returns the tools of the run's agents, with each use stored in the journal. Empty if attempts are single calls. */
async function agentTools(
  { database, openTools, now, signal }: WorkerContext,
  stored: StoredRun,
  {
    isUntouched,
    interruption,
    claim,
    ownership,
  }: { isUntouched: boolean; interruption: Interruption; claim: Claim; ownership: Ownership },
): Promise<AgentTools> {
  if (stored.settings.generator.base.type === 'single') return { services: {}, discard: () => undefined };
  const openStep = stored.settings.mode === 'tune' ? EXAMPLE_SCORES_STEP : stored.history.step;
  const open = (): Promise<[Toolbox, Awaited<ReturnType<typeof savedToolResults>>]> =>
    Promise.all([openTools(stored), isUntouched ? new Map() : savedToolResults(database, stored.run.id, openStep)]);
  const [toolbox, saved] = await retryWhileUnreachable(open, DATABASE_AWAY_MS, signal);
  const traced = tracedUse(toolbox.use);
  const { use: useTool, discard } = recordedTools({
    ...{ database, owner: claim, saved, now, stopping: signal },
    use: async (call, stopped) => ((await ownership.isSure()) ? traced(call, stopped) : null),
    signal: () => interruption.signal(),
  });
  return { services: { toolDefinitions: toolbox.definitions, useTool }, discard };
}

/** Returns the history with the traces that a proposal shows, or unchanged for other steps. */
async function tracedHistory(
  { database, signal }: Pick<WorkerContext, 'database' | 'signal'>,
  runId: string,
  history: History,
  step: Step,
): Promise<History> {
  if (step.type !== 'propose') return history;
  return retryWhileUnreachable(() => withTraces(database, runId, history, step.proposals), DATABASE_AWAY_MS, signal);
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
  const refused = await retryWhileUnreachable(
    () => refusedLessons(worker.database, ids),
    DATABASE_AWAY_MS,
    worker.signal,
  );
  return { ...history, lessons: history.lessons.filter(({ id }) => !refused.has(id)) };
}

async function loadStored(worker: WorkerContext, runId: string): Promise<StoredRun> {
  const stored = await loadRun(worker.database, runId);
  if (stored === null) throw new Error(`run ${runId} was deleted while it was in progress`);
  return stored;
}

function failStalledRun(stored: StoredRun, claim: Claim, now: Date): StoredRun {
  if (claim.idleClaims <= IDLE_CLAIMS) return stored;
  const { history } = stored;
  const message = `The run was begun ${IDLE_CLAIMS} times without getting a step further.`;
  const remedy = 'All that was stored is safe. Look into the log for the cause, then resume the run.';
  return {
    ...stored,
    history: {
      ...history,
      failure: {
        ...NO_SPEND,
        kind: 'internal_error',
        cause: null,
        role: null,
        message,
        remedy,
        step: history.step,
        at: now.toISOString(),
      },
    },
  };
}
