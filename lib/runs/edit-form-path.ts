/** The collapsible parts of the experiment form, in order. */
export const FORM_PARTS = [
  'tuning',
  'criteria',
  'loop',
  'lessons',
  'people',
  'task',
  'base',
  'prompts',
  'reflection',
  'stops',
] as const;
export type FormPart = (typeof FORM_PARTS)[number];

/** Returns the path of an experiment's edit form, with one part open. Null opens none. */
export function settingsPath(experimentId: string, part: FormPart | null): string {
  return `/experiments/${experimentId}/edit${part === null ? '' : `?open=${part}`}`;
}
