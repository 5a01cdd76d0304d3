import { Bookmark } from 'lucide-react';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { Link } from '#components/ui/link.tsx';
import { formatCount } from '#lib/format.ts';
import { type ExperimentsView, experimentsQuery } from './experiments-view.ts';

/** Named list with its filters. */
export type KeptView = { id: string; name: string; query: string };

type ExperimentsTabsProps = { view: ExperimentsView; total: number; waiting: number; savedViews: readonly KeptView[] };

/** Tabs for all experiments, those that need attention, and saved views. */
export function ExperimentsTabs({ view, total, waiting, savedViews }: ExperimentsTabsProps) {
  const query = experimentsQuery(view);
  const tabs = [
    { key: 'all', name: 'All', query: '', count: total },
    { key: 'waiting', name: 'Waiting for a reviewer', query: 'state=waiting', count: waiting },
    { key: 'under_way', name: 'In progress', query: 'state=under_way', count: null },
    { key: 'flagged', name: 'Needs attention', query: 'state=flagged', count: null },
  ];
  return (
    <TabBar label="Views">
      {tabs.map((tab) => (
        <Link key={tab.key} href={hrefOf(tab.query)} aria-current={tab.query === query ? 'page' : undefined}>
          {tab.name}{' '}
          {tab.count === null ? null : <span className="font-medium text-ink-3 text-xs">{formatCount(tab.count)}</span>}
        </Link>
      ))}
      {savedViews.map((tab) => (
        <Link key={tab.id} href={hrefOf(tab.query)} aria-current={tab.query === query ? 'page' : undefined}>
          <Bookmark />
          {tab.name}
        </Link>
      ))}
    </TabBar>
  );
}

function hrefOf(query: string): string {
  return query === '' ? '/experiments' : `/experiments?${query}`;
}
