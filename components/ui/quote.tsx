import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** Quoted text of a person, with a line at its side. With `asChild`, its only child is styled as one. */
export function Quote({ className, asChild = false, ...props }: ComponentProps<'p'> & { asChild?: boolean }) {
  const Root = asChild ? Slot.Root : 'p';
  return (
    <Root
      data-slot="quote"
      className={classNames('max-w-[68ch] border-line-strong border-l-2 pl-3 text-ink-2', className)}
      {...props}
    />
  );
}
