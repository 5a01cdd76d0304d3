import { nameSchema } from './setting-parts.ts';

/** The task types that Hone knows. All but `custom` have default criteria; `custom` names no type. */
export const TASK_TYPES = ['code', 'writing', 'analysis', 'reasoning', 'custom'] as const;
export type KnownTaskType = (typeof TASK_TYPES)[number];

/** A task type: one of `TASK_TYPES` or any other name, in lower case and with single spaces, so that the same name is the same type. */
export const taskTypeSchema = nameSchema.overwrite(formatTaskType);

/** A task type as it is stored: `Web  Scraping` is `web scraping`. */
export function formatTaskType(taskType: string): string {
  return taskType.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** The type of task that lessons are matched by; null for `custom`, which says nothing about the task. */
export function namedTaskType(taskType: string | null): string | null {
  return taskType === 'custom' ? null : taskType;
}
