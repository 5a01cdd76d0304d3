import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Progress bar with a `share` from 0 to 1. The caller sets the role and its values. */
export function Progress({ share, className, ...props }: ComponentProps<'div'> & { share: number }) {
  return (
    <div
      data-slot="progress"
      className={classNames('h-1 overflow-hidden rounded-[2px] bg-hover', className)}
      {...props}
    >
      <i className="block h-full bg-brand" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
