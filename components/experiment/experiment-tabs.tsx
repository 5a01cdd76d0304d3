import Link from 'next/link';

/** The parts of an experiment's page; which one is shown stands in the address. */
export const EXPERIMENT_TABS = ['results', 'settings'] as const;
export type ExperimentTab = (typeof EXPERIMENT_TABS)[number];

type ExperimentTabsProps = { path: string; chosen: ExperimentTab; latestVersion: number };

/** Links to the parts of an experiment. */
export function ExperimentTabs({ path, chosen, latestVersion }: ExperimentTabsProps) {
  return (
    <nav className="tabs" aria-label="Parts of the experiment">
      <Link href={path} aria-current={chosen === 'results' ? 'page' : undefined}>
        Results
      </Link>
      <Link href={`${path}?tab=settings`} aria-current={chosen === 'settings' ? 'page' : undefined}>
        Settings <span className="count">v{latestVersion}</span>
      </Link>
    </nav>
  );
}
