import { address } from '#components/layout/pager.tsx';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { Link } from '#components/ui/link.tsx';
import type { LessonCounts } from '#lib/core/lesson-library.ts';
import { formatCount } from '#lib/format.ts';
import { type LibraryTab, type LibraryView, libraryParams, TAB_LABELS, tabCount, tabsOf } from './library-view.ts';

type LibraryTabsProps = { counts: LessonCounts; view: LibraryView };

/** The library by how far its lessons came, each tab with its count; what is searched for stays. */
export function LibraryTabs({ counts, view }: LibraryTabsProps) {
  return (
    <TabBar label="Status">
      {tabsOf(counts, view.tab).map((tab: LibraryTab) => (
        <Link
          key={tab}
          href={address('/lessons', libraryParams({ ...view, tab }))}
          aria-current={tab === view.tab ? 'page' : undefined}
          scroll={false}
        >
          {TAB_LABELS[tab]} <span className="font-medium text-ink-3 text-xs">{formatCount(tabCount(counts, tab))}</span>
        </Link>
      ))}
    </TabBar>
  );
}
