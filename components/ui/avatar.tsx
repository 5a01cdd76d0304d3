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
