'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { findApi, submitApi } from '#components/api/call-api.ts';
import { useAssignedCount, useLessonsToReview } from '#components/layout/nav-links.tsx';
import { Button } from '#components/ui/button.tsx';
import { DecidedList } from '#components/ui/decided-list.tsx';
import { usePreloadedDiff } from '#components/ui/diff/lazy-diff-view.tsx';
import { entryQuery, findAdjacentEntry, LoadedEntry } from '#components/ui/loaded-entry.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneNote } from '#components/ui/pane.tsx';
import { QueueFilters, QueueGroup, QueueLayout, QueueSide } from '#components/ui/queue.tsx';
import { QueueItem } from '#components/ui/queue-item.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { MoveKeys, useShortcuts } from '#components/ui/use-shortcuts.tsx';
import type { LessonDetail, LessonListItem } from '#lib/core/lesson-library.ts';
import { formatCount, formatTitle } from '#lib/format.ts';
import { EditLesson } from './edit-lesson.ts';
import { LessonBody } from './lesson-body.tsx';
import { isBeingScreened } from './lesson-checks.tsx';
import { LessonHead } from './lesson-head.tsx';
import { lessonTitle } from './lesson-labels.ts';
import { ReviewEmpty, ReviewList } from './review-list.tsx';
import { lessonAfter, REVIEW_PARTS, type ReviewCounts, type ReviewMarks, type ReviewPart } from './review-queue.ts';
import { type FirstReviews, useReviewList, useReviewQueue } from './use-review-queue.ts';
import type { EnteredVerdict } from './use-unsent-verdict.ts';
import { NO_ENTRY, needsConfirmation, VerdictBar, type VerdictEntry, type VerdictInput } from './verdict-bar.tsx';

type ReviewViewProps = {
  first: FirstReviews;
  /** Lesson named in the URL, or else the first of the queue. */
  lesson: LessonDetail | null;
  counts: ReviewCounts;
  /** Ids of the lessons assigned to the current user, and of those with contradicting votes. */
  marks: Record<keyof ReviewMarks, readonly string[]>;
};

/** Review queue with the list on the left and the selected lesson on the right. Opens the next lesson after each decision. */
export function ReviewView({ first, lesson: initial, counts: read, marks }: ReviewViewProps) {
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const state = useReviewState();
  usePreloadedDiff();
  const { settle } = useSubmit('Hone did not respond. The checks were not started.');
  const marked = useMemo(() => ({ assigned: new Set(marks.assigned), contested: new Set(marks.contested) }), [marks]);
  const list = useReviewList(state.part, first);
  const [entries, setEntries] = useState<Record<string, VerdictEntry>>({});
  const setEntry = (id: string, entry: VerdictEntry) => setEntries((before) => ({ ...before, [id]: entry }));
  const queue = useReviewQueue(list.lessons, read, marked, ({ lessonId, reason }, objections) =>
    setEntry(lessonId, { ...NO_ENTRY, meant: 'promote', reason, objections }),
  );
  const { lessons, counts, held, isBusy, decided, refused, forgetRefused, give, giveNow, undo, sendNow } = queue;
  const [editing, setEditing] = useState<string | null>(null);
  const { isLocal } = usePerson();
  const ids = lessons.map(({ id }) => id);
  const total = list.hasMore ? Math.max(counts[state.part], ids.length + 1) : ids.length;
  const chosen = state.lesson ?? ids[0] ?? null;
  const next = lessonAfter(ids, chosen);
  const present = usePresent(chosen);
  const inAll = useLessonsToReview(read.all);
  function refreshAll() {
    list.refresh();
    router.refresh();
  }
  useFreshAssignments({
    // A held decision counts until it is sent.
    shown: counts.assigned + Number(held !== null && marked.assigned.has(held.lessonId)),
    refresh: () => {
      if (chosen !== null) state.hold(chosen);
      refreshAll();
    },
  });

  function goTo(id: string | null) {
    state.choose(id);
    window.scrollTo({ top: 0 });
  }
  useEffect(() => {
    if (next !== null) void queryClient.prefetchQuery(lessonQuery(next));
  }, [next, queryClient]);
  const step = (by: 1 | -1) => {
    const adjacent = findAdjacentEntry(ids, chosen, by);
    return adjacent === null ? null : () => goTo(adjacent);
  };
  useShortcuts({
    'lessons.next': step(1),
    'lessons.previous': step(-1),
    'lessons.undo': held === null ? null : takeBack,
  });

  function reopen({ lessonId, reason }: EnteredVerdict) {
    if (!needsConfirmation(entries[lessonId])) setEntry(lessonId, { ...NO_ENTRY, reason });
    forgetRefused();
    goTo(lessonId);
  }

  async function submitVerdict(lesson: LessonDetail, { isAtOnce, ...input }: VerdictInput) {
    const title = formatTitle(lessonTitle(lesson), 90) || 'An empty lesson';
    const { id: lessonId, status: seen, editCount } = lesson;
    const entered = { ...input, lessonId, title, seen, editCount };
    if (isAtOnce && !(await giveNow(entered, lesson))) return;
    setEntry(lessonId, NO_ENTRY);
    if (!isAtOnce) give(entered, lesson);
    // The user may have moved on while the decision was sent.
    if (present.current === lessonId) goTo(next);
  }

  function takeBack() {
    const undone = undo();
    if (undone === null) return;
    setEntry(undone.lessonId, { ...NO_ENTRY, reason: undone.reason });
    goTo(undone.lessonId);
  }
  const refresh = (id: string) => queryClient.invalidateQueries({ queryKey: ['lesson', id] });

  const screen = (id: string) =>
    settle(submitApi('POST /api/v1/lessons/{id}/screen', { params: { id } }), (result) => {
      if (!result.ok) toast(result.problem.message, 'problem');
      return refresh(id);
    });

  const isReopened = chosen !== null && refused?.entered.lessonId === chosen && needsConfirmation(entries[chosen]);
  const emptyItem =
    list.isPending || list.isError ? (
      <ListPending isLoading={list.isPending} />
    ) : (
      <ReviewEmpty
        all={counts.all}
        unseen={isBusy || held !== null ? 0 : inAll}
        decided={decided.count + Number(held !== null)}
        unsent={held}
        onUndo={takeBack}
        onSendNow={() => void sendNow()}
        onShowAll={() => state.setPart('all')}
        onShowUnseen={refreshAll}
      />
    );
  return (
    <QueueLayout shows={state.show}>
      <QueueSide aria-label="Lessons to review">
        <h1 className="sr-only narrow:hidden">Review</h1>
        <QueueFilters>
          <div className="flex flex-wrap items-center gap-2">
            <Segmented
              label="Which"
              value={state.part}
              choices={partChoices(counts, isLocal)}
              onChange={state.setPart}
              className="flex flex-wrap"
            />
            <span className="ml-auto text-ink-3 text-sm max-narrow:hidden">
              <MoveKeys next="lessons.next" previous="lessons.previous" />
            </span>
          </div>
        </QueueFilters>
        <QueueGroup>
          <span>Newest first</span>
          <span data-testid="review-place">{positionLabel(ids, chosen, total)}</span>
        </QueueGroup>
        {list.isError ? <PaneNote>The list could not be loaded.</PaneNote> : null}
        <ReviewList
          lessons={lessons}
          total={total}
          chosen={chosen}
          onChoose={goTo}
          onNearEnd={list.isError ? undefined : list.readMore}
        />
        <ListFooter list={list} hasNew={inAll > read.all} onRefresh={refreshAll} />
        <DecidedList entries={decided.latest} testId="decided-lessons" noteClassName="min-w-0 truncate" />
      </QueueSide>
      <QueueItem entry={chosen} aria-label="Selected lesson">
        <Pane className="narrow:hidden py-2">
          <Button size="small" onClick={() => state.setShow('list')}>
            Show list ({formatCount(total)})
          </Button>
        </Pane>
        <p className="sr-only" role="status">
          {announcement(lessons, chosen, total)}
        </p>
        {refused === null || isReopened ? null : (
          <RefusedNotice refused={refused} onOpen={() => reopen(refused.entered)} />
        )}
        {chosen === null ? (
          emptyItem
        ) : (
          <LoadedEntry
            key={chosen}
            query={lessonQuery(chosen)}
            initial={initial?.id === chosen ? initial : null}
            isChanging={isBeingScreened}
            page="Review"
            what="lesson"
            next="Next lesson"
            onNext={() => goTo(next)}
          >
            {(lesson) => (
              <>
                <LessonHead lesson={lesson} />
                <LessonBody lesson={lesson} onEdit={() => setEditing(lesson.id)} onScreen={() => screen(lesson.id)} />
                <VerdictBar
                  lesson={lesson}
                  entry={entries[lesson.id] ?? NO_ENTRY}
                  onEntry={(entry) => setEntry(lesson.id, entry)}
                  unsent={held}
                  onGive={(input) => submitVerdict(lesson, input)}
                  onUndo={takeBack}
                  onSendNow={() => void sendNow()}
                  onEdit={() => setEditing(lesson.id)}
                  onSkip={next === null ? null : () => goTo(next)}
                />
                <EditLesson
                  lesson={lesson}
                  open={editing === lesson.id}
                  onOpenChange={(isOpen) => setEditing(isOpen ? lesson.id : null)}
                  onEdited={() => {
                    toast('Edit saved');
                    void refresh(lesson.id);
                  }}
                />
              </>
            )}
          </LoadedEntry>
        )}
      </QueueItem>
    </QueueLayout>
  );
}

function ListPending({ isLoading }: { isLoading: boolean }) {
  return (
    <Pane className="border-b-0" aria-busy="true">
      <h1>Review</h1>
      {isLoading ? <p className="animate-appear text-ink-2">Loading</p> : null}
    </Pane>
  );
}

type ListFooterProps = {
  list: ReturnType<typeof useReviewList>;
  /** True if there are lessons that the page does not list yet. */
  hasNew: boolean;
  onRefresh: () => void;
};

function ListFooter({ list, hasNew, onRefresh }: ListFooterProps) {
  if (!list.isError && !list.hasMore && !hasNew) return null;
  return (
    <Pane asChild className="flex flex-wrap items-center gap-2 border-b-0 py-3">
      <p>
        {list.hasMore && !list.isError ? (
          <Button size="small" disabled={list.isFetching} onClick={list.readMore}>
            Show more
          </Button>
        ) : null}
        {list.isError || hasNew ? (
          <Button size="small" onClick={onRefresh}>
            {list.isError ? 'Try again' : 'Show new lessons'}
          </Button>
        ) : null}
      </p>
    </Pane>
  );
}

type RefusedNoticeProps = { refused: { entered: EnteredVerdict; message: string }; onOpen: () => void };

/** Reports a decision that was refused after the next lesson was opened. */
function RefusedNotice({ refused: { entered, message }, onOpen }: RefusedNoticeProps) {
  return (
    <Pane>
      <Notice tone="person" alert title={`“${entered.title}”: ${message}`}>
        <Button size="small" onClick={onOpen}>
          Open again
        </Button>
      </Notice>
    </Pane>
  );
}

function partChoices(counts: ReviewCounts, isLocal: boolean): { value: ReviewPart; label: string; name: string }[] {
  return [
    { value: 'all', label: `All ${counts.all}`, name: `All, ${counts.all}` },
    { value: 'held', label: `Held ${counts.held}`, name: `Held by the screening, ${counts.held}` },
    { value: 'clear', label: `Passed ${counts.clear}`, name: `Passed by screening, ${counts.clear}` },
    ...(isLocal
      ? []
      : [
          {
            value: 'contested' as const,
            label: `Contested ${counts.contested}`,
            name: `Contested: reviewers disagree, ${counts.contested}`,
          },
          {
            value: 'assigned' as const,
            label: `For me ${counts.assigned}`,
            name: `You were asked to look at it, ${counts.assigned}`,
          },
        ]),
  ];
}

function positionLabel(ids: readonly string[], chosen: string | null, total: number): string {
  const index = chosen === null ? -1 : ids.indexOf(chosen);
  return index === -1 ? formatCount(total) : `${index + 1} of ${formatCount(total)}`;
}

function announcement(listed: readonly LessonListItem[], chosen: string | null, total: number): string {
  const index = listed.findIndex(({ id }) => id === chosen);
  const lesson = listed[index];
  return lesson ? `Lesson ${index + 1} of ${total}: ${formatTitle(lessonTitle(lesson), 90)}` : '';
}

function lessonQuery(id: string) {
  return entryQuery({
    queryKey: ['lesson', id],
    queryFn: ({ signal }) => findApi('GET /api/v1/lessons/{id}', { params: { id }, signal }),
  });
}

const PARSERS = {
  lesson: parseAsString,
  part: parseAsStringLiteral(REVIEW_PARTS).withDefault('all'),
  show: parseAsStringLiteral(['item', 'list'] as const).withDefault('item'),
};

/** Review state in the URL: the selected lesson, the listed part, and on narrow pages which of list and lesson is shown. */
function useReviewState() {
  const [{ lesson, part, show }, set] = useQueryStates(PARSERS);
  return {
    lesson,
    part,
    show,
    choose: (id: string | null) => void set({ lesson: id, show: null }),
    /** Keeps the current lesson selected while the list changes. */
    hold: (id: string) => void set({ lesson: id }),
    setPart: (next: ReviewPart) => void set({ part: next, lesson: null }),
    setShow: (next: 'item' | 'list') => void set({ show: next }),
  };
}

/** Returns a reference to the current lesson, for work that ends after the user moved on. Null after the page was left. */
function usePresent(chosen: string | null) {
  const present = useRef(chosen);
  useEffect(() => {
    present.current = chosen;
    return () => {
      present.current = null;
    };
  }, [chosen]);
  return present;
}

/**
 * Refreshes the page when the live count of assigned lessons differs from the count shown. `shown`: number of assigned lessons on the page.
 */
function useFreshAssignments({ shown, refresh }: { shown: number; refresh: () => void }): void {
  const live = useAssignedCount()?.lessons ?? null;
  const latest = useRef({ shown, refresh });
  latest.current = { shown, refresh };
  // Depends on the live count only, because the page is ahead of it after a decision made here.
  useEffect(() => {
    if (live !== null && live !== latest.current.shown) latest.current.refresh();
  }, [live]);
}
