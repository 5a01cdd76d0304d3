import { notFound } from 'next/navigation';
import { BatchPicker } from '#components/experiment/batch-picker.tsx';
import { BudgetNotices } from '#components/experiment/budget-notices.tsx';
import { ExperimentFlags } from '#components/experiment/experiment-flags.tsx';
import { ExperimentHead } from '#components/experiment/experiment-head.tsx';
import { EXPERIMENT_TABS, ExperimentTabs } from '#components/experiment/experiment-tabs.tsx';
import { Page } from '#components/layout/page.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { findBudgetWarnings } from '#lib/budgets/find-budget-warnings.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { findExperimentFlags } from '#lib/experiments/find-experiment-flags.ts';
import { type ExperimentView, findExperiment } from '#lib/experiments/queries.ts';
import { SubjectNotes } from '../../notes/subject-notes.tsx';
import { readPageId } from '../../read-page-id.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';
import { chosenBatch } from './chosen-batch.ts';
import { ExperimentActions } from './experiment-actions.tsx';
import { newestBatch } from './newest-batch.ts';
import { ResultsTab } from './results-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { TuningTab } from './tuning-tab.tsx';

type ExperimentPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

export default async function ExperimentPage({ params, searchParams }: ExperimentPageProps) {
  const actor = await authorizePage('/experiments/{id}');
  const id = await readPageId(params);
  const asked = await searchParams;
  const { database, now } = await getAppContext();
  const experiment = await findExperiment(database, id);
  if (experiment === null) notFound();
  const path = `/experiments/${id}`;
  const tab = EXPERIMENT_TABS.find((candidate) => candidate === searchParam(asked.tab)) ?? 'results';
  const Results = experiment.settings.mode === 'tune' ? TuningTab : ResultsTab;
  const Tab = tab === 'settings' ? SettingsTab : Results;
  const batchId = chosenBatch(experiment, searchParam(asked.batch));
  const moment = now().toISOString();
  return (
    <Page
      crumbs={[{ label: 'Experiments', href: '/experiments' }, { label: experiment.name }]}
      practice={isPractice(experiment.settings)}
    >
      <ExperimentHead
        experiment={experiment}
        cases={casesOf(experiment)}
        actions={<ExperimentActions experiment={experiment} path={path} />}
      />
      <BudgetNotices warnings={await findBudgetWarnings({ database, now }, id)} edit={`${path}/edit`} />
      <ExperimentFlags flags={await findExperimentFlags(database, id, experiment.latestVersion)} />
      <ExperimentTabs path={path} chosen={tab} latestVersion={experiment.latestVersion}>
        {Tab === ResultsTab && batchId !== null ? (
          <BatchPicker path={path} batches={experiment.batches} chosen={batchId} now={moment} />
        ) : null}
      </ExperimentTabs>
      <Tab experiment={experiment} path={path} asked={asked} now={moment} />
      {tab === 'results' ? <SubjectNotes subject={{ kind: 'experiment', id }} actor={actor} /> : null}
    </Page>
  );
}

/** What the newest batch ran over; null where that was no dataset, or is gone, or a prompt was tuned on it. */
function casesOf(experiment: ExperimentView) {
  const batch = newestBatch(experiment);
  if (batch === null || batch.dataset === null || experiment.settings.mode === 'tune') return null;
  return { dataset: batch.dataset, count: batch.total / batch.repetitions };
}
