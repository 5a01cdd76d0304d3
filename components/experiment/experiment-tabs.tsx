import Link from 'next/link';
import type { ReactNode } from 'react';
import { TabBar } from '#components/layout/tab-bar.tsx';

/** The parts of an experiment's page; which one is shown stands in the address. */
export const EXPERIMENT_TABS = ['results', 'settings'] as const;
export type ExperimentTab = (typeof EXPERIMENT_TABS)[number];

type ExperimentTabsProps = { path: string; chosen: ExperimentTab; latestVersion: number; children?: ReactNode };

/** Links to the parts of an experiment; what chooses within a part stands at their end. */
export function ExperimentTabs({ path, chosen, latestVersion, children }: ExperimentTabsProps) {
  return (
    <TabBar label="Parts of the experiment">
      <Link href={path} aria-current={chosen === 'results' ? 'page' : undefined}>
        Results
      </Link>
      <Link href={`${path}?tab=settings`} aria-current={chosen === 'settings' ? 'page' : undefined}>
        Settings <span className="font-medium text-ink-3 text-xs">v{latestVersion}</span>
      </Link>
      {children ? <span className="ml-auto py-1">{children}</span> : null}
    </TabBar>
  );
}
