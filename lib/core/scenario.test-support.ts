import type { History } from './history.ts';
import { historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';
import { nextStep } from './next-step.ts';
import type { ExperimentSettings, ExperimentSettingsInput } from './settings.ts';
import type { Step } from './step.ts';
import type { StopReason } from './stop-reasons.ts';

/**
 * A named case of the stop table: versions under settings, with optional actions on the run, and the expected stop or next step. By
 * default, `also` is empty and `final` is the last version. `continues`: the rules let the run continue.
 */
export type Scenario = {
  name: string;
  settings?: Partial<ExperimentSettingsInput>;
  versions: VersionGiven[];
  spend?: { tokens: number; costUsd: number | null; durationMs: number };
  act?: (history: History, settings: ExperimentSettings) => History;
} & (
  | { stops: StopReason; also?: StopReason[]; best: number | null; final?: number | null; iterations?: number }
  | { continues: true }
  | { next: Partial<Step> }
);

/** Returns the result of the loop for a scenario, in the format of its expectation. */
export function answerTo(scenario: Scenario): object {
  const settings = settingsOf(scenario.settings);
  const { tokens, costUsd, durationMs } = scenario.spend ?? { tokens: 0, costUsd: 0, durationMs: 0 };
  const before = historyOf(settings, scenario.versions, {
    tokenUsage: { input: tokens, output: 0, total: tokens },
    costUsd,
    durationMs,
  });
  const step = nextStep(scenario.act?.(before, settings) ?? before, settings, NOW);
  if (step.type !== 'stop') return { next: step };
  const { reason, alsoHeld, bestVersion, finalVersion, success, iterationsUsed } = step.ending;
  return { stops: reason, also: alsoHeld, best: bestVersion, final: finalVersion, success, iterations: iterationsUsed };
}

/** Returns the complete expected result of a scenario. */
export function expectationOf(scenario: Scenario): object {
  const last = scenario.versions.length - 1;
  if ('continues' in scenario) return { next: { type: 'proceed', version: last } };
  if ('next' in scenario) return { next: scenario.next };
  const { stops, also = [], best, final = last, iterations } = scenario;
  const success = stops === 'quality_met' || stops === 'user_accepted';
  return { stops, also, best, final, success, ...(iterations === undefined ? {} : { iterations }) };
}

const NOW = new Date('2026-01-05T11:00:00.000Z');
