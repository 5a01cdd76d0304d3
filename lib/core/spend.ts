import type { History } from './history.ts';
import type { ModelOutcome } from './model-request.ts';
import { NO_SPEND, type Spend, type TokenUsage } from './token-usage.ts';
import { triesByVersion } from './tuning/cases-of.ts';

/** The sum of what several calls cost. The money is null as soon as one of them has no known price. */
export function sumSpend(spends: Spend[]): Spend {
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

/** Everything spent on one version: making it (an agent's turns are in what the version cost), trying it on cases, scoring it, and its critique or lesson. The versions' sums make the run's. */
export function spendOnVersion(history: History, versionNumber: number): Spend {
  return sumSpend([
    ...history.versions.filter((version) => version.number === versionNumber),
    ...[history.evaluations, history.critiques, history.lessons].flatMap((records) =>
      records.filter((record) => record.version === versionNumber),
    ),
    ...(triesByVersion(history.tries).get(versionNumber) ?? []),
  ]);
}

/** Everything a run cost, failed calls included. */
export function spendOfRun(history: History): Spend {
  return sumSpend(spendsOf(history));
}

/** All single spends of a run. */
export function spendsOf(history: History): Spend[] {
  const { versions, evaluations, critiques, lessons, tries, turns, lostSpend } = history;
  // A version that agents made costs what their turns did: these count only while it is under way.
  const made = new Set(versions.map(({ number }) => number));
  const underWay = turns.filter(({ version }) => !made.has(version));
  return [...versions, ...evaluations, ...critiques, ...lessons, ...tries, ...underWay, lostSpend];
}

/** What a call cost, whether it was answered or not. */
export function spendOfCall(outcome: ModelOutcome): Spend {
  const { tokenUsage, costUsd, latencyMs }: { tokenUsage: TokenUsage; costUsd: number | null; latencyMs: number } =
    outcome.ok ? outcome.reply : outcome.failure;
  return { tokenUsage, costUsd, durationMs: latencyMs };
}
