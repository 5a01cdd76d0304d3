import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names; of Tailwind classes that contradict each other the last wins. */
export function classNames(...inputs: ClassValue[]): string {
  return twMerge(clsx(inputs));
}
