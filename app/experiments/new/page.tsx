import { notFound } from 'next/navigation';
import { toDraft } from '#components/experiment/experiment-draft.ts';
import { ExperimentForm } from '#components/experiment/experiment-form.tsx';
import { EXPERIMENT_TEMPLATES } from '#components/experiment/experiment-templates.ts';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { listTunableDatasets } from '#lib/db/list-tunable-datasets.ts';
import { listProviders } from '#lib/runs/list-providers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { tuningStart } from '#lib/runs/prompts/tuning-start.ts';
import { readPythonSwitch } from '#lib/runs/python-switch.ts';
import { listWebhooks } from '#lib/runs/webhooks/list-webhooks.ts';
import { authorize } from '#lib/team/authorize.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';
import { saveNewExperiment } from '../actions.ts';
import { providerChoices } from '../provider-choices.ts';

export default async function NewExperimentPage({ searchParams }: { searchParams: SearchParams }) {
  await authorize({ name: 'page /experiments/new', role: 'editor' });
  const asked = await searchParams;
  const workshop = await getWorkshop();
  const prompt = searchParam(asked.prompt);
  const start = prompt === null ? null : await tuningStart(workshop, prompt, searchParam(asked.version));
  const [providers, webhooks, python, datasets] = await Promise.all([
    listProviders(workshop),
    listWebhooks(workshop),
    readPythonSwitch(workshop),
    listTunableDatasets(workshop.database, { asked: start?.datasetId ?? null, limit: 50 }),
  ]);
  const template = EXPERIMENT_TEMPLATES[0];
  if (template === undefined || (prompt !== null && start === null)) notFound();
  return (
    <Page crumbs={[{ label: 'Experiments', href: '/experiments' }, { label: 'New' }]} practice={providers.length === 1}>
      <PageHead
        title={start === null ? 'New experiment' : `Tune ${start.name} v${start.version}`}
        facts={
          <span>
            {start === null
              ? 'Every field has its default; a template fills in the rest.'
              : 'Prompt, models, criteria and dataset are those of the prompt; nothing is changed there.'}
          </span>
        }
      />
      <ExperimentForm
        initial={start === null ? toDraft('', template.settings) : toDraft(`Tune ${start.name}`, start.settings)}
        providers={providerChoices(providers)}
        webhooks={webhooks.map(({ name }) => name)}
        datasets={datasets}
        datasetId={start?.datasetId ?? null}
        isPythonOn={python?.value === true}
        save={saveNewExperiment}
        isChange={false}
      />
    </Page>
  );
}
