import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** A part of a page with a line below it, or with `asChild` its only child as one. */
export function Pane({ className, asChild = false, ...props }: ComponentProps<'section'> & { asChild?: boolean }) {
  const Root = asChild ? Slot.Root : 'section';
  return (
    <Root
      data-slot="pane"
      className={classNames('min-w-0 border-line border-b px-6 py-4 max-narrow:px-4', className)}
      {...props}
    />
  );
}

/** The line at the top of a pane: its heading, a note, and what can be done with it. */
export function PaneHeader({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="pane-header"
      className={classNames('mb-2 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2', className)}
      {...props}
    />
  );
}

/** The last part of a pane as a sentence, such as that a list is empty. */
export function PaneNote({ className, ...props }: ComponentProps<'p'>) {
  return (
    <Pane asChild className={classNames('border-b-0 text-ink-2', className)}>
      <p {...props} />
    </Pane>
  );
}
