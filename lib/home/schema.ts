import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';

/** Maximum count. A value equal to `MAX_OVERVIEW_COUNT` means that many or more. */
export const MAX_OVERVIEW_COUNT = 10_000;
/** Maximum number of failures counted. Above it, no number is shown. */
export const MAX_FAILED_RUNS = 100;
/** Failures older than this are not shown. */
export const FAILED_DAYS = 7;

/** A run that failed recently. */
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

/** Maximum number of runs per experiment in a trend, the newest. */
export const MAX_TREND_RUNS = 1_000;
/** Results of the ended runs of one settings version: the share that succeeded, and their number of cases. */
export type VersionSuccess = { version: number; cases: number; solved: CountedShare };
/** Success rate of an experiment's runs by settings version, oldest first. */
export type ExperimentTrend = { id: string; name: string; isPractice: boolean; versions: VersionSuccess[] };

/** A prompt version with a label, and the time the label was moved there. */
export type LabelledPrompt = { name: string; label: string; version: number; movedBy: string; movedAt: string };

/** Monthly cost of a provider's models in US dollars. `unpriced` is the number of calls without a known price. */
export type ProviderSpend = { provider: string; costUsd: number; unpriced: number };
