import type { Mode } from '#lib/core/setting-choices.ts';

/** Origin of an experiment: created by a person, imported, the trial of a lesson, or the control of another experiment. */
export const EXPERIMENT_ORIGINS = ['made', 'imported', 'trial', 'control'] as const;
export type ExperimentOrigin = (typeof EXPERIMENT_ORIGINS)[number];

/** Kind of control: spend the same without reflection, or recall and write no lessons. */
export const CONTROL_KINDS = ['equal_cost', 'no_lessons'] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

export const CONTROL_LABELS: Record<ControlKind, string> = { equal_cost: 'equal cost', no_lessons: 'no lessons' };

/** Filter of an experiment list. Null matches all. */
export type ExperimentFilter = {
  /** Part of the name. Empty matches all. */
  search: string;
  mode: ExperimentMode | null;
  /** Name of its generator's model. */
  model: string | null;
  origin: ExperimentOrigin | 'sample' | null;
  /** Experiments with or without the built-in practice model. */
  models: 'real' | 'practice' | null;
  state: ExperimentState | null;
};
export type ExperimentMode = Mode;

export const ORIGIN_CHOICES = ['sample', ...EXPERIMENT_ORIGINS] as const;

/**
 * State of an experiment: `waiting` (runs wait for a person), `under_way`, or `flagged` (its criteria seem too hard or too easy, or its
 * runs can't be scored).
 */
export const EXPERIMENT_STATES = ['waiting', 'under_way', 'flagged'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

/** Sort order of an experiment list. `needs_you`: experiments that wait for a person first, then like `last_run`. */
export const EXPERIMENT_SORTS = [
  'newest',
  'needs_you',
  'last_run',
  'success',
  'best_score',
  'cost_per_point',
  'name',
] as const;
export type ExperimentSort = (typeof EXPERIMENT_SORTS)[number];
