import { z } from 'zod';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { mostVersions } from './most-versions.ts';

/** What an arm of a comparison may spend on a run, and what it did spend on average: null where nothing ran, cost also where unpriced. */
export type ArmEffort = {
  settings: Pick<ExperimentSettings, 'mode' | 'maxAttempts' | 'maxIterations' | 'budget'>;
  costPerRun: number | null;
  tokensPerRun: number | null;
};

const perArm = z.object({
  /** Versions (attempts, in retry mode) that a run may make. */
  mostVersions: z.int().min(1),
  /** Spent per run, as a multiple of the baseline's: in dollars where both have a price, else in tokens; null where neither is known. */
  spent: z.number().min(0).nullable(),
  spentIn: z.enum(['cost', 'tokens']).nullable(),
  hasOtherBudget: z.boolean(),
});

/** How arms differ in effort; `arms` in their order. */
export const effortDifferenceSchema = z.object({
  arms: z.array(perArm),
  /** They may make other numbers of versions, or have other budgets. */
  hasOtherLimits: z.boolean(),
  /** One spent noticeably more or less a run than the baseline. */
  hasOtherSpend: z.boolean(),
});
export type EffortDifference = z.infer<typeof effortDifferenceSchema>;

/** Spending this many times as much, or as little, is said. */
const NOTICEABLE = 1.25;

/** Compares what arms may spend and did spend with the arm at `baseline`: a result that was paid for with more effort is no better setting. */
export function effortDifference(arms: readonly ArmEffort[], baseline: number): EffortDifference {
  const base = arms[baseline];
  const compared = arms.map((arm) => ({
    mostVersions: mostVersions(arm.settings),
    ...spentAgainst(arm, base),
    hasOtherBudget: JSON.stringify(arm.settings.budget) !== JSON.stringify(base?.settings.budget),
  }));
  return {
    arms: compared,
    hasOtherLimits:
      new Set(compared.map((arm) => arm.mostVersions)).size > 1 ||
      compared.some(({ hasOtherBudget }) => hasOtherBudget),
    hasOtherSpend: compared.some(({ spent }) => isNoticeable(spent)),
  };
}

function spentAgainst(
  arm: ArmEffort,
  base: ArmEffort | undefined,
): Pick<EffortDifference['arms'][number], 'spent' | 'spentIn'> {
  const cost = ratioOf(arm.costPerRun, base?.costPerRun ?? null);
  if (cost !== null) return { spent: cost, spentIn: 'cost' };
  const tokens = ratioOf(arm.tokensPerRun, base?.tokensPerRun ?? null);
  return { spent: tokens, spentIn: tokens === null ? null : 'tokens' };
}

function ratioOf(spent: number | null, base: number | null): number | null {
  return spent === null || base === null || base === 0 ? null : spent / base;
}

/** Whether what was spent, as a multiple of the baseline's, is worth saying. */
export function isNoticeable(spent: number | null): boolean {
  return spent !== null && (spent >= NOTICEABLE || spent <= 1 / NOTICEABLE);
}
