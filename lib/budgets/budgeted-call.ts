import type { Database } from '#lib/database/database.ts';
import { whileUnreachable } from '#lib/database/while-unreachable.ts';
import { CANCELLED, type ModelCaller, type ModelOutcome, type ModelRequest } from '#lib/providers/call/model-caller.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { addOtherSpend, type SpendPurpose } from '#lib/runs/other-spend.ts';
import { estimateCall, overBudget, rememberAnswer } from './over-budget.ts';
import { type Hold, spendLedger } from './spend-ledger.ts';

type Scope = {
  database: Database;
  now: () => Date;
  /** Whose budget it is held against beside the month's. */
  experimentId: string | null;
  /** What it is for where no run's journal keeps its calls: they are then kept as other spending at once. Null: the journal does. */
  purpose: SpendPurpose | null;
};

export type BudgetedCall = {
  call: ModelCaller;
  /** Says that the journal has kept these calls: from then on the rows tell of them. */
  written: (entries: readonly CallEntry[]) => void;
  /** Says that no call is left to be kept. */
  close: () => void;
};

/** How long an answer waits for a database that is away, in milliseconds. */
const DATABASE_AWAY_MS = 300_000;

/**
 * Asks models only as far as the budgets of the experiment and of the month go, looked up before every call. One that would probably
 * pass them is not made: its failure says which, and what to do. What failed tries cost counts like the rest.
 */
export function budgetedCall(call: ModelCaller, { database, now, experimentId, purpose }: Scope): BudgetedCall {
  const ledger = spendLedger(database);
  const answered = new Map<string, Hold[]>();
  const release = (hold: Hold) => void ledger.holds.delete(hold);

  const admit = async (request: ModelRequest): Promise<Hold | ModelOutcome> => {
    const hold: Hold = { experimentId, costUsd: 0, tokens: 0 };
    const limits = await ledger.limitsOf(experimentId);
    if (Object.values(limits).every((limit) => limit === null)) return hold;
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
    rememberAnswer(ledger, request, outcome);
    if (purpose === null) {
      const key = keyOf(request);
      answered.set(key, [...(answered.get(key) ?? []), hold]);
      return;
    }
    const { provider } = request.model;
    const spend = { experimentId, purpose, provider, tokenUsage, costUsd };
    if (tokenUsage.total > 0 || (costUsd ?? 0) > 0)
      await whileUnreachable(() => addOtherSpend(database, spend, now()), DATABASE_AWAY_MS, NEVER);
    release(hold);
  };

  return {
    call: async (request, options) => {
      let hold: Hold | null = null;
      try {
        const admitted = await whileUnreachable(() => admit(request), DATABASE_AWAY_MS, options.signal);
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
    close: () => {
      for (const hold of [...answered.values()].flat()) release(hold);
      answered.clear();
    },
  };
}

const NEVER = new AbortController().signal;

/** Calls with the same key are made one after another, and each is kept before the step that comes next asks. */
function keyOf({ role, ordinal }: { role: string; ordinal: number }): string {
  return `${role} ${ordinal}`;
}
