import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';

/** How many there are; a sum that is not counted further than `MOST_COUNTED` says no more than that. */
export const MOST_COUNTED = 10_000;
/** Failures that are looked at: of more than these the number is not told. */
export const MOST_FAILED = 100;
/** Failures older than this are not shown. */
export const FAILED_DAYS = 7;

/** A run that failed of late. */
export type FailedRun = {
  id: string;
  number: number;
  input: string;
  experimentName: string;
  /** Empty if no model call failed. */
  message: string;
  reason: StopReason | null;
  finishedAt: string;
};

/** Of each experiment, the newest runs that its trend is made of. */
export const MOST_TREND_RUNS = 1_000;
/** What the ended runs of one version of an experiment's settings came to: how many succeeded, and how many cases they are of. */
export type VersionSuccess = { version: number; cases: number; solved: CountedShare };
/** How often the runs of an experiment succeeded, by version of its settings, the oldest first. */
export type ExperimentTrend = { id: string; name: string; isPractice: boolean; versions: VersionSuccess[] };

/** A version of a prompt with a label, and when the label came there. */
export type LabelledPrompt = { name: string; label: string; version: number; movedBy: string; movedAt: string };

/** What a provider's models cost in a month, in US dollars; `unpriced` calls have no known price. */
export type ProviderSpend = { provider: string; costUsd: number; unpriced: number };
