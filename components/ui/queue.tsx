import type { ReactNode } from 'react';
import { Columns } from './columns.tsx';
import { Pane } from './pane.tsx';
import { styled } from './styled.ts';

/** Entry of a list next to the page it opens: a glyph, a `QueueTitle`, a `QueueAside` and a `QueueNote`. */
export const QueueRow = styled('button', 'queue-row', [
  'grid w-full cursor-pointer grid-cols-[1rem_minmax(0,1fr)_max-content] gap-x-2.25 gap-y-0.5 border-line border-b px-4 py-2 text-left',
  'hover:bg-hover focus-visible:-outline-offset-2 motion-safe:transition-[background-color,border-color]',
  'aria-[current]:bg-brand-tint aria-[current]:shadow-chosen [&>svg]:mt-[0.15rem] [&>svg]:size-4 [&>svg]:text-ink-3',
]);

/** Title of an entry, struck through once it is done. */
export function QueueTitle({ isDone = false, children }: { isDone?: boolean; children: ReactNode }) {
  const look = isDone ? 'text-ink-2 line-through decoration-ink-3' : 'font-medium';
  return (
    <span data-slot="queue-title" dir="auto" className={`min-w-0 truncate text-left ${look}`}>
      {children}
    </span>
  );
}

/** Text at the end of an entry's first line. */
export const QueueAside = styled('span', 'queue-aside', 'col-start-3 text-ink-3 text-sm');

/** Second line of an entry. */
export const QueueNote = styled('span', 'queue-note', 'col-start-2 -col-end-1 text-ink-2 text-sm');

/** List with the chosen entry next to it. On phones, `shows` selects which of the two is visible. */
export function QueueLayout({ shows, children }: { shows: 'list' | 'item'; children: ReactNode }) {
  return (
    <Columns
      from="narrow"
      data-shows={shows}
      className="group/queue flex-1 medium:grid-cols-[21rem_minmax(0,1fr)] narrow:grid-cols-[16rem_minmax(0,1fr)] following:border-t-0 border-b-0"
    >
      {children}
    </Columns>
  );
}

/** Side with the list. It stays in place while the entry scrolls. */
export const QueueSide = styled(
  'section',
  'queue-side',
  'narrow:sticky narrow:top-0 flex narrow:max-h-screen min-w-0 flex-col narrow:self-start max-narrow:group-data-[shows=item]/queue:hidden',
);

/** Filters of the list. */
export function QueueFilters({ children }: { children: ReactNode }) {
  return <Pane className="flex flex-col gap-2 px-4 py-2.5">{children}</Pane>;
}

/** Heading of a group of entries. */
export const QueueGroup = styled(
  'p',
  'queue-group',
  'flex shrink-0 justify-between px-4 pt-2.5 pb-1 font-medium text-ink-3 text-sm',
);
