import { notFound } from 'next/navigation';
import { z } from 'zod';
import { ExperimentForm } from '#components/experiment/experiment-form.tsx';
import { EXPERIMENT_TEMPLATES } from '#components/experiment/experiment-templates.ts';
import { withDerivedCriterion } from '#components/experiment/first-prompt.ts';
import { formPartOf } from '#components/experiment/form-part.ts';
import { toFormSettings, withTarget } from '#components/experiment/form-settings.ts';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { findExperiment, findExperimentVersion } from '#lib/experiments/queries.ts';
import { findDefaultModels, withDefaultModels } from '#lib/models/default-models.ts';
import { tuningStart } from '#lib/prompts/prompt-setup.ts';
import { idParam, type SearchParams, searchParam } from '../../search-param.ts';
import { checkNewExperimentAction, startNewExperimentAction } from '../actions.ts';
import { loadFormChoices } from '../form-choices.ts';

export default async function NewExperimentPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/experiments/new');
  const query = await searchParams;
  const context = await getAppContext();
  const prompt = searchParam(query.prompt);
  const start = prompt === null ? null : await tuningStart(context, prompt, searchParam(query.version));
  const from = searchParam(query.from);
  const source = from === null ? null : await duplicateStart(context, from, searchParam(query.version));
  const datasetId = start?.datasetId ?? source?.datasetId ?? idParam(query.dataset);
  const [choices, defaults] = await Promise.all([loadFormChoices(context, datasetId), findDefaultModels(context)]);
  const template = EXPERIMENT_TEMPLATES[0];
  if (template === undefined || (prompt !== null && start === null) || (from !== null && source === null)) notFound();
  const filled = start === null ? (source?.draft ?? null) : { name: `Tune ${start.name}`, settings: start.settings };
  const settings = filled?.settings ?? withDefaultModels(template.settings, defaults);
  const target = choices.targets.find(({ name }) => name === searchParam(query.target));
  const form = toFormSettings(filled?.name ?? '', settings);
  const initial = target === undefined ? form : withTarget(form, target);
  return (
    <Page crumbs={[{ label: 'Experiments', href: '/experiments' }, { label: 'New' }]} practice={isPractice(settings)}>
      <PageHead
        title={titleOf(start, source)}
        facts={
          source === null ? (
            <span>
              {start === null
                ? 'A prompt, an input and a model are enough for a first run.'
                : start.hasCriteria
                  ? 'Prompt, models, criteria and dataset are copied from the prompt. The prompt itself does not change.'
                  : 'The prompt has no criteria, so a judge scores how well an answer does what it asks for.'}
            </span>
          ) : (
            <span>
              Settings copied from <TextLink href={`/experiments/${source.parent.parentId}`}>{source.name}</TextLink> v
              {source.parent.parentVersion}. Change one setting to measure its effect.
            </span>
          )
        }
      />
      <ExperimentForm
        initial={start?.hasCriteria === false ? withDerivedCriterion(initial) : initial}
        choices={choices}
        datasetId={datasetId}
        run={{ check: checkNewExperimentAction, start: startNewExperimentAction }}
        openPart={formPartOf(searchParam(query.open))}
        saved={null}
        {...(source === null ? {} : { parent: source.parent })}
      />
    </Page>
  );
}

function titleOf(start: { name: string; version: number } | null, source: { name: string } | null): string {
  if (source !== null) return `Duplicate of ${source.name}`;
  return start === null ? 'New experiment' : `Tune ${start.name} v${start.version}`;
}

type DuplicateStart = {
  name: string;
  parent: { parentId: string; parentVersion: number };
  draft: { name: string; settings: ExperimentSettings };
  /** Dataset of the newest batch. Null if its cases came from elsewhere. */
  datasetId: string | null;
};

/** Loads the settings of an experiment at a version, or at its latest. Null if not found. */
async function duplicateStart(
  { database }: AppContext,
  from: string,
  version: string | null,
): Promise<DuplicateStart | null> {
  if (!z.guid().safeParse(from).success) return null;
  const experiment = await findExperiment(database, from);
  if (experiment === null) return null;
  const number = version === null ? experiment.latestVersion : Number(version);
  if (!experiment.versions.some((candidate) => candidate.version === number)) return null;
  const found = await findExperimentVersion(database, from, number);
  if (found === null) return null;
  const batch = await database.prisma.batch.findFirst({
    where: { experimentId: from },
    orderBy: { createdAt: 'desc' },
    select: { datasetId: true },
  });
  return {
    name: experiment.name,
    parent: { parentId: experiment.id, parentVersion: number },
    draft: { name: `${experiment.name}, changed`.slice(0, 120), settings: found.settings },
    datasetId: batch?.datasetId ?? null,
  };
}
