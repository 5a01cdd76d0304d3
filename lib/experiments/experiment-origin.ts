import { z } from 'zod';

/** Where an experiment comes from: made by a person, imported, the trial of a lesson, or the control of another experiment. */
export const EXPERIMENT_ORIGINS = ['made', 'imported', 'trial', 'control'] as const;
export const experimentOriginSchema = z.enum(EXPERIMENT_ORIGINS);
export type ExperimentOrigin = z.infer<typeof experimentOriginSchema>;

/** What a control changes: nothing is learned but as much is spent, or nothing is recalled and written. */
export const CONTROL_KINDS = ['equal_cost', 'no_lessons'] as const;
export const controlKindSchema = z.enum(CONTROL_KINDS);
export type ControlKind = z.infer<typeof controlKindSchema>;
