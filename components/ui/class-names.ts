import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/** Knows the sizes, corners and shadows of the theme in `app/globals.css`. */
const merge = extendTailwindMerge({
  // A size of the theme says nothing of the height of lines.
  override: { conflictingClassGroups: { 'font-size': [] } },
  extend: {
    theme: {
      text: ['xs', 'sm', 'code', 'md', 'base', 'xl', '2xl'],
      radius: ['1', '2', '3'],
      shadow: ['bar', 'pop', 'chosen'],
    },
  },
});

/** Joins class names; of Tailwind classes that contradict each other the last wins. */
export function classNames(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
