import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Verbatim model output in a frame. */
export function OutputText({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="output-text"
      className={classNames(
        'prose wrap-anywhere max-w-none whitespace-pre-wrap rounded-2 border border-line bg-surface px-3.5 py-3',
        className,
      )}
      {...props}
    />
  );
}
