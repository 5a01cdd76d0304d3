import type { ReactNode } from 'react';
import { PageHead } from '#components/layout/page-head.tsx';
import { TabBar } from '#components/layout/tab-bar.tsx';
import { ModelName } from '#components/run/model-name.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { BudgetWarning } from '#lib/budgets/queries.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { shortModel } from '#lib/core/targets/target-model.ts';
import type { ControlKind, ExperimentOrigin } from '#lib/experiments/schema.ts';
import { formatCount, formatMoney, formatNames, formatNumberOf, formatTitle } from '#lib/format.ts';
import { MONTH_BUDGET_PATH } from '#lib/runs/failure-advice.ts';
import { agentBaseLabel, isSelfJudged } from '#lib/runs/run-facts.ts';
import type { ExperimentFlag } from '#lib/statistics/experiment-flags.ts';
import { OriginBadges } from './origin-badges.tsx';

type ExperimentHeadProps = {
  experiment: {
    name: string;
    sample: boolean;
    origin: ExperimentOrigin;
    control: ControlKind | null;
    parent: { id: string; name: string; version: number } | null;
    latestVersion: number;
    settings: ExperimentSettings;
  };
  /** Dataset of the newest batch. Null if it had none. */
  cases: { dataset: { id: string; name: string }; count: number } | null;
  actions: ReactNode;
};

/** Page header of an experiment: name, key facts and actions. */
export function ExperimentHead({ experiment, cases, actions }: ExperimentHeadProps) {
  const { name, latestVersion, settings, parent, origin } = experiment;
  const { base } = settings.generator;
  return (
    <PageHead
      title={name}
      facts={
        <>
          <OriginBadges {...experiment} />
          <span>
            mode <b>{settings.mode}</b>
          </span>
          <span>
            settings <b>v{latestVersion}</b>
          </span>
          <span>
            <ModelName>{shortModel(modelFor(settings, 'generate'))}</ModelName>
          </span>
          {base.type === 'single' ? null : <span className="wrap-anywhere">{agentBaseLabel(base)}</span>}
          {cases === null ? null : (
            <span>
              dataset <TextLink href={`/datasets/${cases.dataset.id}`}>{formatTitle(cases.dataset.name, 60)}</TextLink>,{' '}
              {formatNumberOf(cases.count, 'case')}
            </span>
          )}
          <span className="wrap-anywhere whitespace-normal">
            {settings.criteria.length === 1 ? 'criterion' : 'criteria'}{' '}
            <b>{formatNames(settings.criteria.map(({ name }) => name))}</b>
          </span>
          {parent === null ? null : (
            <span>
              {origin === 'control' ? 'of' : 'copied from'}{' '}
              <TextLink href={`/experiments/${parent.id}`}>{formatTitle(parent.name, 60)}</TextLink> v{parent.version}
            </span>
          )}
          {isSelfJudged(settings) ? <span>⚠ the model judges its own output</span> : null}
        </>
      }
      actions={actions}
    />
  );
}

/** Warnings that criteria seem too hard or too easy, or that runs cannot be scored. Each shows the number of runs and a remedy. */
export function ExperimentFlags({ flags }: { flags: readonly ExperimentFlag[] }) {
  return flags.map(({ flag, message, remedy }) => (
    <Pane key={flag}>
      <Notice tone="person" title={`${TITLES[flag]} ${message}`}>
        {remedy}
      </Notice>
    </Pane>
  ));
}

const TITLES: Record<ExperimentFlag['flag'], string> = {
  overcritical: 'The criteria may be too strict.',
  undercritical: 'The criteria may be too lenient.',
  unscored: 'Runs could not be scored.',
};

/** Tabs of an experiment's page. The selected tab is stored in the URL. */
export const EXPERIMENT_TABS = ['results', 'settings'] as const;
type ExperimentTab = (typeof EXPERIMENT_TABS)[number];

type ExperimentTabsProps = { path: string; chosen: ExperimentTab; latestVersion: number; children?: ReactNode };

/** Links to the tabs of an experiment, followed by the controls of the selected tab. */
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

type BudgetNoticesProps = {
  warnings: readonly BudgetWarning[];
  /** URL of the settings form. */
  edit: string;
};

/** Warnings about budgets that are nearly or fully used, their effect on runs, and a link to raise them. */
export function BudgetNotices({ warnings, edit }: BudgetNoticesProps) {
  if (warnings.length === 0) return null;
  return (
    <Pane className="flex flex-col gap-2">
      {warnings.map(({ budget, unit, spent, limit }) => (
        <Notice
          key={`${budget} ${unit}`}
          tone="worse"
          title={budget === 'month' ? 'Monthly budget' : 'Experiment budget'}
        >
          {unit === 'usd'
            ? `${formatMoney(spent)} of ${formatMoney(limit)} used.`
            : `${formatCount(spent)} of ${formatCount(limit)} tokens used.`}{' '}
          Hone stops runs before a call would exceed the budget. You can resume them.{' '}
          <TextLink href={budget === 'month' ? MONTH_BUDGET_PATH : edit}>Change budget</TextLink>
        </Notice>
      ))}
    </Pane>
  );
}
