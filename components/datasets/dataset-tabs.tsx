import { TabBar } from '#components/layout/tab-bar.tsx';
import { Link } from '#components/ui/link.tsx';
import { formatCount } from '#lib/format.ts';

export const DATASET_TABS = ['cases', 'import', 'splits', 'history'] as const;
type DatasetTab = (typeof DATASET_TABS)[number];

const DATASET_TAB_LABELS: Record<DatasetTab, string> = {
  cases: 'Cases',
  import: 'Import',
  splits: 'Splits',
  history: 'History',
};

type DatasetTabsProps = { path: string; tab: DatasetTab; caseCount: number; versions: number };

/** Tabs of a dataset's page. The open tab is stored in the URL. */
export function DatasetTabs({ path, tab, caseCount, versions }: DatasetTabsProps) {
  const counts: Partial<Record<DatasetTab, number>> = { cases: caseCount, history: versions };
  return (
    <TabBar label="Parts of the dataset">
      {DATASET_TABS.map((part) => (
        <Link
          key={part}
          href={part === 'cases' ? path : `${path}?tab=${part}`}
          aria-current={part === tab ? 'page' : undefined}
          scroll={false}
        >
          {DATASET_TAB_LABELS[part]}
          {counts[part] === undefined ? null : (
            <span className="font-medium text-ink-3 text-xs">{formatCount(counts[part])}</span>
          )}
        </Link>
      ))}
    </TabBar>
  );
}
