import { TriangleAlert } from 'lucide-react';
import type { ComponentProps } from 'react';
import { formatSentence } from '#lib/format.ts';
import { classNames } from './class-names.ts';

/** Error message below the failed element. Screen readers announce it. */
export function InlineError({ className, children, ...props }: ComponentProps<'p'>) {
  return (
    <p
      className={classNames('wrap-anywhere flex items-start gap-[0.3rem] text-sm text-worse', className)}
      role="alert"
      {...props}
    >
      <TriangleAlert className="mt-0.5" />
      <span className="min-w-0">{typeof children === 'string' ? formatSentence(children) : children}</span>
    </p>
  );
}
