import { notFound } from 'next/navigation';
import { toDraft } from '#components/experiment/experiment-draft.ts';
import { ExperimentForm } from '#components/experiment/experiment-form.tsx';
import { EXPERIMENT_TEMPLATES } from '#components/experiment/experiment-templates.ts';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { listProviders } from '#lib/runs/list-providers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { readPythonSwitch } from '#lib/runs/python-switch.ts';
import { listWebhooks } from '#lib/runs/webhooks/list-webhooks.ts';
import { authorize } from '#lib/team/authorize.ts';
import { saveNewExperiment } from '../actions.ts';
import { providerChoices } from '../provider-choices.ts';

export default async function NewExperimentPage() {
  await authorize({ name: 'page /experiments/new', role: 'editor' });
  const workshop = await getWorkshop();
  const [providers, webhooks, python] = await Promise.all([
    listProviders(workshop),
    listWebhooks(workshop),
    readPythonSwitch(workshop),
  ]);
  const template = EXPERIMENT_TEMPLATES[0];
  if (template === undefined) notFound();
  return (
    <Page crumbs={[{ label: 'Experiments', href: '/experiments' }, { label: 'New' }]} practice={providers.length === 1}>
      <PageHead
        title="New experiment"
        facts={<span>Every field has its default; a template fills in the rest.</span>}
      />
      <ExperimentForm
        initial={toDraft('', template.settings)}
        providers={providerChoices(providers)}
        webhooks={webhooks.map(({ name }) => name)}
        isPythonOn={python?.value === true}
        save={saveNewExperiment}
        isChange={false}
      />
    </Page>
  );
}
