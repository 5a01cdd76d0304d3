import { ArrowRight, Download, Plus, Upload } from 'lucide-react';
import { RoleLink } from '#components/access/role-link.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Pager } from '#components/layout/pager.tsx';
import { LessonTable } from '#components/lessons/lesson-table.tsx';
import { LibraryFilters, LibraryTabs } from '#components/lessons/library-filters.tsx';
import {
  isFiltered,
  type LibraryView,
  libraryFilter,
  libraryParams,
  readLibraryView,
  tabCount,
} from '#components/lessons/library-view.ts';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SegmentedLinks } from '#components/ui/segmented-links.tsx';
import { archiveYears } from '#lib/audit/queries.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { roleAllows } from '#lib/auth/role.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatCount } from '#lib/format.ts';
import { countLessons, countMergedLessons } from '#lib/lessons/lesson-status.ts';
import { findLifts, listLessons } from '#lib/lessons/queries.ts';
import { type SearchParams, searchParam } from '../search-param.ts';

const PAGE_SIZE = 50;

export default async function LessonsPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/lessons');
  const params = await searchParams;
  const view = readLibraryView((name) => searchParam(params[name]));
  const cursor = searchParam(params.cursor);
  const { database } = await getAppContext();
  const [totals, merged, years, { items, nextCursor }] = await Promise.all([
    countLessons(database),
    countMergedLessons(database),
    view.tab === 'archived' ? archiveYears(database) : [],
    listLessons(database, libraryFilter(view), { cursor, limit: PAGE_SIZE }),
  ]);
  const counts = { ...totals, merged };
  const lifts = await findLifts(
    database,
    items.map(({ id }) => id),
  );
  return (
    <Page crumbs={[{ label: 'Lessons' }]}>
      <PageHead
        title="Lessons"
        facts={
          <>
            <span>
              <b>{formatCount(counts.promoted)}</b> promoted
            </span>
            <span>
              <b>{formatCount(counts.review)}</b> to review
            </span>
          </>
        }
        actions={
          <>
            {tabCount(counts, 'all') === 0 ? null : <ExportLinks year={view.year} />}
            <RoleLink needs="editor" href="/lessons/import">
              <Upload />
              Import
            </RoleLink>
            <RoleLink needs="editor" variant={counts.review === 0 ? 'primary' : 'default'} href="/lessons/new">
              <Plus />
              Add
            </RoleLink>
            {counts.review === 0 ? null : (
              <Button asChild variant={roleAllows(actor.role, 'reviewer') ? 'primary' : 'default'}>
                <Link href="/lessons/review">
                  Review {formatCount(counts.review)}
                  <ArrowRight />
                </Link>
              </Button>
            )}
          </>
        }
      />
      <LibraryTabs counts={counts} view={view} />
      <LibraryFilters view={view} years={years} />
      {items.length > 0 ? (
        <LessonTable key={`${JSON.stringify(view)} ${cursor}`} lessons={items} lifts={Object.fromEntries(lifts)} />
      ) : (
        <Empty view={view} hasAny={tabCount(counts, 'all') + merged > 0} />
      )}
      <Pager path="/lessons" params={libraryParams(view)} cursor={cursor} nextCursor={nextCursor} />
    </Page>
  );
}

function ExportLinks({ year }: { year: number | null }) {
  const part = year === null ? '' : `&year=${year}`;
  return (
    <SegmentedLinks aria-label={year === null ? 'Export the library' : `Export the archive ${year}`}>
      <a href={`/api/v1/lessons/export?format=markdown${part}`} download>
        <Download />
        <span>
          Export {year} <span className="sr-only">as </span>Markdown
        </span>
      </a>
      <a href={`/api/v1/lessons/export?format=jsonl${part}`} download>
        <span>
          <span className="sr-only">Export as </span>JSONL
        </span>
      </a>
    </SegmentedLinks>
  );
}

function Empty({ view, hasAny }: { view: LibraryView; hasAny: boolean }) {
  const [title, description] = emptyLabel(view, hasAny);
  return (
    <Pane className="border-b-0" data-testid="lessons-empty">
      <p className="font-semibold">{title}</p>
      <p className="mt-0.5 mb-3 text-ink-2">{description}</p>
      {hasAny ? (
        <RoleLink needs="viewer" href="/lessons">
          Show all
        </RoleLink>
      ) : (
        <RoleLink needs="editor" href="/lessons/new">
          Add a lesson
        </RoleLink>
      )}
    </Pane>
  );
}

function emptyLabel(view: LibraryView, hasAny: boolean): [string, string] {
  if (!hasAny)
    return [
      'No lessons yet',
      'Runs in retry mode write a lesson after each failed attempt. Other runs can recall it once a reviewer promotes it.',
    ];
  if (isFiltered(view))
    return ['No lessons match', 'The search looks in the lesson and in the input it was learned from.'];
  switch (view.tab) {
    case 'review':
      return ['No lessons to review', 'New lessons appear here once they are screened.'];
    case 'refuted':
      return [
        'No lessons proposed for retirement',
        'A lesson is proposed once it hurt at least two runs and more runs than it helped.',
      ];
    case 'merged':
      return ['No merged lessons', 'A lesson that repeats an earlier one is merged into it.'];
    default:
      return ['No lessons here', 'Lessons appear here once they are reviewed.'];
  }
}
