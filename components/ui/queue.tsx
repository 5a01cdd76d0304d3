import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Columns } from './columns.tsx';
import { Pane } from './pane.tsx';

/** Entry of a list next to the page it opens: a glyph, a `QueueTitle`, a `QueueAside` and a `QueueNote`. */
export function QueueRow({ asChild = false, className, ...props }: ComponentProps<'button'> & { asChild?: boolean }) {
  const Root = asChild ? Slot.Root : 'button';
  return (
    <Root
      data-slot="queue-row"
      className={classNames(
        'grid w-full cursor-pointer grid-cols-[1rem_minmax(0,1fr)_max-content] gap-x-2.25 gap-y-0.5 border-line border-b px-4 py-2 text-left',
        'hover:bg-hover focus-visible:-outline-offset-2 motion-safe:transition-[background-color,border-color]',
        'aria-[current]:bg-brand-tint aria-[current]:shadow-chosen [&>svg]:mt-[0.15rem] [&>svg]:size-4 [&>svg]:text-ink-3',
        className,
      )}
      {...props}
    />
  );
}

/** Title of an entry, struck through once it is done. */
export function QueueTitle({ isDone = false, className, ...props }: ComponentProps<'span'> & { isDone?: boolean }) {
  return (
    <span
      data-slot="queue-title"
      dir="auto"
      className={classNames(
        'min-w-0 truncate text-left',
        isDone ? 'text-ink-2 line-through decoration-ink-3' : 'font-medium',
        className,
      )}
      {...props}
    />
  );
}

/** Text at the end of an entry's first line. */
export function QueueAside({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span data-slot="queue-aside" className={classNames('col-start-3 text-ink-3 text-sm', className)} {...props} />
  );
}

/** Second line of an entry. */
export function QueueNote({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      data-slot="queue-note"
      className={classNames('col-start-2 -col-end-1 text-ink-2 text-sm', className)}
      {...props}
    />
  );
}

/** List with the chosen entry next to it. On phones, `shows` selects which of the two is visible. */
export function QueueLayout({
  shows,
  className,
  ...props
}: ComponentProps<typeof Columns> & { shows: 'list' | 'item' }) {
  return (
    <Columns
      from="narrow"
      data-shows={shows}
      className={classNames(
        'group/queue flex-1 medium:grid-cols-[21rem_minmax(0,1fr)] narrow:grid-cols-[16rem_minmax(0,1fr)] following:border-t-0 border-b-0',
        className,
      )}
      {...props}
    />
  );
}

/** Side with the list. It stays in place while the entry scrolls. */
export function QueueSide({ className, ...props }: ComponentProps<'section'>) {
  return (
    <section
      data-slot="queue-side"
      className={classNames(
        'narrow:sticky narrow:top-0 flex narrow:max-h-screen min-w-0 flex-col narrow:self-start max-narrow:group-data-[shows=item]/queue:hidden',
        className,
      )}
      {...props}
    />
  );
}

/** Filters of the list. */
export function QueueFilters({ className, ...props }: ComponentProps<typeof Pane>) {
  return <Pane className={classNames('flex flex-col gap-2 px-4 py-2.5', className)} {...props} />;
}

/** Heading of a group of entries. */
export function QueueGroup({ className, ...props }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="queue-group"
      className={classNames('flex shrink-0 justify-between px-4 pt-2.5 pb-1 font-medium text-ink-3 text-sm', className)}
      {...props}
    />
  );
}
