import type { ComponentProps } from 'react';
import { classNames } from '#components/ui/class-names.ts';
import { Columns } from '#components/ui/columns.tsx';

/** The two sides of a run's page. In one column their parts stand among each other, in the order of their `max-medium:order-…`. */
export function RunColumns({ className, ...props }: ComponentProps<typeof Columns>) {
  return (
    <Columns
      className={classNames(
        'flex-1 medium:grid-cols-[minmax(0,32.5rem)_minmax(0,1fr)]',
        'max-medium:content-start max-medium:*:contents max-medium:[&_section]:border-b!',
        className,
      )}
      {...props}
    />
  );
}
