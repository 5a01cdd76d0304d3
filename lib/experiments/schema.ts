import type { Mode } from '#lib/core/modes.ts';

/** Where an experiment comes from: made by a person, imported, the trial of a lesson, or the control of another experiment. */
export const EXPERIMENT_ORIGINS = ['made', 'imported', 'trial', 'control'] as const;
export type ExperimentOrigin = (typeof EXPERIMENT_ORIGINS)[number];

/** What a control changes: nothing is learned but as much is spent, or nothing is recalled and written. */
export const CONTROL_KINDS = ['equal_cost', 'no_lessons'] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

/** Which experiments a list holds; null for any. */
export type ExperimentFilter = {
  /** A part of the name; empty for any. */
  search: string;
  mode: ExperimentMode | null;
  /** What its generator's model is called. */
  model: string | null;
  origin: ExperimentOrigin | 'sample' | null;
  /** Whether the built-in practice model plays a part in it. */
  models: 'real' | 'practice' | null;
  state: ExperimentState | null;
};
export type ExperimentMode = Mode;

export const ORIGIN_CHOICES = ['sample', ...EXPERIMENT_ORIGINS] as const;

/** What an experiment wants of people: runs wait for somebody, are under way, its criteria seem too hard or too easy, or its runs can't be scored. */
export const EXPERIMENT_STATES = ['waiting', 'under_way', 'flagged'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

/** How a list of experiments is sorted. `needs_you`: those that wait for somebody first, then as `last_run`. */
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
