import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { Workshop } from '#lib/context/app-context.ts';
import { type PromptTry, tryPromptCase } from '#lib/core/try-prompt-case.ts';
import { evaluateOutput } from '#lib/evaluators/evaluate-output.ts';
import { limitedCall } from '#lib/models/limited-call.ts';
import { providerDirectory } from '#lib/models/provider-directory.ts';
import { CALLED_OFF } from '#lib/providers/call/cancelled.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller, ModelFailure, ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { privateTagsCall } from '#lib/providers/call/private-tags.ts';
import { pythonRunner } from '#lib/settings/python-runner.ts';
import { webhookValidator } from '#lib/webhooks/webhook-validator.ts';
import { paidReplies } from '#lib/worker/reuse-saved-responses.ts';
import { proofSpend } from './evaluation-spend.ts';
import { isKnown, type PlannedCell, type ProofPlan } from './plan-evaluation.ts';
import type { PromptProof, ProofCell, ProofEvent } from './prompt-evaluation.ts';
import { insertPromptProof } from './prompt-evaluations.ts';
import { promptSettings } from './prompt-settings.ts';

type Options = {
  signal: AbortSignal;
  emit: (event: ProofEvent) => void;
  /** Asks models in place of the usual caller. */
  call?: ModelCaller;
};

/** Answers that are made at the same time. */
const AT_ONCE = 6;

/**
 * Tries what is planned and tells of each answer as it comes: those that are kept first, then the others, of which each is kept at once
 * and never paid for again. Called off, it starts nothing more, and comes back when no call is left.
 */
export async function provePrompt(workshop: Workshop, plan: ProofPlan, { signal, emit, call }: Options): Promise<void> {
  const known = plan.cells.filter((cell) => isKnown(cell, plan.again));
  emit({ type: 'begin', cells: plan.cells.length, known: known.length, calls: plan.calls });
  for (const cell of known)
    if (cell.kept !== null) emit({ type: 'proof', ...placeOf(cell), known: true, proof: cell.kept });
  const open = Map.groupBy(
    plan.cells.filter((cell) => !isKnown(cell, plan.again)),
    ({ key }) => key,
  );
  const spend = proofSpend();
  const stopped = plan.pay
    ? await proveOpen(workshop, plan, [...open.values()], { signal, emit, call, spend })
    : open.size;
  emit({ type: 'end', ...spend.sum(), stopped });
}

type Bench = Options & { spend: ReturnType<typeof proofSpend> };

/** Answers how many were not tried, or called off. Cells with the same key stand together: they are tried once. */
async function proveOpen(workshop: Workshop, plan: ProofPlan, open: PlannedCell[][], bench: Bench): Promise<number> {
  if (open.length === 0) return 0;
  const { resolveProvider, limitsOf, rememberRefused } = providerDirectory(workshop);
  const { database, newId, now } = workshop;
  const limited = limitedCall(
    bench.call ??
      privateTagsCall(
        createModelCaller({ resolveProvider, rememberRefused, addresses: workshop.addresses }),
        workshop.secret,
      ),
    {
      database,
      holder: newId(),
      limitsOf,
    },
  );
  const budgeted = budgetedCall(limited, { database, now, experimentId: null, purpose: 'playground' });
  const counted: ModelCaller = async (request, options) => bench.spend.add(await budgeted.call(request, options));
  const paid = paidReplies({ database, call: counted, owner: { promptName: plan.name }, now });
  const broken = new AbortController();
  const signal = AbortSignal.any([bench.signal, broken.signal]);
  const shut = new Map<number, ModelFailure>();
  const waiting = open.values();
  let stopped = 0;

  const work = async () => {
    for (const cells of waiting) {
      const [cell] = cells;
      if (cell === undefined) continue;
      if (signal.aborted) {
        stopped += 1;
        continue;
      }
      const tell = (event: (place: ProofCell) => ProofEvent) => {
        for (const one of cells) bench.emit(event(placeOf(one)));
      };
      const refused = shut.get(cell.model);
      const outcome =
        refused === undefined
          ? await tryCell(workshop, plan, cell, {
              signal,
              onText: (piece) => tell((place) => ({ type: 'text', ...place, piece })),
              // The answer that was paid for is used again; its judge must be asked anew, or would say the same.
              call: (request, options) => (plan.again && request.role === 'judge' ? counted : paid)(request, options),
            })
          : { ok: false as const, failure: refused };
      if (outcome.ok) {
        const proof = proofOf(outcome.tried, now());
        await insertPromptProof(database, plan.name, cell.key, proof);
        tell((place) => ({ type: 'proof', ...place, known: outcome.tried.paidBefore, proof }));
      } else if (outcome.failure.kind === 'aborted') stopped += 1;
      else {
        if (HOPELESS.includes(outcome.failure.kind)) shut.set(cell.model, outcome.failure);
        const { message, remedy } = outcome.failure;
        tell((place) => ({ type: 'failed', ...place, message, remedy }));
      }
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

/** What the next case would fail of as well. */
const HOPELESS: ModelFailure['kind'][] = [
  'unknown_provider',
  'no_key',
  'unauthorized',
  'forbidden',
  'not_found',
  'month_budget',
];

type Trying = { signal: AbortSignal; onText: (piece: string) => void; call: ModelCaller };

function tryCell(workshop: Workshop, plan: ProofPlan, cell: PlannedCell, { signal, onText, call }: Trying) {
  const text = plan.texts[cell.text];
  const model = plan.models[cell.model];
  if (text === undefined || model === undefined) throw new Error('a planned answer names no text or model of its plan');
  const validate = webhookValidator(workshop);
  const ask = async (request: ModelRequest): Promise<ModelOutcome> =>
    signal.aborted ? CALLED_OFF : call(request, { signal, onText: request.role === 'try' ? onText : null });
  return tryPromptCase({
    settings: promptSettings(plan.setup, text, model),
    case: cell.task,
    prompt: text,
    call: ask,
    place: 0,
    attempt: 0,
    evaluate: (request) =>
      evaluateOutput({
        ...request,
        python: pythonRunner(workshop),
        validate: (webhook, asked) => validate(webhook, { ...asked, run: null }, signal),
      }),
  });
}

function placeOf({ text, model, position }: PlannedCell): ProofCell {
  return { text, model, position };
}

function proofOf(tried: PromptTry, now: Date): PromptProof {
  const { output, finishReason, status, score, criteriaScores, satisfactory, feedback, detail } = tried;
  const { tokenUsage, costUsd, durationMs } = tried;
  return {
    output,
    finishReason,
    status,
    score,
    criteriaScores,
    satisfactory,
    feedback,
    detail,
    inputTokens: tokenUsage.input,
    outputTokens: tokenUsage.output,
    costUsd,
    durationMs: Math.round(durationMs),
    createdAt: now.toISOString(),
  };
}
