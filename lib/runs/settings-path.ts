/** The folded parts of the experiment form, in the order of the form. */
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

/** The address of the form that changes an experiment, with one part open; null opens none. */
export function settingsPath(experimentId: string, part: FormPart | null): string {
  return `/experiments/${experimentId}/edit${part === null ? '' : `?open=${part}`}`;
}
