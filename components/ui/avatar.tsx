import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** The initials of a person. Their name stands beside it, so it is hidden from screen readers. */
export function Avatar({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      data-slot="avatar"
      aria-hidden
      className={classNames(
        'inline-grid size-5 flex-none place-items-center rounded-full border border-line-strong bg-hover font-semibold text-[0.625rem] text-ink-2',
        className,
      )}
      {...props}
    />
  );
}

/** The first letters of the first two words of a name, for its round mark. */
export function initialsOf(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => (Array.from(word)[0] ?? '').toUpperCase())
    .join('');
}
