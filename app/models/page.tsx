import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { AddProvider } from '#components/models/add-provider.tsx';
import { DefaultModels } from '#components/models/default-models.tsx';
import { LocalServers } from '#components/models/local-servers.tsx';
import { MonthBudget } from '#components/models/month-budget.tsx';
import { PriceTable } from '#components/models/price-table.tsx';
import { ProviderSection } from '#components/models/provider-section.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { roleAllows } from '#lib/auth/role.ts';
import { findMonthUse } from '#lib/budgets/queries.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatNumberOf } from '#lib/format.ts';
import { findDefaultModels, firstEmbeddingModel } from '#lib/models/default-models.ts';
import { listProviders, type ProviderView } from '#lib/models/list-providers.ts';
import { listPrices } from '#lib/models/prices.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { listHeldBatches } from '#lib/runs/hold-batch.ts';
import { providerChoices } from '../experiments/form-choices.ts';
import { type SearchParams, searchParam } from '../search-param.ts';
import { changeMonthBudgetAction } from './actions.ts';

/** The parent page, which not everyone may open. */
const SETTINGS = { label: 'Settings', href: '/settings', needs: 'owner' } as const;

export default async function ModelsPage({ searchParams }: { searchParams: SearchParams }) {
  const { role } = await authorizePage('/models');
  const providerParam = searchParam((await searchParams).provider);
  const context = await getAppContext();
  const [providers, defaults, month, heldBatches] = await Promise.all([
    listProviders(context),
    findDefaultModels(context),
    findMonthUse(context.database, context.now()),
    listHeldBatches(context.database),
  ]);
  const prices = await listPrices(context, providers);
  const taken = providers.map(({ name }) => name);
  return (
    <Page crumbs={[...(roleAllows(role, SETTINGS.needs) ? [SETTINGS] : []), { label: 'Models' }]}>
      <PageHead title="Models" facts={<span>{formatNumberOf(providers.length, 'provider')}</span>} />
      <SettingsTabs />
      <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_25rem] border-b-0">
        <div className="min-w-0">
          {providers.map((provider) => (
            <ProviderSection
              key={provider.name}
              provider={provider}
              heldBatches={heldBatches.filter(({ hold }) => hold.provider === provider.name)}
              isAsked={provider.name === providerParam}
            />
          ))}
          <DefaultModels defaults={defaults} providers={providerChoices(providers)} embedders={embedders(providers)} />
          {context.addresses.allowLoopback ? <LocalServers taken={taken} /> : null}
          <PriceTable
            prices={prices}
            providers={providers
              .filter(({ source }) => source !== 'built_in')
              .map(({ name, test }) => ({ name, models: test?.models ?? [] }))}
          />
        </div>
        <div className="min-w-0">
          <Pane id="add-provider">
            <PaneHeader title="Add a provider" />
            <AddProvider taken={taken} />
          </Pane>
          <MonthBudget use={month} save={changeMonthBudgetAction} />
          <Pane className="border-b-0">
            <PaneHeader title="The practice model" />
            <p className="max-w-[60ch] text-ink-2">
              <b className="font-medium text-ink">practice-1</b> is built in. It needs no key and no network. It follows
              fixed rules: it drafts with known flaws, judges by rules, and fixes only the issues in the critique. Use
              it to learn and test the loop. Its texts, scores and prices say nothing about real models, so every page
              that shows its data is labeled.
            </p>
          </Pane>
        </div>
      </Columns>
    </Page>
  );
}

function embedders(providers: readonly ProviderView[]) {
  return providers
    .filter(({ kind }) => PROVIDER_DEFINITIONS[kind].hasEmbeddings)
    .map(({ name, kind, test }) => {
      const listed = firstEmbeddingModel(test?.models ?? []);
      const known = PROVIDER_DEFINITIONS[kind].embeddingModels;
      return { name, models: [...new Set(listed === null ? known : [listed, ...known])], listed: test?.models ?? [] };
    });
}
