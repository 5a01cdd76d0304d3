import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Why something failed, in a line below it that screen readers read out. */
export function InlineError({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p className={classNames('text-sm text-worse', className)} role="alert">
      ✕ {children}
    </p>
  );
}
