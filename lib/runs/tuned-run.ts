import type { RunStatus } from '#lib/core/run-record.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';

/** How one prompt of a tuning run did; null where it was not tried on every case of that kind. */
export type TunedPrompt = { version: number; chosenBy: MeanInterval | null; heldOut: MeanInterval | null };

/** A tuning run in short: the prompt it began with beside the one it would return. */
export type TunedRun = {
  id: string;
  number: number;
  status: RunStatus;
  success: boolean;
  convergenceReason: StopReason | null;
  proposals: number;
  accepted: number;
  calls: number;
  first: TunedPrompt | null;
  best: TunedPrompt | null;
};
