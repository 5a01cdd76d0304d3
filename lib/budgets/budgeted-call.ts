import { TOKENS_OF_FILE } from '#lib/core/chat/chat-message.ts';
import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import type { Database } from '#lib/database/database.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { formatCount, formatMoney } from '#lib/format.ts';
import { filesOfRequest } from '#lib/providers/call/chat-messages.ts';
import {
  CANCELLED,
  type ModelCaller,
  type ModelFailure,
  type ModelOutcome,
  type ModelRequest,
} from '#lib/providers/call/model-caller.ts';
import { priceOf } from '#lib/providers/list-price.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { addOtherSpend, type SpendPurpose } from '#lib/runs/other-spend.ts';
import { beginOfMonth, nextMonth } from '#lib/settings/schema.ts';
import { type BudgetLimits, spentByExperiment, spentSince } from './queries.ts';
import { type Hold, type SpendLedger, spendLedger } from './spend-ledger.ts';

type Scope = {
  database: Database;
  now: () => Date;
  /** Experiment whose budget applies in addition to the month's. */
  experimentId: string | null;
  /** Purpose of calls that no run's journal stores. They are stored immediately as other spending. Null if the journal stores them. */
  purpose: SpendPurpose | null;
};

export type BudgetedCall = {
  call: ModelCaller;
  /** Called when the journal has stored these calls. From then on, the database rows include them. */
  written: (entries: readonly AnsweredCall[]) => void;
  /**
   * Delays the budget checks of later calls until the save of earlier ones has succeeded or failed. Until then, the rows may include calls
   * that are not reported as `written`, and a check would count these twice. `endSave` is called only if there is a budget to check.
   */
  waitFor: (endSave: () => Promise<unknown>) => void;
  /** Called when no more calls will be stored. */
  close: () => void;
};

type AnsweredCall = Pick<CallEntry, 'role' | 'ordinal'>;

/** Maximum time that a call outside a run waits to record its cost in an unavailable database, in milliseconds. */
const MAX_DATABASE_WAIT_MS = 300_000;

/**
 * Makes model calls only within the budgets of the experiment and the month, which are checked before each call. A call that would probably
 * exceed one is not made, and its failure names the budget and the remedy. The cost of failed attempts counts too.
 */
export function budgetedCall(call: ModelCaller, { database, now, experimentId, purpose }: Scope): BudgetedCall {
  const ledger = spendLedger(database);
  const answered = new Map<string, Hold[]>();
  let endSave: () => Promise<unknown> = async () => undefined;
  const release = (hold: Hold) => void ledger.holds.delete(hold);

  const admit = async (request: ModelRequest): Promise<Hold | ModelOutcome> => {
    const hold: Hold = { experimentId, costUsd: 0, tokens: 0 };
    const limits = await ledger.limitsOf(experimentId);
    if (Object.values(limits).every((limit) => limit === null)) return hold;
    await endSave().catch(() => undefined);
    const estimate = await estimateCall(ledger, request, now());
    Object.assign(hold, { costUsd: estimate.costUsd ?? 0, tokens: estimate.tokens });
    ledger.holds.add(hold);
    const failure = await overBudget({ database, ledger, limits, hold, estimate, now: now() }).catch((error) => {
      release(hold);
      throw error;
    });
    if (failure === null) return hold;
    release(hold);
    return { ok: false, failure };
  };

  const keep = async (request: ModelRequest, outcome: ModelOutcome, hold: Hold): Promise<void> => {
    const { tokenUsage, costUsd } = outcome.ok ? outcome.reply : outcome.failure;
    Object.assign(hold, { costUsd: costUsd ?? 0, tokens: tokenUsage.total });
    recordResponseLength(ledger, request, outcome);
    if (purpose === null) {
      const key = keyOf(request);
      answered.set(key, [...(answered.get(key) ?? []), hold]);
      return;
    }
    const { provider } = request.model;
    const spend = { experimentId, purpose, provider, tokenUsage, costUsd };
    if (tokenUsage.total > 0 || (costUsd ?? 0) > 0)
      await retryWhileUnreachable(() => addOtherSpend(database, spend, now()), NEVER, MAX_DATABASE_WAIT_MS);
    release(hold);
  };

  return {
    call: async (request, options) => {
      let hold: Hold | null = null;
      try {
        const admitted = await retryWhileUnreachable(() => admit(request), options.signal);
        if ('ok' in admitted) return admitted;
        hold = admitted;
        const outcome = await call(request, options);
        await keep(request, outcome, hold);
        return outcome;
      } catch (error) {
        if (hold !== null) release(hold);
        if (options.signal.aborted) return CANCELLED;
        throw error;
      }
    },
    written: (entries) => {
      for (const entry of entries) {
        const hold = answered.get(keyOf(entry))?.shift();
        if (hold !== undefined) release(hold);
      }
    },
    waitFor: (wait) => {
      endSave = wait;
    },
    close: () => {
      for (const hold of [...answered.values()].flat()) release(hold);
      answered.clear();
    },
  };
}

const NEVER = new AbortController().signal;

/** Calls with the same key are made and stored in the same order. */
function keyOf({ role, ordinal }: AnsweredCall): string {
  return `${role} ${ordinal}`;
}

/** Estimated use of a call. `costUsd` is null if its model has no known price. */
type CallEstimate = { tokens: number; costUsd: number | null };

/** Assumed length of a response in tokens, until there is one of its kind. */
const FIRST_OUTPUT_TOKENS = 256;

/** Estimates a call in advance: the request by its length, the response by the previous ones with the same role and model. */
async function estimateCall(
  { pricesOf, answers }: Pick<SpendLedger, 'pricesOf' | 'answers'>,
  request: ModelRequest,
  now: Date,
): Promise<CallEstimate> {
  const { role, model, instructions, prompt, conversation, tools, maxOutputTokens } = request;
  const conversationTokens = estimatedTokens([conversation, tools].map((part) => JSON.stringify(part) ?? '').join(''));
  const files = filesOfRequest(request).length * TOKENS_OF_FILE;
  const input = estimatedTokens(instructions) + estimatedTokens(prompt) + conversationTokens + files;
  const usual = role === 'embed' ? 0 : (answers.get(kindOf(request))?.mean ?? FIRST_OUTPUT_TOKENS);
  const output = Math.ceil(Math.min(usual, maxOutputTokens ?? Number.POSITIVE_INFINITY));
  return { tokens: input + output, costUsd: await listedCost(pricesOf, model, { input, output }, now) };
}

async function listedCost(
  pricesOf: SpendLedger['pricesOf'],
  { provider, model }: ModelReference,
  tokens: { input: number; output: number },
  now: Date,
): Promise<number | null> {
  const configuration = await pricesOf(provider);
  return configuration === null ? null : priceOf(configuration, model, { ...tokens, cached: 0 }, now);
}

/** Returns a function that computes the price of a call from the stored and listed prices. Null if a model has none. */
export function callPrices(database: Database, now: () => Date): NonNullable<StepContext['priceOf']> {
  const { pricesOf } = spendLedger(database);
  return (model, tokens) => listedCost(pricesOf, model, tokens, now());
}

/** Records the length of a response for later estimates. */
function recordResponseLength(
  { answers }: Pick<SpendLedger, 'answers'>,
  request: ModelRequest,
  outcome: ModelOutcome,
): void {
  if (!outcome.ok || outcome.reply.attempts === 0) return;
  const { tokenUsage, maybeBilled } = outcome.reply;
  const output = tokenUsage.output - (maybeBilled?.output ?? 0);
  const { n, mean } = answers.get(kindOf(request)) ?? { n: 0, mean: 0 };
  answers.set(kindOf(request), { n: n + 1, mean: mean + (output - mean) / (n + 1) });
}

function kindOf({ role, model }: ModelRequest): string {
  return JSON.stringify([role, model.provider, model.model]);
}

type Asked = {
  database: Database;
  ledger: SpendLedger;
  limits: BudgetLimits;
  hold: Hold;
  estimate: CallEstimate;
  now: Date;
};

/** Maximum number of times the rows are summed again because calls were stored meanwhile. */
const MAX_READS = 10;

/**
 * Returns the reason why a call must not be made: together with stored spending and earlier calls of this process, it would probably exceed
 * a budget. Null if it may be made. Calls without a known price cost nothing here.
 */
async function overBudget(request: Asked): Promise<ModelFailure | null> {
  const { ledger, hold } = request;
  for (let attempt = 1; ; attempt++) {
    const atFirst = listEarlierHolds(ledger, hold);
    const spent = await readSpent(request);
    const still = listEarlierHolds(ledger, hold);
    // A call stored meanwhile may or may not be in the rows. The upper bound counts all calls held at first, the lower bound only those
    // still held.
    const atMost = passedBudget(request, spent, atFirst);
    if (atMost === null || still.length === atFirst.length) return atMost;
    const atLeast = passedBudget(request, spent, still);
    if (atLeast !== null) return atLeast;
    if (attempt === MAX_READS) return atMost;
  }
}

type Spent = { experiment: { costUsd: number; tokens: number } | null; monthUsd: number };

async function readSpent({ database, limits, hold: { experimentId }, now }: Asked): Promise<Spent> {
  const watchesExperiment = limits.experimentCostUsd !== null || limits.experimentTokens !== null;
  return {
    experiment: experimentId !== null && watchesExperiment ? await spentByExperiment(database, experimentId) : null,
    monthUsd: limits.monthCostUsd !== null ? await spentSince(database, beginOfMonth(now)) : 0,
  };
}

/** Returns the budget that these calls would exceed in addition to the rows. */
function passedBudget(
  { limits, hold, estimate, now }: Asked,
  rows: Spent,
  holds: readonly Hold[],
): ModelFailure | null {
  const costUsd = estimate.costUsd ?? 0;
  if (rows.experiment !== null) {
    const ofExperiment = holds.filter((other) => other.experimentId === hold.experimentId);
    const tokens = rows.experiment.tokens + sum(ofExperiment, (other) => other.tokens);
    if (limits.experimentTokens !== null && tokens + estimate.tokens > limits.experimentTokens)
      return refusal('experiment_budget', {
        message: `The experiment's budget of ${formatCount(limits.experimentTokens)} tokens is used up: its runs used ${formatCount(tokens)}, and this call may take about ${formatCount(estimate.tokens)}.`,
        remedy: 'Raise the tokens of the experiment in its settings, then resume the run.',
      });
    const spent = rows.experiment.costUsd + sum(ofExperiment, (other) => other.costUsd);
    if (exceedsLimit(spent, costUsd, limits.experimentCostUsd))
      return refusal('experiment_budget', {
        message: `The experiment's budget of ${formatMoney(limits.experimentCostUsd)} is used up: its runs cost ${formatMoney(spent)}, and this call may cost about ${formatMoney(costUsd)}.`,
        remedy: 'Raise the budget of the experiment in its settings, then resume the run.',
      });
  }
  const spent = rows.monthUsd + sum(holds, (other) => other.costUsd);
  if (exceedsLimit(spent, costUsd, limits.monthCostUsd))
    return refusal('month_budget', {
      message: `The month's budget of ${formatMoney(limits.monthCostUsd)} is used up: ${formatMoney(spent)} spent, and this call may cost about ${formatMoney(costUsd)}.`,
      remedy: `Raise the budget on the Models page, or wait for ${nextMonth(now)} (UTC). Then resume the run.`,
    });
  return null;
}

/**
 * A free call never exceeds a cost budget. The tolerance covers floating-point sums such as 0.1 + 0.2, which come out slightly too high.
 */
function exceedsLimit(spent: number, costUsd: number, limit: number | null): limit is number {
  return limit !== null && costUsd > 0 && spent + costUsd - limit > 1e-9 * limit;
}

function listEarlierHolds({ holds }: SpendLedger, current: Hold): Hold[] {
  const before: Hold[] = [];
  for (const hold of holds) {
    if (hold === current) break;
    before.push(hold);
  }
  return before;
}

function sum(holds: readonly Hold[], value: (hold: Hold) => number): number {
  return holds.reduce((total, hold) => total + value(hold), 0);
}

function refusal(
  kind: 'experiment_budget' | 'month_budget',
  { message, remedy }: Pick<ModelFailure, 'message' | 'remedy'>,
): ModelFailure {
  const tokenUsage = { input: 0, output: 0, total: 0 };
  return { kind, message, remedy, status: null, attempts: 0, latencyMs: 0, tokenUsage, costUsd: 0 };
}
