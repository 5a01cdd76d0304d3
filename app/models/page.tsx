import { AddProvider } from '#components/models/add-provider.tsx';
import { ProviderSection } from '#components/models/provider-section.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { listProviders } from '#lib/runs/list-providers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { addProvider, changeProvider, removeProvider, tryProvider } from './actions.ts';

export default async function ModelsPage() {
  await authorize({ name: 'page /models', role: 'viewer' });
  const providers = await listProviders(await getWorkshop());
  return (
    <Page crumbs={[{ label: 'Models' }]}>
      <PageHead
        title="Models"
        facts={<span>{formatNumberOf(providers.length, 'provider')}; keys are write-only</span>}
      />
      <div className="cols models flex-1 border-b-0">
        <div className="min-w-0">
          {providers.map((provider) => (
            <ProviderSection
              key={provider.name}
              provider={provider}
              test={tryProvider.bind(null, provider.name)}
              change={changeProvider.bind(null, provider.name)}
              remove={removeProvider.bind(null, provider.name)}
            />
          ))}
        </div>
        <div className="min-w-0">
          <section className="pane">
            <div className="ph">
              <h2>Add a provider</h2>
            </div>
            <AddProvider add={addProvider} test={tryProvider} />
          </section>
          <section className="pane border-b-0">
            <div className="ph">
              <h2>The practice model</h2>
            </div>
            <p className="muted max-w-[60ch]">
              <b className="md5 text-ink">practice-1</b> is built in and needs no key and no network. It follows fixed
              rules: it drafts with known flaws, judges by rules, and mends just what it is told about. It is there to
              learn and to test the loop, so its texts, scores and prices say nothing about a real model; wherever it
              had a part, the page says so.
            </p>
          </section>
        </div>
      </div>
    </Page>
  );
}
