import type { History } from './history.ts';
import type { ModelOutcome } from './model-request.ts';
import { NO_SPEND, type Spend, type TokenUsage } from './token-usage.ts';
import { triesByVersion } from './tuning/case-scores.ts';

/** Returns the total spend of several calls. The cost is null if any of them has no known price. */
export function sumSpend(spends: readonly Spend[]): Spend {
  return spends.reduce(
    (sum, spend) => ({
      tokenUsage: sumTokens(sum.tokenUsage, spend.tokenUsage),
      costUsd: sum.costUsd === null || spend.costUsd === null ? null : sum.costUsd + spend.costUsd,
      durationMs: sum.durationMs + spend.durationMs,
    }),
    NO_SPEND,
  );
}

function sumTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  return { input: one.input + other.input, output: one.output + other.output, total: one.total + other.total };
}

/**
 * Returns the total spend on one version: making it (including agents' turns), example scores, evaluations, and its critique or lesson. The
 * sum over all versions is the run's spend.
 */
export function spendOnVersion(history: History, versionNumber: number): Spend {
  return sumSpend([
    ...history.versions.filter((version) => version.number === versionNumber),
    ...[history.evaluations, history.critiques, history.lessons].flatMap((records) =>
      records.filter((record) => record.version === versionNumber),
    ),
    ...(triesByVersion(history.tries).get(versionNumber) ?? []),
  ]);
}

/** Returns the total spend of a run, including failed calls. */
export function spendOfRun(history: History): Spend {
  return sumSpend(spendsOf(history));
}

/** Returns all individual spends of a run. */
export function spendsOf(history: History): Spend[] {
  const { versions, evaluations, critiques, lessons, tries, turns, lostSpend } = history;
  // A version made by agents includes the spend of their turns. Turns only count separately while the version is in progress.
  const made = new Set(versions.map(({ number }) => number));
  const underWay = turns.filter(({ version }) => !made.has(version));
  return [...versions, ...evaluations, ...critiques, ...lessons, ...tries, ...underWay, lostSpend];
}

/** Returns the spend of a call, successful or not. */
export function spendOfCall(outcome: ModelOutcome): Spend {
  const { tokenUsage, costUsd, latencyMs }: { tokenUsage: TokenUsage; costUsd: number | null; latencyMs: number } =
    outcome.ok ? outcome.reply : outcome.failure;
  return { tokenUsage, costUsd, durationMs: latencyMs };
}
