'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useMay } from '#components/access/role-provider.tsx';
import { findApi } from '#components/api/call-api.ts';
import { Pager } from '#components/layout/pager.tsx';
import { useAssignedCount, useLessonsToReview, useWaitingCount } from '#components/layout/use-waiting-count.ts';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneNote } from '#components/ui/pane.tsx';
import {
  QueueGroup,
  QueueItem,
  QueueLayout,
  QueueNote,
  QueueRow,
  QueueSide,
  QueueTitle,
} from '#components/ui/queue.tsx';
import { useNow } from '#components/ui/timers.ts';
import { UnreadEntry } from '#components/ui/unread-entry.tsx';
import { useShortcuts } from '#components/ui/use-shortcuts.ts';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import type { InboxItem, InboxRun } from '#lib/inbox/inbox-item.ts';
import { DecidedList } from './decided-list.tsx';
import { type InboxCounts, inboxCounts } from './inbox-counts.ts';
import { InboxItemView } from './inbox-item-view.tsx';
import { InboxFilters, InboxList } from './inbox-list.tsx';
import { neighbourItem, nextItem } from './next-item.ts';
import { type InboxDecide, type InitialInbox, useClaim, useInboxList, useItemDecisions } from './use-inbox-list.ts';
import { type InboxFilter, useInboxState } from './use-inbox-state.ts';

/** The title of the inbox, with how many runs wait. */
export function InboxTitle({ waiting }: { waiting: number }) {
  const count = useWaitingCount(waiting);
  return <title>{count === 0 ? 'Inbox · Hone' : `(${count}) Inbox · Hone`}</title>;
}

type InboxViewProps = {
  initial: InitialInbox;
  /** The item that is chosen where the address names none, or the one it names. */
  item: InboxRun | null;
  me: string;
  /** How many lessons wait for a review. */
  lessonsToReview: number;
  decide: InboxDecide;
  now: string;
};

/** What waits for a person: the list at the left, the chosen item at the right. The next comes by itself when one is decided. */
export function InboxView({ initial, item, me, lessonsToReview, decide, now: serverNow }: InboxViewProps) {
  const state = useInboxState();
  const { filter, choose } = state;
  const windowId = useWindowId();
  const queryClient = useQueryClient();
  const now = useNow(serverNow, 20_000);
  const { inbox, isRead, isError, refresh, readMore } = useInboxList(filter, windowId, initial);
  // The address names the item as soon as the page's scripts run; until then it is the one the page came with.
  const [kept, setKept] = useState(item?.run.id ?? null);
  const chosen = state.item ?? kept;
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const items = (inbox?.items ?? []).filter(({ pauseId }) => !done.has(pauseId));
  const counts = inboxCounts(inbox?.groups ?? [], filter);
  // Who only looks is on nothing.
  const { may } = useMay('reviewer');
  const claim = useClaim(may ? chosen : null, windowId);
  useEffect(() => {
    // The list tells who is on what, and this window just came to another item.
    if (claim !== null) void queryClient.invalidateQueries({ queryKey: ['inbox'] });
  }, [claim, queryClient]);
  const { decideOn, said, decided, refused, forgetRefused } = useItemDecisions({ decide, chosen, onDecided: refresh });

  const latest = useRef({ items, chosen, choose });
  latest.current = { items, chosen, choose };
  const goTo = useCallback((id: string | null) => {
    setKept(id);
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
    if (state.item === null && kept !== null) goTo(kept);
    else if (chosen === null && isRead && next !== null) goTo(next);
  }, [state.item, kept, chosen, isRead, next, goTo]);
  useEffect(() => {
    if (next !== null) void queryClient.prefetchQuery(itemQuery(next));
  }, [next, queryClient]);

  const nextPage = readMore === null ? (inbox?.nextCursor ?? null) : null;
  function changeFilter(changes: Partial<InboxFilter>) {
    setKept(null);
    state.setFilter(changes);
  }
  const step = (by: 1 | -1) => {
    const neighbour = neighbourItem(items, chosen, by);
    if (neighbour !== null) return () => goTo(neighbour);
    return by === 1 && nextPage !== null ? () => changeFilter({ cursor: nextPage }) : null;
  };
  useShortcuts({ 'inbox.next': step(1), 'inbox.previous': step(-1) });

  const isListSeen = state.show === 'list' || (chosen === null && items.length > 0);
  return (
    <QueueLayout shows={isListSeen ? 'list' : 'item'}>
      <QueueSide aria-label="Waiting items">
        <h1 className="sr-only narrow:hidden">Inbox</h1>
        <InboxFilters filter={filter} counts={counts} onChange={changeFilter} />
        <QueueGroup>
          <span>Longest first</span>
          <span data-testid="inbox-place">{placeLabel(items, chosen, counts.listed)}</span>
        </QueueGroup>
        {isError && inbox === undefined ? (
          <PaneNote>The list could not be loaded. Hone is retrying.</PaneNote>
        ) : (
          <InboxList
            items={items}
            total={counts.listed}
            chosen={chosen}
            now={now}
            onChoose={goTo}
            onNearEnd={readMore ?? undefined}
          />
        )}
        {readMore === null ? null : (
          <Pane asChild className="border-b-0 py-3">
            <p>
              <Button size="small" onClick={readMore}>
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
        <DecidedList items={decided.latest} now={now} />
      </QueueSide>
      <QueueItem>
        <Pane className="narrow:hidden py-2">
          <Button size="small" onClick={() => state.setShow('list')}>
            List of {counts.listed}
          </Button>
        </Pane>
        <p className="sr-only" role="status">
          {announcement(items, chosen)}
        </p>
        {refused ? (
          <Pane>
            <Notice tone="person" alert title={`“${refused.title}”: ${refused.problem.message}`}>
              Your answer was not sent.{' '}
              <Button size="small" variant="ghost" onClick={forgetRefused}>
                Dismiss
              </Button>
            </Notice>
          </Pane>
        ) : null}
        {chosen === null ? (
          isRead ? (
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
          <ChosenItem runId={chosen} initial={item} onNext={() => finish(null)}>
            {(run) => (
              <InboxItemView
                key={chosen}
                initial={run}
                claim={claim}
                now={now}
                me={me}
                decide={(input) => decideOn(run.run, input)}
                said={said}
                onDone={finish}
              />
            )}
          </ChosenItem>
        )}
      </QueueItem>
    </QueueLayout>
  );
}

function placeLabel(items: readonly InboxItem[], chosen: string | null, listed: number): string {
  const place = items.findIndex(({ id }) => id === chosen);
  return place === -1 ? `${listed}` : `${place + 1} of ${Math.max(listed, items.length)}`;
}

/** What a screen reader says when another item comes. */
function announcement(items: readonly InboxItem[], chosen: string | null): string {
  const place = items.findIndex(({ id }) => id === chosen);
  const item = items[place];
  return item ? `Item ${place + 1} of ${items.length}: ${formatTitle(item.input, 90)}` : '';
}

/** The way to the lessons that wait for a review, where there are some. `known` is how many to begin with. */
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

/** What tells this window of the browser from all others: made at its first visit, kept while it is open. Null until the page's scripts run. */
function useWindowId(): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    const kept = sessionStorage.getItem(KEY);
    const next = kept !== null && /^[0-9a-f-]{36}$/.test(kept) ? kept : newId();
    sessionStorage.setItem(KEY, next);
    setId(next);
  }, []);
  return id;
}

/** A random UUID; `crypto.randomUUID` is missing where Hone is reached by plain HTTP from another machine. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = [...bytes].map((byte, place) => {
    const marked = place === 6 ? (byte & 0x0f) | 0x40 : place === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8), digits.slice(8, 10), digits.slice(10)]
    .map((part) => part.join(''))
    .join('-');
}

type ChosenItemProps = {
  runId: string;
  /** What the page came with. */
  initial: InboxRun | null;
  children: (run: InboxRun) => ReactNode;
  onNext: () => void;
};

/** How a chosen item is read; also ahead of time, so that the next is there at once. */
function itemQuery(runId: string) {
  return {
    queryKey: ['inbox-run', runId],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      findApi('GET /api/v1/inbox/{id}', { params: { id: runId }, signal }),
    staleTime: 30_000,
    retry: 1,
  };
}

/** Reads the chosen run; until it is there nothing can be decided on. */
function ChosenItem({ runId, initial, children, onNext }: ChosenItemProps) {
  const { data, isError, refetch } = useQuery({
    ...itemQuery(runId),
    ...(initial?.run.id === runId ? { initialData: initial } : {}),
  });
  if (data) return children(data);
  return (
    <UnreadEntry
      page="Inbox"
      what="run"
      next="Next item"
      isGone={data === null}
      isError={isError}
      onNext={onNext}
      onRetry={() => void refetch()}
    />
  );
}

type InboxEmptyProps = {
  counts: InboxCounts;
  /** How many decisions were sent from this page. */
  decided: number;
  /** How many lessons wait for a review, to begin with. */
  lessonsToReview: number;
  onShowAll: () => void;
  /** Opens the first item in spite of others who are on it. */
  onOpenAny: (() => void) | null;
};

/** Where nothing is chosen: why not, and the one thing to do about it. */
function InboxEmpty({ counts, decided, lessonsToReview, onShowAll, onOpenAny }: InboxEmptyProps) {
  const lessons = useLessonsToReview(lessonsToReview);
  const { may } = useMay('reviewer');
  if (onOpenAny !== null)
    return (
      <Empty
        title={counts.listed === 1 ? 'Someone else has this item open' : `Others have all ${counts.listed} items open`}
        words="The next free item opens automatically."
      >
        <Button onClick={onOpenAny}>Open the first anyway</Button>
      </Empty>
    );
  if (counts.all > 0)
    return (
      <Empty
        title={decided > 0 ? `No items match the filter. You decided ${decided}.` : 'No items match the filter'}
        words={`${formatNumberOf(counts.all, 'other item')} in the inbox.`}
      >
        <Button onClick={onShowAll}>Show all {counts.all}</Button>
      </Empty>
    );
  return (
    <Empty
      title={
        decided > 0
          ? `${lessons > 0 ? 'No more runs' : 'Nothing more'} to decide. You decided ${decided}.`
          : `${lessons > 0 ? 'No runs are' : 'Nothing is'} waiting for ${may ? 'you' : 'a reviewer'}`
      }
      words="Runs appear here when they pause for a reviewer. Set pauses in an experiment under “People and budget”."
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

function Empty({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <Pane className="border-b-0" data-testid="inbox-empty">
      <h1>{title}</h1>
      <p className="mt-0.5 mb-3 text-ink-2">{words}</p>
      {children}
    </Pane>
  );
}
