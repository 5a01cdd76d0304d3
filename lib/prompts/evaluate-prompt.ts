import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { settingsForCase } from '#lib/core/case-criteria.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import { EMPTY_EVALUATION } from '#lib/core/evaluate-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { type PromptTry, tryPromptCase } from '#lib/core/try-prompt-case.ts';
import { evaluateOutput, withSchemaFaults } from '#lib/evaluators/evaluate-output.ts';
import { responseSchemaFaults } from '#lib/evaluators/response-schema.ts';
import { storedModels } from '#lib/model-calls/stored-models.ts';
import {
  CANCELLED,
  type ModelCaller,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
} from '#lib/providers/call/model-caller.ts';
import { pythonRunner } from '#lib/settings/python.ts';
import { webhookValidator } from '#lib/webhooks/send-webhook.ts';
import { reusePaidResponses } from '#lib/worker/reuse-saved-responses.ts';
import type { EvaluationCell, EvaluationEvent, PromptEvaluation } from './evaluation-schema.ts';
import { evaluationSpend, insertPromptEvaluation } from './evaluation-scores.ts';
import { type EvaluationPlan, hasUsableResult, type PlannedCell } from './plan-evaluation.ts';
import { promptSettings } from './prompt-setup.ts';

type Options = {
  signal: AbortSignal;
  emit: (event: EvaluationEvent) => void;
  /** Calls models instead of the default caller. */
  call?: ModelCaller;
};

/** Maximum concurrent evaluations. */
const AT_ONCE = 6;

/**
 * Performs a planned evaluation and emits each result: saved ones first, then new ones. New results are saved immediately and never paid
 * for again. After an abort, it starts no calls and returns when the last call has ended.
 */
export async function evaluatePrompt(
  context: AppContext,
  plan: EvaluationPlan,
  { signal, emit, call }: Options,
): Promise<void> {
  const known = plan.cells.filter((cell) => hasUsableResult(cell, plan.again));
  emit({ type: 'begin', cells: plan.cells.length, known: known.length, calls: plan.calls, skipped: plan.skipped });
  for (const cell of known)
    if (cell.stored !== null) emit({ type: 'proof', ...cellAddress(cell), known: true, proof: cell.stored });
  const open = Map.groupBy(
    plan.cells.filter((cell) => !hasUsableResult(cell, plan.again)),
    ({ key }) => key,
  );
  const spend = evaluationSpend();
  const stopped = plan.pay
    ? await evaluateOpen(context, plan, [...open.values()], { signal, emit, call, spend })
    : open.size;
  emit({ type: 'end', ...spend.sum(), stopped });
}

type WorkerContext = Options & { spend: ReturnType<typeof evaluationSpend> };

/** Returns the number of skipped or aborted evaluations. Cells with the same key form a group that is evaluated once. */
async function evaluateOpen(
  context: AppContext,
  plan: EvaluationPlan,
  open: PlannedCell[][],
  worker: WorkerContext,
): Promise<number> {
  if (open.length === 0) return 0;
  const { database, newId, now } = context;
  const limited = storedModels(context, { holder: newId(), call: worker.call });
  const budgeted = budgetedCall(limited, { database, now, experimentId: null, purpose: 'playground' });
  const counted: ModelCaller = async (request, options) => worker.spend.add(await budgeted.call(request, options));
  const paid =
    plan.name === null
      ? counted
      : reusePaidResponses({ database, call: counted, owner: { promptName: plan.name }, now });
  const broken = new AbortController();
  const signal = AbortSignal.any([worker.signal, broken.signal]);
  const failedModels = new Map<string, ModelFailure>();
  const waiting = open.values();
  let stopped = 0;

  /** Returns the outcome of a cell, without a call if one of its models has failed before. */
  const evaluate = async (cell: PlannedCell, used: UsedModels, onText: (piece: string) => void) => {
    const refused =
      failedModels.get(used.generate) ?? (used.evaluate === null ? undefined : failedModels.get(used.evaluate));
    if (refused !== undefined) return { ok: false as const, failure: refused, role: null };
    // The paid response is reused, but the judge must be called again because a saved response would be the same.
    const call: ModelCaller = (request, options) =>
      (plan.again && request.role === 'judge' ? counted : paid)(request, options);
    return tryCell(context, plan, cell, { signal, onText, call });
  };
  /** Evaluates a group of cells. Returns false if it was aborted. */
  const evaluateGroup = async (cell: PlannedCell, cells: readonly PlannedCell[]): Promise<boolean> => {
    if (signal.aborted) return false;
    const emit = (event: (cell: EvaluationCell) => EvaluationEvent) => {
      for (const one of cells) worker.emit(event(cellAddress(one)));
    };
    const used = modelsOf(plan, cell);
    const outcome = await evaluate(cell, used, (piece) => emit((address) => ({ type: 'text', ...address, piece })));
    if (outcome.ok) {
      const evaluation = evaluationOf(outcome.tried, now());
      if (plan.name !== null) await insertPromptEvaluation(database, plan.name, cell.key, evaluation);
      emit((address) => ({ type: 'proof', ...address, known: outcome.tried.paidBefore, proof: evaluation }));
      return true;
    }
    const { kind, message, remedy } = outcome.failure;
    if (kind === 'aborted') return false;
    const failed = outcome.role === null ? null : used[outcome.role];
    if (failed !== null && HOPELESS.includes(kind)) failedModels.set(failed, outcome.failure);
    emit((address) => ({ type: 'failed', ...address, cause: kind, message, remedy }));
    return true;
  };
  const work = async () => {
    for (const cells of waiting) {
      const [cell] = cells;
      if (cell !== undefined && !(await evaluateGroup(cell, cells))) stopped += 1;
    }
  };
  const workers = Array.from({ length: Math.min(AT_ONCE, open.length) }, () =>
    work().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  limited.close();
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return stopped;
}

type UsedModels = { generate: string; evaluate: string | null };

/** Returns keys of the model that answers a case, and of the one that judges it, if any. Both can be the same model. */
function modelsOf({ setup, models }: EvaluationPlan, { model, task }: PlannedCell): UsedModels {
  const answering = models[model];
  const judges = callsOfEvaluation(settingsForCase(setup, task)) > 0;
  const key = (role: string, used: ModelReference | undefined) => `${role} ${used?.provider} ${used?.model}`;
  return {
    generate: key('generate', answering),
    evaluate: judges ? key('evaluate', setup.evaluatorModel ?? answering) : null,
  };
}

/** Failures that the next case would have too. */
const HOPELESS: ModelFailure['kind'][] = [
  'unknown_provider',
  'no_key',
  'unauthorized',
  'forbidden',
  'not_found',
  'month_budget',
];

type Trying = { signal: AbortSignal; onText: (piece: string) => void; call: ModelCaller };

function tryCell(context: AppContext, plan: EvaluationPlan, cell: PlannedCell, { signal, onText, call }: Trying) {
  const body = plan.texts[cell.text];
  const model = plan.models[cell.model];
  if (body === undefined || model === undefined)
    throw new Error('the plan does not contain the text or model of an evaluation');
  const validate = webhookValidator(context);
  const ask = async (request: ModelRequest): Promise<ModelOutcome> =>
    signal.aborted ? CANCELLED : call(request, { signal, onText: request.role === 'try' ? onText : null });
  return tryPromptCase({
    settings: promptSettings(plan.setup, body, model),
    case: cell.task,
    prompt: body.text,
    call: ask,
    index: 0,
    attempt: 0,
    evaluate: async (request) => {
      if (plan.setup.criteria.length === 0) {
        const faults = await responseSchemaFaults(request.settings.generator, request.output);
        return { ok: true, evaluation: withSchemaFaults(EMPTY_EVALUATION, faults) };
      }
      return evaluateOutput({
        ...request,
        python: pythonRunner(context),
        validate: (webhook, options) => validate(webhook, { ...options, run: null }, signal),
      });
    },
  });
}

function cellAddress({ text, model, position }: PlannedCell): EvaluationCell {
  return { text, model, position };
}

function evaluationOf(tried: PromptTry, now: Date): PromptEvaluation {
  const { output, finishReason, status, score, criteriaScores, satisfactory, feedback, detail, costUsd } = tried;
  return {
    ...{ output, finishReason, status, score, criteriaScores, satisfactory, feedback, detail, costUsd },
    inputTokens: tried.tokenUsage.input,
    outputTokens: tried.tokenUsage.output,
    durationMs: Math.round(tried.durationMs),
    createdAt: now.toISOString(),
  };
}
