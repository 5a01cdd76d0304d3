import type { ControlKind } from './experiment-origin.ts';
import type { ExperimentSettings } from './settings.ts';

/** What a control of an experiment is made with. `budget`: what each run of an equal-cost control may spend; others take theirs over. */
export type ControlChoices = {
  control: ControlKind;
  budget: { maxTokens: number | null; maxCostUsd: number | null };
  /** Of fresh drafts; null: as it is. */
  temperature: number | null;
};

/** Drafts of an equal-cost control vary by this where the experiment's own would all be alike. */
export const RESAMPLING_TEMPERATURE = 0.7;
/** Drafts of one case at most: the budget ends a run long before, but for very cheap ones. */
const MOST_DRAFTS = 50;

/**
 * The settings of a control: `no_lessons` changes nothing but that no lesson is recalled or written; `equal_cost` spends as much on fresh
 * drafts of the same prompt, scored by the same criteria, until one is good enough: what reflection must beat to be worth its cost.
 * Source: Shinn et al. 2023 and Huang et al. 2024 (self-correction is to be held against sampling at the same cost).
 */
export function controlSettings(settings: ExperimentSettings, choices: ControlChoices): ExperimentSettings {
  const bare = withoutLessons(settings);
  if (choices.control === 'no_lessons') return bare;
  const { generator } = settings;
  return {
    ...bare,
    mode: 'retry',
    maxAttempts: MOST_DRAFTS,
    convergence: null,
    generator: { ...generator, temperature: choices.temperature ?? generator.temperature },
    triggers: { ...settings.triggers, onError: false, onQualityDrop: false, stepInterval: null, onTools: [] },
    budget: { ...settings.budget, maxCalls: null, maxSeconds: null, ...choices.budget },
  };
}

/** No lesson of the library is recalled, none is written, and nobody is asked: the runs go their way alone. */
export function withoutLessons(settings: ExperimentSettings): ExperimentSettings {
  return {
    ...settings,
    lessons: { ...settings.lessons, store: 'none', pinned: [], write: 'off', reflectOnEnd: false },
    callbacks: {
      ...settings.callbacks,
      pause: 'never',
      review: { drafts: false, revisions: false },
      webhook: null,
      escalate: false,
    },
  };
}

/** Whether lessons play any part in an experiment. */
export function usesLessons({ lessons }: Pick<ExperimentSettings, 'lessons'>): boolean {
  return lessons.store !== 'none' || lessons.pinned.length > 0 || lessons.write !== 'off';
}

/** Whether fresh drafts of the same prompt come out alike, so that they must be made to vary. */
export function draftsAlike({ generator }: Pick<ExperimentSettings, 'generator'>): boolean {
  return generator.temperature === null || generator.temperature === 0;
}
