import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { AddProvider } from '#components/models/add-provider.tsx';
import { LocalServers } from '#components/models/local-servers.tsx';
import { MonthBudget } from '#components/models/month-budget.tsx';
import { PriceTable } from '#components/models/price-table.tsx';
import { ProviderSection } from '#components/models/provider-section.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { findMonthUse } from '#lib/budgets/queries.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatNumberOf } from '#lib/format.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { listPrices } from '#lib/models/prices.ts';
import {
  addProviderAction,
  changeMonthBudgetAction,
  changePricesAction,
  changeProviderAction,
  findServersAction,
  removeProviderAction,
  tryProviderAction,
} from './actions.ts';

const ACTIONS = {
  add: addProviderAction,
  change: changeProviderAction,
  remove: removeProviderAction,
  test: tryProviderAction,
};

export default async function ModelsPage() {
  await authorizePage('/models');
  const context = await getAppContext();
  const moment = context.now();
  const [providers, month] = await Promise.all([listProviders(context), findMonthUse(context.database, moment)]);
  const prices = await listPrices(context, providers);
  const now = moment.toISOString();
  const taken = providers.map(({ name }) => name);
  return (
    <Page crumbs={[{ label: 'Models' }]}>
      <PageHead
        title="Models"
        facts={<span>{formatNumberOf(providers.length, 'provider')}; keys are write-only</span>}
      />
      <SettingsTabs />
      <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_25rem] border-b-0">
        <div className="min-w-0">
          {providers.map((provider) => (
            <ProviderSection key={provider.name} provider={provider} actions={ACTIONS} now={now} />
          ))}
          {context.addresses.allowLoopback ? (
            <LocalServers taken={taken} find={findServersAction} actions={ACTIONS} />
          ) : null}
          <PriceTable
            prices={prices}
            providers={providers
              .filter(({ source }) => source !== 'built_in')
              .map(({ name, test }) => ({ name, models: test?.models ?? [] }))}
            save={changePricesAction}
          />
        </div>
        <div className="min-w-0">
          <Pane>
            <PaneHeader>
              <h2>Add a provider</h2>
            </PaneHeader>
            <AddProvider taken={taken} actions={ACTIONS} />
          </Pane>
          <MonthBudget use={month} now={now} save={changeMonthBudgetAction} />
          <Pane className="border-b-0">
            <PaneHeader>
              <h2>The practice model</h2>
            </PaneHeader>
            <p className="max-w-[60ch] text-ink-2">
              <b className="font-medium text-ink">practice-1</b> is built in and needs no key and no network. It follows
              fixed rules: it drafts with known flaws, judges by rules, and mends just what it is told about. It is
              there to learn and to test the loop, so its texts, scores and prices say nothing about a real model;
              wherever it had a part, the page says so.
            </p>
          </Pane>
        </div>
      </Columns>
    </Page>
  );
}
