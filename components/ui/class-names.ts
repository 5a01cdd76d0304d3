import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { CLASS_GROUPS, OVERRIDDEN_GROUPS } from './class-groups.ts';

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: OVERRIDDEN_GROUPS,
  // A size says nothing of the height of lines, unless it names it: `text-md/[1.4]`.
  conflictingClassGroupModifiers: { 'font-size': ['leading'] },
  orderSensitiveModifiers: ['*', '**', 'after', 'before', 'file', 'marker', 'placeholder', 'selection'],
}));

/** Joins class names; of Tailwind classes that contradict each other the last wins. */
export function classNames(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
