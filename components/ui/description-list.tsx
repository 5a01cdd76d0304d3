import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Two-column list of terms and descriptions. Contains `Term`. */
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

/** A term and its description. */
export function Term({ name, className, children }: { name: ReactNode; className?: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </>
  );
}
