import { Copy, GitCompareArrows, Pencil } from 'lucide-react';
import { notFound } from 'next/navigation';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { RoleLink } from '#components/access/role-link.tsx';
import { compareAddress } from '#components/compare/compare-address.ts';
import { BatchPicker } from '#components/experiment/batch-picker.tsx';
import { caseSourceOf } from '#components/experiment/case-sources.ts';
import {
  BudgetNotices,
  EXPERIMENT_TABS,
  ExperimentFlags,
  ExperimentHead,
  ExperimentTabs,
} from '#components/experiment/experiment-head.tsx';
import { ExportExperiment } from '#components/experiment/export-experiment.tsx';
import { toFormSettings } from '#components/experiment/form-settings.ts';
import { NoRunsPane } from '#components/experiment/next-steps.tsx';
import { refusedSettings } from '#components/experiment/refused-settings.ts';
import { SettingsPane } from '#components/experiment/settings-pane.tsx';
import { StartRunDialog } from '#components/experiment/start-run-dialog.tsx';
import { Page } from '#components/layout/page.tsx';
import { address } from '#components/layout/pager.tsx';
import { StartTuningInPage } from '#components/tuning/lazy-tuning.tsx';
import { TunedRuns } from '#components/tuning/tuned-runs.tsx';
import { Button, NARROW_ICON } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { PrintButton } from '#components/ui/print-button.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { findBudgetWarnings } from '#lib/budgets/queries.ts';
import { writeArmName } from '#lib/compare/arm-name.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { listTunableDatasets } from '#lib/datasets/queries.ts';
import {
  type ExperimentView,
  findExperiment,
  findExperimentFlags,
  findExperimentVersion,
} from '#lib/experiments/queries.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { settingsPath } from '#lib/runs/edit-form-path.ts';
import { listTuningRuns } from '#lib/runs/list-runs.ts';
import { SubjectNotes } from '../../notes/subject-notes.tsx';
import { readPageId } from '../../read-page-id.ts';
import { type IdPageProps, idParam, searchParam } from '../../search-param.ts';
import { providerChoices } from '../form-choices.ts';
import { startRunsAction } from './actions.ts';
import { type ExperimentTabProps, findChosenBatchId, newestBatch, settingsVersions } from './experiment-tab-props.ts';
import { readStartForm } from './read-start-form.ts';
import { ResultsTab } from './results-tab.tsx';

export default async function ExperimentPage({ params, searchParams }: IdPageProps) {
  const actor = await authorizePage('/experiments/{id}');
  const id = await readPageId(params);
  const query = await searchParams;
  const { database, now } = await getAppContext();
  const experiment = await findExperiment(database, id);
  if (experiment === null) notFound();
  const path = `/experiments/${id}`;
  const tab = EXPERIMENT_TABS.find((candidate) => candidate === searchParam(query.tab)) ?? 'results';
  const Results = experiment.settings.mode === 'tune' ? TuningTab : ResultsTab;
  const Tab = tab === 'settings' ? SettingsTab : Results;
  const batchId = findChosenBatchId(experiment, searchParam(query.batch));
  return (
    <Page
      crumbs={[{ label: 'Experiments', href: '/experiments' }, { label: experiment.name }]}
      practice={isPractice(experiment.settings)}
    >
      <ExperimentHead
        experiment={experiment}
        cases={findNewestBatchDataset(experiment)}
        actions={<ExperimentActions experiment={experiment} path={path} start={searchParam(query.start)} />}
      />
      <BudgetNotices warnings={await findBudgetWarnings({ database, now }, id)} edit={settingsPath(id, 'people')} />
      <ExperimentFlags flags={await findExperimentFlags(database, id, experiment.latestVersion)} />
      <ExperimentTabs path={path} chosen={tab} latestVersion={experiment.latestVersion}>
        {Tab === ResultsTab && batchId !== null ? (
          <BatchPicker path={path} batches={experiment.batches} chosen={batchId} />
        ) : null}
      </ExperimentTabs>
      <Tab experiment={experiment} path={path} query={query} />
      {tab === 'results' ? <SubjectNotes subject={{ kind: 'experiment', id }} actor={actor} /> : null}
    </Page>
  );
}

/** Returns the dataset of the newest batch. Null if it used none, if the dataset was deleted, or for tuning. */
function findNewestBatchDataset(experiment: ExperimentView) {
  const batch = newestBatch(experiment);
  if (batch === null || batch.dataset === null || experiment.settings.mode === 'tune') return null;
  return { dataset: batch.dataset, count: batch.total / batch.repetitions };
}

async function SettingsTab({ experiment, path, query }: ExperimentTabProps) {
  const context = await getAppContext();
  const { database } = context;
  const version = askedVersion(experiment, searchParam(query.version));
  const [providers, versions, chosen, previous] = await Promise.all([
    listProviders(context),
    settingsVersions(experiment),
    findExperimentVersion(database, experiment.id, version),
    version > 1 ? findExperimentVersion(database, experiment.id, version - 1) : null,
  ]);
  if (chosen === null) return null;
  return (
    <SettingsPane
      path={path}
      versions={versions}
      latestVersion={experiment.latestVersion}
      chosen={chosen}
      previous={previous?.settings ?? null}
      refused={refusedSettings(toFormSettings(experiment.name, chosen.settings), providerChoices(providers))}
    />
  );
}

function askedVersion(experiment: ExperimentView, value: string | null): number {
  const named = experiment.versions.find(({ version }) => String(version) === value);
  return named?.version ?? experiment.latestVersion;
}

/** Maximum number of tuning runs summarized. Each is loaded with its full history. */
const MAX_TUNING_SUMMARIES = 8;

async function TuningTab({ experiment, query }: ExperimentTabProps) {
  const { database } = await getAppContext();
  const datasetId = idParam(query.dataset) ?? newestBatch(experiment)?.dataset?.id ?? null;
  const [datasets, runs] = await Promise.all([
    listTunableDatasets(database, { datasetId, limit: 50 }),
    listTuningRuns(database, experiment.id, MAX_TUNING_SUMMARIES),
  ]);
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      {experiment.batches.length > 0 ? (
        <Pane>
          <PaneHeader title="Tuning results" note={`latest ${MAX_TUNING_SUMMARIES} runs`} />
          <TunedRuns runs={runs} />
        </Pane>
      ) : (
        <NoRunsPane latestVersion={experiment.latestVersion} next="Choose the cases, then select Tune." />
      )}
      <Pane>
        <PaneHeader title="Start a run" />
        <StartTuningInPage
          experimentId={experiment.id}
          version={experiment.latestVersion}
          settings={experiment.settings}
          datasets={datasets}
          datasetId={datasetId}
          start={startRunsAction.bind(null, experiment.id)}
        />
      </Pane>
    </Columns>
  );
}

/** `start`: case source of the start form, which is then open. Null: the form is closed. */
type ExperimentActionsProps = { experiment: ExperimentView; path: string; start: string | null };

async function ExperimentActions({ experiment, path, start }: ExperimentActionsProps) {
  const { id, name, latestVersion, settings, batches, origin } = experiment;
  // Before the first run, and for tuning, the start form is part of the page.
  const startsHere = batches.length > 0 && settings.mode !== 'tune' && origin !== 'imported';
  return (
    <>
      <DeleteButton
        isInHead
        name={name}
        what="The experiment with all its versions, batches and runs"
        route="DELETE /api/v1/experiments/{id}"
        request={{ params: { id } }}
        goTo="/experiments"
      />
      {batches.length > 0 ? <PrintButton /> : null}
      {batches.length > 0 ? <ExportExperiment experimentId={id} isTuning={settings.mode === 'tune'} /> : null}
      <RoleLink
        needs="editor"
        variant="ghost"
        href={address('/experiments/new', { from: id, version: String(latestVersion) })}
      >
        <Copy />
        <span className={NARROW_ICON}>Duplicate</span>
      </RoleLink>
      {batches.length > 0 && settings.mode !== 'tune' ? (
        <Button asChild>
          <Link href={compareAddress({ arms: comparedWith(experiment), metric: null, shown: null })}>
            <GitCompareArrows />
            Compare
          </Link>
        </Button>
      ) : null}
      <RoleLink needs="editor" href={`${path}/edit`}>
        <Pencil />
        Change settings
      </RoleLink>
      {startsHere ? (
        <StartRunDialog {...(await readStartForm(experiment))} open={start !== null} source={caseSourceOf(start)} />
      ) : null}
    </>
  );
}

/** Returns the arms to compare: the parent, if known, and this experiment. Otherwise the user chooses the other arm. */
function comparedWith({ id, parent }: ExperimentView): string[] {
  return parent === null ? [id] : [writeArmName({ experimentId: parent.id, version: parent.version }), id];
}
