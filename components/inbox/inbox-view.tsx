'use client';

import { useQueryClient } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { findApi } from '#components/api/call-api.ts';
import { useAssignedCount, useLessonsToReview, useWaitingCount } from '#components/layout/nav-links.tsx';
import { Pager } from '#components/layout/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { DecidedList } from '#components/ui/decided-list.tsx';
import { Link } from '#components/ui/link.tsx';
import { entryQuery, findAdjacentEntry, LoadedEntry } from '#components/ui/loaded-entry.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneNote } from '#components/ui/pane.tsx';
import { QueueGroup, QueueLayout, QueueNote, QueueRow, QueueSide, QueueTitle } from '#components/ui/queue.tsx';
import { QueueItem } from '#components/ui/queue-item.tsx';
import { useShortcuts } from '#components/ui/use-shortcuts.tsx';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import type { InboxItem, InboxRun } from '#lib/inbox/queries.ts';
import { type InboxCounts, inboxCounts } from './inbox-counts.ts';
import { InboxItemView } from './inbox-item-view.tsx';
import { InboxFilters, InboxList } from './inbox-list.tsx';
import { nextItem } from './next-item.ts';
import { type InitialInbox, useClaim, useInboxList, useItemDecisions } from './use-inbox-list.ts';
import { type InboxFilter, useInboxState } from './use-inbox-state.ts';

/** Page title of the inbox with the number of waiting runs. */
export function InboxTitle({ waiting }: { waiting: number }) {
  const count = useWaitingCount(waiting);
  return <title>{count === 0 ? 'Inbox · Hone' : `(${count}) Inbox · Hone`}</title>;
}

type InboxViewProps = {
  initial: InitialInbox;
  /** Item named in the URL, or else the default one. */
  item: InboxRun | null;
  me: string;
  lessonsToReview: number;
};

/** Inbox with the list on the left and the selected item on the right. Opens the next item after each decision. */
export function InboxView({ initial, item, me, lessonsToReview }: InboxViewProps) {
  const windowId = useWindowId();
  const { state, list, items, counts, chosen, nextPage, goTo, finish, changeFilter } = useInboxSelection(
    initial,
    item?.run.id ?? null,
    windowId,
  );
  const { filter } = state;
  // Users who cannot decide do not claim items.
  const { may } = useRoleAccess('reviewer');
  const claim = useClaim(may ? chosen : null, windowId);
  const decisions = useItemDecisions({ chosen, onDecided: list.refresh });
  const { refused, decided } = decisions;

  const isListSeen = state.show === 'list' || (chosen === null && items.length > 0);
  return (
    <QueueLayout shows={isListSeen ? 'list' : 'item'}>
      <QueueSide aria-label="Waiting items">
        <h1 className="sr-only narrow:hidden">Inbox</h1>
        <InboxFilters filter={filter} counts={counts} onChange={changeFilter} />
        <QueueGroup>
          <span>Longest first</span>
          <span data-testid="inbox-place">{positionLabel(items, chosen, counts.listed)}</span>
        </QueueGroup>
        {list.isError && list.inbox === undefined ? (
          <PaneNote>The list could not be loaded. Hone is retrying.</PaneNote>
        ) : (
          <InboxList
            items={items}
            total={counts.listed}
            chosen={chosen}
            onChoose={goTo}
            onNearEnd={list.readMore ?? undefined}
          />
        )}
        {list.readMore === null ? null : (
          <Pane asChild className="border-b-0 py-3">
            <p>
              <Button size="small" onClick={list.readMore}>
                Show more
              </Button>
            </p>
          </Pane>
        )}
        <Pager
          path="/inbox"
          params={{
            kind: filter.kind,
            experiment: filter.experiment,
            whose: filter.whose === 'all' ? null : filter.whose,
          }}
          cursor={filter.cursor}
          nextCursor={nextPage}
        />
        <LessonsToReview known={lessonsToReview} />
        <DecidedList entries={decided.latest} testId="decided-just-now" />
      </QueueSide>
      <QueueItem entry={chosen} aria-label="Selected run">
        <Pane className="narrow:hidden py-2">
          <Button size="small" onClick={() => state.setShow('list')}>
            Show list ({counts.listed})
          </Button>
        </Pane>
        <p className="sr-only" role="status">
          {announcement(items, chosen)}
        </p>
        {refused ? (
          <Pane>
            <Notice tone="person" alert title={`“${refused.title}”: ${refused.problem.message}`}>
              Your answer was not sent.{' '}
              <Button size="small" variant="ghost" onClick={decisions.forgetRefused}>
                Dismiss
              </Button>
            </Notice>
          </Pane>
        ) : null}
        {chosen === null ? (
          list.isRead ? (
            <InboxEmpty
              counts={counts}
              decided={decided.count}
              lessonsToReview={lessonsToReview}
              onShowAll={() => state.setFilter({ kind: null, experiment: null, whose: 'all' })}
              onOpenAny={items[0] ? () => goTo(items[0]?.id ?? null) : null}
            />
          ) : (
            <Pane className="border-b-0" aria-busy="true">
              <h1>Inbox</h1>
              <p className="animate-appear text-ink-2">Loading</p>
            </Pane>
          )
        ) : (
          <LoadedEntry
            query={itemQuery(chosen)}
            initial={item?.run.id === chosen ? item : null}
            page="Inbox"
            what="run"
            next="Next item"
            onNext={() => finish(null)}
          >
            {(run) => (
              <InboxItemView
                key={chosen}
                initial={run}
                claim={claim}
                me={me}
                decide={(input) => decisions.decideOn(run.run, input)}
                decidedHere={decisions.decidedHere}
                onDone={finish}
              />
            )}
          </LoadedEntry>
        )}
      </QueueItem>
    </QueueLayout>
  );
}

/**
 * Manages which item of the inbox is selected, and opens the first one. `initialId`: item sent with the page. Moves by shortcut, also to
 * the next page of the list.
 */
function useInboxSelection(initial: InitialInbox, initialId: string | null, windowId: string | null) {
  const state = useInboxState();
  const { filter, choose } = state;
  const queryClient = useQueryClient();
  const list = useInboxList(filter, windowId, initial);
  const { inbox, isRead, readMore } = list;
  // The URL names the item only after hydration. Until then, use the one sent with the page.
  const [opened, setOpened] = useState(initialId);
  const chosen = state.item ?? opened;
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const items = (inbox?.items ?? []).filter(({ pauseId }) => !done.has(pauseId));

  const latest = useRef({ items, chosen, choose });
  latest.current = { items, chosen, choose };
  const goTo = useCallback((id: string | null) => {
    setOpened(id);
    latest.current.choose(id);
    window.scrollTo({ top: 0 });
  }, []);
  const finish = useCallback(
    (pauseId: string | null) => {
      const { items: listed, chosen: from } = latest.current;
      if (pauseId !== null) setDone((before) => new Set(before).add(pauseId));
      goTo(nextItem(listed, from));
    },
    [goTo],
  );

  const next = nextItem(items, chosen);
  useEffect(() => {
    if (state.item === null && opened !== null) goTo(opened);
    else if (chosen === null && isRead && next !== null) goTo(next);
  }, [state.item, opened, chosen, isRead, next, goTo]);
  useEffect(() => {
    if (next !== null) void queryClient.prefetchQuery(itemQuery(next));
  }, [next, queryClient]);

  const nextPage = readMore === null ? (inbox?.nextCursor ?? null) : null;
  function changeFilter(changes: Partial<InboxFilter>) {
    setOpened(null);
    state.setFilter(changes);
  }
  const step = (by: 1 | -1) => {
    const neighbour = findAdjacentEntry(
      items.map(({ id }) => id),
      chosen,
      by,
    );
    if (neighbour !== null) return () => goTo(neighbour);
    return by === 1 && nextPage !== null ? () => changeFilter({ cursor: nextPage }) : null;
  };
  useShortcuts({ 'inbox.next': step(1), 'inbox.previous': step(-1) });

  return {
    state,
    list,
    items,
    counts: inboxCounts(inbox?.groups ?? [], filter),
    chosen,
    /** Cursor of the next page. Null while the current one is not read to its end. */
    nextPage,
    goTo,
    /** Opens the next item. With a pause, removes its item from the list. */
    finish,
    changeFilter,
  };
}

function positionLabel(items: readonly InboxItem[], chosen: string | null, listed: number): string {
  const index = items.findIndex(({ id }) => id === chosen);
  return index === -1 ? `${listed}` : `${index + 1} of ${Math.max(listed, items.length)}`;
}

function announcement(items: readonly InboxItem[], chosen: string | null): string {
  const index = items.findIndex(({ id }) => id === chosen);
  const item = items[index];
  return item ? `Item ${index + 1} of ${items.length}: ${formatTitle(item.input, 90)}` : '';
}

/** Links to the lessons waiting for review. Renders nothing if there are none. `known`: the initial count. */
function LessonsToReview({ known }: { known: number }) {
  const count = useLessonsToReview(known);
  const lessons = useAssignedCount()?.lessons ?? 0;
  if (count === 0) return null;
  return (
    <QueueRow asChild>
      <Link href="/lessons/review" data-testid="lessons-to-review">
        <BookOpen />
        <QueueTitle>
          {formatNumberOf(count, 'lesson')} to review{lessons === 0 ? null : `, ${lessons} for you`}
        </QueueTitle>
        <QueueNote>learned by runs, added or imported</QueueNote>
      </Link>
    </QueueRow>
  );
}

const KEY = 'hone-window';

/** Returns an id for this browser window, created on the first visit and kept while it is open. Null before hydration. */
function useWindowId(): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    const stored = sessionStorage.getItem(KEY);
    const next = stored !== null && /^[0-9a-f-]{36}$/.test(stored) ? stored : newId();
    sessionStorage.setItem(KEY, next);
    setId(next);
  }, []);
  return id;
}

/** Returns a random UUID. `crypto.randomUUID` is unavailable over plain HTTP from another machine. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = [...bytes].map((byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8), digits.slice(8, 10), digits.slice(10)]
    .map((part) => part.join(''))
    .join('-');
}

function itemQuery(id: string) {
  return entryQuery({
    queryKey: ['inbox-run', id],
    queryFn: ({ signal }) => findApi('GET /api/v1/inbox/{id}', { params: { id }, signal }),
  });
}

type InboxEmptyProps = {
  counts: InboxCounts;
  /** Number of decisions sent from this page. */
  decided: number;
  lessonsToReview: number;
  onShowAll: () => void;
  /** Opens the first item although others have claimed it. */
  onOpenAny: (() => void) | null;
};

/** Shown if no item is selected: the reason and one action. */
function InboxEmpty({ counts, decided, lessonsToReview, onShowAll, onOpenAny }: InboxEmptyProps) {
  const lessons = useLessonsToReview(lessonsToReview);
  const { may } = useRoleAccess('reviewer');
  if (onOpenAny !== null)
    return (
      <Empty
        takesFocus={decided > 0}
        title={counts.listed === 1 ? 'Someone else has this item open' : `Others have all ${counts.listed} items open`}
        description="The next free item opens automatically."
      >
        <Button onClick={onOpenAny}>Open the first anyway</Button>
      </Empty>
    );
  if (counts.all > 0)
    return (
      <Empty
        takesFocus={decided > 0}
        title={decided > 0 ? `No items match the filter. You decided ${decided}.` : 'No items match the filter'}
        description={`${formatNumberOf(counts.all, 'other item')} in the inbox.`}
      >
        <Button onClick={onShowAll}>Show all {counts.all}</Button>
      </Empty>
    );
  return (
    <Empty
      takesFocus={decided > 0}
      title={
        decided > 0
          ? `${lessons > 0 ? 'No more runs' : 'Nothing more'} to decide. You decided ${decided}.`
          : `${lessons > 0 ? 'No runs are' : 'Nothing is'} waiting for ${may ? 'you' : 'a reviewer'}`
      }
      description="Runs appear here when they pause for a reviewer. Set pauses in an experiment under “People and budget”."
    >
      <Button asChild>
        {lessons > 0 ? (
          <Link href="/lessons/review">Review {formatNumberOf(lessons, 'lesson')}</Link>
        ) : (
          <Link href="/experiments">View experiments</Link>
        )}
      </Button>
    </Empty>
  );
}

type EmptyProps = { title: string; description: string; takesFocus: boolean; children: ReactNode };

function Empty({ title, description, takesFocus, children }: EmptyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A decision removes its focused button with the item. After earlier decisions, the side of the item has the focus.
  useEffect(() => {
    const side = heading.current?.closest('[data-slot=queue-item]');
    const { activeElement, body } = document;
    if (takesFocus && (activeElement === body || activeElement === side)) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Pane className="border-b-0" data-testid="inbox-empty">
      <h1 ref={heading} tabIndex={-1} className="outline-none">
        {title}
      </h1>
      <p className="mt-0.5 mb-3 text-ink-2">{description}</p>
      {children}
    </Pane>
  );
}
