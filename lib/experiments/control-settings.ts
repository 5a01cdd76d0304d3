import type { BaseSettings, BuiltInTool } from '#lib/core/agents/base-settings.ts';
import { usedTools } from '#lib/core/agents/used-tools.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { ControlKind } from './schema.ts';

/** A base whose agents do not have one of the tools; all else is as it was. */
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

/** What a control of an experiment is made with. `budget`: what each run of an equal-cost control may spend; others take theirs over. */
export type ControlChoices = {
  control: ControlKind;
  budget: { maxTokens: number | null; maxCostUsd: number | null };
  /** Of fresh drafts; null: as it is. */
  temperature: number | null;
};

/** Drafts of an equal-cost control vary by this where the experiment's own would all be alike. */
export const RESAMPLING_TEMPERATURE = 0.7;
/** By which agents look lessons up. */
const LESSON_TOOL: BuiltInTool = 'lesson_search';
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
  const { generator } = bare;
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

/**
 * No lesson of the library is recalled or looked up, none is written, and nobody is asked: the runs go their way alone. Only where a tool
 * may not be used unasked a person is still asked.
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
    evaluation: { confidence: askingNobody(settings.evaluation.confidence) },
    callbacks: {
      ...settings.callbacks,
      pause: 'never',
      review: { drafts: false, revisions: false },
      webhook: null,
      escalate: false,
    },
  };
}

/** Who would ask a person about an unsure judge asks the judge again. */
function askingNobody({ below, action }: ExperimentSettings['evaluation']['confidence']) {
  return { below, action: action === 'ask' ? ('rejudge' as const) : action };
}

/** Whether lessons play any part in an experiment. */
export function usesLessons({ lessons, generator }: Pick<ExperimentSettings, 'lessons' | 'generator'>): boolean {
  return (
    lessons.store !== 'none' ||
    lessons.pinned.length > 0 ||
    lessons.write !== 'off' ||
    usedTools(generator.base).includes(LESSON_TOOL)
  );
}

/** Whether fresh drafts of the same prompt come out alike, so that they must be made to vary. */
export function draftsAlike({ generator }: Pick<ExperimentSettings, 'generator'>): boolean {
  return generator.temperature === null || generator.temperature === 0;
}
