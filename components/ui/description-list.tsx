import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Two-column list of terms and descriptions. Contains `dt` and `dd`. */
export function DescriptionList({ className, ...props }: ComponentProps<'dl'>) {
  return (
    <dl
      data-slot="description-list"
      className={classNames(
        'grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.25 text-md [&_dt]:text-ink-3',
        className,
      )}
      {...props}
    />
  );
}
