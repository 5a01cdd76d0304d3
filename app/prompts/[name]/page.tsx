import { notFound } from 'next/navigation';
import { Page } from '#components/layout/page.tsx';
import type { PlaygroundCase } from '#components/prompts/choose-cases.ts';
import { Playground } from '#components/prompts/playground.tsx';
import type { LabelActions } from '#components/prompts/prompt-labels.tsx';
import { personOf } from '#lib/auth/actor.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { findPromptCases, skippedCases } from '#lib/prompts/plan-evaluation.ts';
import { listPlaygroundRuns } from '#lib/prompts/playground-runs.ts';
import { PRODUCTION, type PromptBody } from '#lib/prompts/prompt.ts';
import { findPrompt, findPromptDraft, findPromptVersion } from '#lib/prompts/queries.ts';
import type { PromptDetail, PromptSetup } from '#lib/prompts/schema.ts';
import { scorePromptVersions } from '#lib/prompts/score-prompt-versions.ts';
import { numberParam, type SearchParams } from '../../search-param.ts';
import { evaluatePromptLabelAction, rollBackPromptLabelAction, saveDraftAction } from '../actions.ts';
import { readPromptName } from '../read-prompt-name.ts';
import { setupChoices } from '../setup-choices.ts';

type PromptPageProps = { params: Promise<{ name: string }>; searchParams: SearchParams };

export default async function PromptPage({ params, searchParams }: PromptPageProps) {
  const actor = await authorizePage('/prompts/{name}');
  const name = await readPromptName(params);
  const query = await searchParams;
  const context = await getAppContext();
  const { database } = context;
  const prompt = await findPrompt(database, name);
  if (prompt === null) notFound();
  const { setup } = prompt;
  const production = prompt.labels.find(({ label }) => label === PRODUCTION);
  const draft = await findPromptDraft(database, { name, actorId: personOf(actor) });
  const [base, against, found, choices, runs, scores] = await Promise.all([
    textOf(prompt, draft?.baseVersion ?? prompt.latestVersion),
    textOf(prompt, numberParam(query.against) || (production?.version ?? prompt.latestVersion)),
    setup.datasetId === null ? null : findPromptCases(database, setup.datasetId),
    setupChoices(context),
    listPlaygroundRuns(context, actor, name),
    scorePromptVersions(context, [{ name, setup, versions: prompt.versions.map(({ number }) => number) }]),
  ]);
  const models = [...setup.models, ...(setup.evaluatorModel === null ? [] : [setup.evaluatorModel])];
  return (
    <Page
      crumbs={[{ label: 'Prompts', href: '/prompts' }, { label: name }]}
      practice={models.some(({ provider }) => provider === 'practice')}
    >
      <Playground
        key={name}
        prompt={prompt}
        dataset={
          found === null
            ? null
            : { name: found.datasetName, caseCount: found.caseCount, cases: shownCases(setup, found.cases) }
        }
        base={base}
        draft={draft}
        against={against}
        scores={scores.get(name) ?? {}}
        choices={choices}
        runs={runs}
        saveDraft={saveDraftAction.bind(null, name)}
        labelActions={LABEL_ACTIONS}
      />
    </Page>
  );

  async function textOf({ latestVersion }: PromptDetail, number: number): Promise<{ number: number } & PromptBody> {
    const version =
      (await findPromptVersion(database.prisma, name, { version: number })) ??
      (await findPromptVersion(database.prisma, name, { version: latestVersion }));
    if (version === null) notFound();
    const { text, tools, responseSchema } = version;
    return { number: version.number, text, tools, responseSchema };
  }
}

const MAX_TEXT_LENGTH = 2_000;

/** Returns the cases for the playground, with the reason why some are skipped. */
function shownCases(setup: PromptSetup, cases: readonly TuningCase[]): PlaygroundCase[] {
  const skipped = new Map(skippedCases(setup, cases).map((one) => [one.position, one]));
  return cases.map((task) => ({ ...shownCase(task), skipped: skipped.get(task.position) ?? null }));
}

/** Returns a case for the playground: metadata keys without values, and long texts truncated. */
function shownCase({ position, split, input, messages, reference, tags, metadata }: TuningCase): PlaygroundCase {
  return {
    position,
    split,
    input: input.slice(0, MAX_TEXT_LENGTH),
    messages: input.length > MAX_TEXT_LENGTH ? null : (messages ?? null),
    reference: reference === null ? null : reference.slice(0, MAX_TEXT_LENGTH),
    tags,
    fields: Object.keys(metadata),
    isCut: input.length > MAX_TEXT_LENGTH || (reference?.length ?? 0) > MAX_TEXT_LENGTH,
  };
}

const LABEL_ACTIONS: LabelActions = {
  rollBack: rollBackPromptLabelAction,
  evaluate: evaluatePromptLabelAction,
};
