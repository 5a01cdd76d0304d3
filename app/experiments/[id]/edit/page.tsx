import { notFound } from 'next/navigation';
import { ExperimentForm } from '#components/experiment/experiment-form.tsx';
import { formPartOf } from '#components/experiment/form-part.ts';
import { toFormSettings } from '#components/experiment/form-settings.ts';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { readPageId } from '../../../read-page-id.ts';
import { type IdPageProps, searchParam } from '../../../search-param.ts';
import { loadFormChoices } from '../../form-choices.ts';
import { previewScoresAction } from '../actions.ts';

export default async function EditExperimentPage({ params, searchParams }: IdPageProps) {
  await authorizePage('/experiments/{id}/edit');
  const id = await readPageId(params);
  const context = await getAppContext();
  const [experiment, choices] = await Promise.all([
    findExperiment(context.database, id),
    loadFormChoices(context, null),
  ]);
  const newest = experiment?.versions.find(({ version }) => version === experiment.latestVersion);
  if (experiment === null || newest === undefined) notFound();
  const path = `/experiments/${id}`;
  return (
    <Page
      crumbs={[
        { label: 'Experiments', href: '/experiments' },
        { label: experiment.name, href: path },
        { label: 'Change settings' },
      ]}
    >
      <PageHead
        title={`Settings of ${experiment.name}`}
        facts={
          <span>Changes are saved as v{experiment.latestVersion + 1}. Existing runs keep their settings version.</span>
        }
      />
      <ExperimentForm
        initial={toFormSettings(experiment.name, experiment.settings)}
        choices={choices}
        openPart={formPartOf(searchParam((await searchParams).open))}
        saved={{ id, newest }}
        previewScoring={previewScoresAction.bind(null, id)}
      />
    </Page>
  );
}
