import {
  formatTaskType,
  LESSON_KINDS,
  LESSON_ORDERS,
  LESSON_SCOPE_PARTS,
  LESSON_STATUSES,
  type LessonCounts,
  type LessonFilter,
  type LessonKind,
  type LessonOrder,
  type LessonScopePart,
} from '#lib/core/lesson-schema.ts';

/** Tabs of the library. `candidate`: lessons not yet in review. Only `merged` lists lessons that were merged into another one. */
const LIBRARY_TABS = ['all', 'review', 'candidate', 'promoted', 'rejected', 'archived', 'merged', 'refuted'] as const;
export type LibraryTab = (typeof LIBRARY_TABS)[number];

/** Numbers of lessons. `merged` is a part of `archived`. */
export type LibraryCounts = LessonCounts & { merged: number };

/** View of the library as stored in the URL, without the cursor. */
export type LibraryView = {
  tab: LibraryTab;
  query: string;
  kind: LessonKind | null;
  by: LessonScopePart | null;
  value: string;
  /** Yearly archive, on the tab of archived lessons. */
  year: number | null;
  order: LessonOrder;
};

export const TAB_LABELS: Record<LibraryTab, string> = {
  all: 'All',
  review: 'To review',
  candidate: 'Candidates',
  promoted: 'Promoted',
  rejected: 'Rejected',
  archived: 'Archived',
  merged: 'Merged',
  refuted: 'Proposed for retirement',
};

/** Parses the URL parameters. Invalid ones are ignored. */
export function readLibraryView(param: (name: string) => string | null): LibraryView {
  return {
    tab: LIBRARY_TABS.find((tab) => tab === param('tab')) ?? 'all',
    query: param('q') ?? '',
    kind: LESSON_KINDS.find((kind) => kind === param('kind')) ?? null,
    by: LESSON_SCOPE_PARTS.find((part) => part === param('by')) ?? null,
    value: param('value') ?? '',
    year: /^[12]\d{3}$/.test(param('year') ?? '') && param('tab') === 'archived' ? Number(param('year')) : null,
    order: LESSON_ORDERS.find((order) => order === param('order')) ?? 'newest',
  };
}

/** Returns the view as URL parameters, without defaults. */
export function libraryParams(view: LibraryView): Record<string, string | null> {
  const isScoped = view.by !== null && view.value !== '';
  return {
    tab: view.tab === 'all' ? null : view.tab,
    q: view.query || null,
    kind: view.kind,
    by: isScoped ? view.by : null,
    value: isScoped ? view.value : null,
    year: view.tab === 'archived' && view.year !== null ? String(view.year) : null,
    order: view.order === 'newest' ? null : view.order,
  };
}

const ONLY: Partial<Record<LibraryTab, LessonFilter['only']>> = {
  ...{ review: 'review', refuted: 'refuted', merged: 'merged' },
  ...{ all: 'unmerged', archived: 'unmerged' },
};

/** Returns the database filter of a view. */
export function libraryFilter({ tab, query, kind, by, value, year, order }: LibraryView): LessonFilter {
  return {
    query,
    kind,
    status: LESSON_STATUSES.find((status) => status === tab) ?? null,
    scope: by === null || value === '' ? null : { by, value: by === 'taskType' ? formatTaskType(value) : value },
    year,
    only: ONLY[tab] ?? null,
    order,
  };
}

/** True if any filter other than the tab is active. */
export function isFiltered({ query, kind, by, value, year }: LibraryView): boolean {
  return query !== '' || kind !== null || (by !== null && value !== '') || year !== null;
}

export function tabCount(counts: LibraryCounts, tab: LibraryTab): number {
  if (tab === 'all') return LESSON_STATUSES.reduce((sum, status) => sum + counts[status], 0) - counts.merged;
  return tab === 'archived' ? counts.archived - counts.merged : counts[tab];
}

const HIDDEN_IF_EMPTY: readonly LibraryTab[] = ['candidate', 'merged', 'refuted'];

/** Returns the visible tabs. Some are hidden while empty. */
export function tabsOf(counts: LibraryCounts, chosen: LibraryTab): LibraryTab[] {
  return LIBRARY_TABS.filter((tab) => !HIDDEN_IF_EMPTY.includes(tab) || tab === chosen || tabCount(counts, tab) > 0);
}
