import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** How much of something is done; `share` from 0 to 1. The role and its values are the caller's. */
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
