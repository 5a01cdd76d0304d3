import type { BaseSettings, BuiltInTool } from '#lib/core/agents/base-settings.ts';
import { usedTools } from '#lib/core/agents/tool-calls.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { ControlKind } from './schema.ts';

/** Returns the base without one tool in any of its agents. */
function withoutTool(base: BaseSettings, tool: string): BaseSettings {
  const left = (tools: string[]) => tools.filter((name) => name !== tool);
  switch (base.type) {
    case 'single':
      return base;
    case 'react':
      return { ...base, tools: left(base.tools), approve: left(base.approve) };
    case 'supervisor':
      return {
        ...base,
        tools: left(base.tools),
        approve: left(base.approve),
        workers: base.workers.map((worker) => ({ ...worker, tools: left(worker.tools) })),
      };
  }
}

/** Options of a control experiment. `budget` is the limit per run of an equal-cost control. Other controls keep the experiment's budget. */
export type ControlChoices = {
  control: ControlKind;
  budget: { maxTokens: number | null; maxCostUsd: number | null };
  /** Temperature of drafts. Null to keep the experiment's temperature. */
  temperature: number | null;
};

/** Temperature for drafts of an equal-cost control if the experiment's own drafts would be identical. */
export const RESAMPLING_TEMPERATURE = 0.7;
/** Tool that agents use to search lessons. */
const LESSON_TOOL: BuiltInTool = 'lesson_search';
/** Maximum number of drafts per case. Usually the budget ends a run long before, except if drafts are very cheap. */
const MAX_DRAFTS = 50;

/**
 * Returns the settings of a control. `no_lessons` only turns off recalling and writing lessons. `equal_cost` spends the same on independent
 * drafts of the same prompt, scored by the same criteria, until one is good enough. Reflection must beat it to be worth its cost. Source:
 * Shinn et al. 2023 and Huang et al. 2024 (compare self-correction with sampling at the same cost).
 */
export function controlSettings(settings: ExperimentSettings, choices: ControlChoices): ExperimentSettings {
  const bare = withoutLessons(settings);
  if (choices.control === 'no_lessons') return bare;
  const { generator } = bare;
  return {
    ...bare,
    mode: 'retry',
    maxAttempts: MAX_DRAFTS,
    convergence: null,
    generator: { ...generator, temperature: choices.temperature ?? generator.temperature },
    triggers: { ...settings.triggers, onError: false, onQualityDrop: false, stepInterval: null, onTools: [] },
    budget: { ...settings.budget, maxCalls: null, maxSeconds: null, ...choices.budget },
  };
}

/**
 * Returns the settings without recalling, searching or writing lessons, and without pauses for people. Runs pause only for tools that
 * require approval.
 */
export function withoutLessons(settings: ExperimentSettings): ExperimentSettings {
  const { generator, triggers } = settings;
  return {
    ...settings,
    generator: { ...generator, base: withoutTool(generator.base, LESSON_TOOL) },
    triggers: { ...triggers, onTools: triggers.onTools.filter((tool) => tool !== LESSON_TOOL) },
    lessons: {
      ...settings.lessons,
      store: 'none',
      pinned: [],
      write: 'off',
      reflectOnEnd: false,
      alwaysReflect: false,
      lookBackEvery: null,
    },
    evaluation: { confidence: replaceAskWithRejudge(settings.evaluation.confidence) },
    callbacks: {
      ...settings.callbacks,
      pause: 'never',
      review: { drafts: false, revisions: false },
      webhook: null,
      escalate: false,
    },
  };
}

/** Replaces asking a person about a low judge confidence with a second judgement. */
function replaceAskWithRejudge({ below, action }: ExperimentSettings['evaluation']['confidence']) {
  return { below, action: action === 'ask' ? ('rejudge' as const) : action };
}

/** Returns true if an experiment uses lessons in any way. */
export function usesLessons({ lessons, generator }: Pick<ExperimentSettings, 'lessons' | 'generator'>): boolean {
  return (
    lessons.store !== 'none' ||
    lessons.pinned.length > 0 ||
    lessons.write !== 'off' ||
    usedTools(generator.base).includes(LESSON_TOOL)
  );
}

/** Returns true if independent drafts of the same prompt are identical, so that they need a higher temperature. */
export function draftsAlike({ generator }: Pick<ExperimentSettings, 'generator'>): boolean {
  return generator.temperature === null || generator.temperature === 0;
}
