'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, History, Repeat2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { RoleButton } from '#components/access/role-controls.tsx';
import { RoleLink } from '#components/access/role-link.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { lazyDialog } from '#components/ui/dialog.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatList, formatNumberOf, formatRunNumber } from '#lib/format.ts';
import type { PlaygroundRun } from '#lib/prompts/playground-schema.ts';
import { isSamePrompt, NO_OPTIONS, PRODUCTION, type PromptBody, rollBackTarget } from '#lib/prompts/prompt.ts';
import type { PromptDetail, PromptDraft, VersionScores } from '#lib/prompts/schema.ts';
import { chooseCases, type PlaygroundCase } from './choose-cases.ts';
import { CopyAsCode } from './copy-as-code.tsx';
import { DraftPane, SaveVersion } from './draft-pane.tsx';
import { EvaluationChoice } from './evaluation-choice.tsx';
import { EvaluationPane } from './evaluation-pane.tsx';
import { cellKey, evaluationRows, isFailing } from './evaluation-rows.ts';
import { HeldOutPane } from './held-out-pane.tsx';
import type { LabelActions } from './prompt-labels.tsx';
import { PromptVersions } from './prompt-versions.tsx';
import { SetupDialog } from './setup-dialog.tsx';
import type { SetupChoices } from './setup-form-dialog.tsx';
import type { TypedState } from './typed-pane.tsx';
import { useEvaluations } from './use-evaluations.ts';
import { type PlaygroundState, type SaveDraft, usePlaygroundState } from './use-playground-state.ts';
import { type DraftBase, usePromptDraft } from './use-prompt-draft.ts';
import { promptVersionQuery, usePromptVersion } from './use-prompt-version.ts';
import { useTypedRun } from './use-typed-run.ts';

const PromptTypedPane = dynamic(() =>
  loadOrRetry(() => import('./typed-pane.tsx').then((file) => file.PromptTypedPane)),
);
const PromptLabels = lazyDialog(() => import('./prompt-labels.tsx').then((file) => file.PromptLabels));

/** Dataset for evaluations, limited to its first 2,000 cases. `caseCount`: number of all its cases. */
type PlaygroundDataset = { name: string; caseCount: number; cases: readonly PlaygroundCase[] };

type PlaygroundProps = {
  prompt: PromptDetail;
  dataset: PlaygroundDataset | null;
  /** Version the draft is based on, or else the newest. */
  base: DraftBase;
  draft: PromptDraft | null;
  /** Version named in the URL or labelled production. */
  against: DraftBase;
  scores: VersionScores;
  choices: SetupChoices;
  runs: readonly PlaygroundRun[];
  saveDraft: SaveDraft;
  labelActions: LabelActions;
};

/** Number of cases from which only the first ones are evaluated by default. */
const MANY_CASES = 50;
const FIRST_CASES = 20;
/** Delay after typing before stored results are looked up, in milliseconds. */
const LOOK_UP_MS = 600;
const NO_CASES: readonly PlaygroundCase[] = [];

/** Playground with the prompt on the left and its evaluation on the right. */
export function Playground(props: PlaygroundProps) {
  const { prompt, dataset, scores, choices, runs, saveDraft, labelActions } = props;
  const { name, setup } = prompt;
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const state = usePlaygroundState();
  const draft = usePromptDraft(name, props.base, props.draft);
  const typed = useTypedRun(runs);
  const [typedState, setTypedState] = useState<TypedState | null>(null);
  const [labelled, setLabelled] = useState<{ version: number | null } | null>(null);

  const production = prompt.labels.find(({ label }) => label === PRODUCTION)?.version ?? null;
  const againstNumber =
    prompt.versions.find(({ number }) => number === state.against)?.number ?? production ?? prompt.latestVersion;
  const version = usePromptVersion(prompt, [props.base, props.against, draft.base], againstNumber);
  const against = { number: againstNumber, ...(version ?? { text: '', ...NO_OPTIONS }) };

  const evaluation = usePlaygroundEvaluation({ prompt, dataset, state, draft: draft.body, version });
  const { cases, limit, isReady, evaluations } = evaluation;
  const on = state.on ?? (isReady ? 'dataset' : 'input');
  useEffect(() => {
    // The server computes the version scores.
    if (evaluations.end !== null && evaluations.end.calls > 0) router.refresh();
  }, [evaluations.end, router]);

  async function save(input: Parameters<SaveDraft>[0]) {
    const saved = await saveDraft(input);
    // Otherwise the new version would be compared with itself.
    if (saved.ok && production === null) state.set({ against: againstNumber });
    return saved;
  }

  async function takeAsDraft(number: number) {
    const version = await queryClient.fetchQuery(promptVersionQuery(prompt, number)).catch(() => null);
    if (version === null) return toast('Hone did not respond. Nothing was changed.', 'problem');
    draft.rebase({ number, ...version });
    state.set({ view: 'edit' });
    window.scrollTo({ top: 0 });
  }

  return (
    <>
      <PlaygroundHead
        prompt={prompt}
        dataset={dataset}
        choices={choices}
        onLabels={() => setLabelled({ version: null })}
        copy={<CopyAsCode name={name} labels={prompt.labels} version={draft.base} />}
      />
      <Columns className="following:min-w-0 flex-1 medium:grid-cols-2 medium:grid-rows-[auto_1fr] border-b-0 [--editor-height:60vh] [&_:not([data-slot=field])>select]:min-h-6.5 [&_:not([data-slot=field])>select]:py-0.5 [&_:not([data-slot=field])>select]:text-sm">
        <div className="min-w-0">
          <DraftPane
            draft={draft}
            against={against}
            cases={cases}
            view={state.view}
            onView={(view) => state.set({ view })}
            save={<SaveVersion draft={draft} latest={prompt.latestVersion} save={save} />}
          />
        </div>
        <div className="medium:col-start-2 medium:row-span-2 medium:row-start-1">
          <Pane className="border-b-0 pb-0">
            <Segmented
              label="Run on"
              value={on}
              onChange={(next) => state.set({ on: next })}
              choices={[
                { value: 'input', label: 'Typed input' },
                { value: 'dataset', label: 'Dataset' },
              ]}
            />
          </Pane>
          {on === 'input' ? (
            <PromptTypedPane
              setup={setup}
              prompt={name}
              edited={draft}
              onEdit={draft.edit}
              state={typedState}
              onState={setTypedState}
              run={typed}
              choices={choices}
            />
          ) : (
            <EvaluationPane
              prompt={prompt}
              evaluations={evaluations}
              state={state}
              selection={evaluation.chosen}
              outOf={evaluation.outOf}
              against={againstNumber}
              hindrance={evaluationBlockedLabel(dataset, setup.criteria.length)}
              remedy={<SetupDialog prompt={name} setup={setup} choices={choices} />}
              choice={<EvaluationChoice state={state} cases={cases} limit={limit} />}
            />
          )}
          {isReady && on === 'dataset' ? (
            <HeldOutPane
              evaluations={evaluations}
              setup={setup}
              selection={evaluation.heldOut}
              against={{ number: againstNumber, isProduction: againstNumber === production }}
            />
          ) : null}
        </div>
        <div className="medium:border-t medium:border-l-0">
          <PromptVersions
            name={name}
            versions={prompt.versions}
            labels={prompt.labels}
            scores={scores}
            onUseAsDraft={(version) => void takeAsDraft(version)}
            onLabel={(version) => setLabelled({ version })}
          />
          <PromptUses uses={prompt.uses} versions={prompt.versions} />
        </div>
      </Columns>
      <PromptLabels
        prompt={prompt}
        actions={labelActions}
        open={labelled !== null}
        onOpenChange={(open) => setLabelled(open ? { version: null } : null)}
        version={labelled?.version ?? null}
      />
    </>
  );
}

type PlaygroundEvaluationOptions = {
  prompt: PromptDetail;
  dataset: PlaygroundDataset | null;
  state: PlaygroundState;
  draft: PromptBody;
  /** Version the draft is compared with. Null until loaded. */
  version: PromptBody | null;
};

/** Manages the evaluation of the draft and the version on the chosen cases, and of held-out cases. Loads stored results. */
function usePlaygroundEvaluation({ prompt, dataset, state, draft, version }: PlaygroundEvaluationOptions) {
  const { name, setup } = prompt;
  const evaluations = useEvaluations(name, JSON.stringify(setup));
  const cases = dataset?.cases ?? NO_CASES;
  const tunedCount = cases.filter(({ split }) => split !== 'held_out').length;
  const limit = state.limit === null ? (tunedCount > MANY_CASES ? FIRST_CASES : null) : state.limit || null;
  const wasWrong = (position: number) =>
    version !== null &&
    setup.models.some((model) => isFailing(evaluations.cells.get(cellKey(version, model, position)) ?? null));
  const { part, tag, onlyWrong } = state;
  const { chosen, outOf } = chooseCases(cases, { part, tag, onlyWrong, limit }, wasWrong);
  const heldOut = useMemo(() => cases.filter(({ split }) => split === 'held_out'), [cases]);
  const view = { before: version, after: draft, models: setup.models };
  const texts = version === null ? [draft] : [draft, version];
  const of = (some: readonly PlaygroundCase[]) => ({
    rows: evaluationRows(evaluations.cells, { ...view, cases: some }),
    cells: {
      ...{ texts, models: setup.models },
      positions: some.flatMap(({ position, skipped }) => (skipped ? [] : [position])),
    },
  });

  const isReady = dataset !== null && setup.criteria.length > 0;
  const { lookUp } = evaluations;
  // Load stored results of all cases at once, so that changing the selection needs no request.
  useEffect(() => {
    if (!isReady || version === null) return;
    const positions = cases.map(({ position }) => position);
    const known = (isSamePrompt(draft, version) ? [draft] : [draft, version]).filter(({ text }) => text.trim() !== '');
    const timer = setTimeout(() => void lookUp({ texts: known, models: setup.models, positions }), LOOK_UP_MS);
    return () => clearTimeout(timer);
  }, [isReady, lookUp, draft, version, cases, setup.models]);

  return { evaluations, cases, limit, isReady, outOf, chosen: of(chosen), heldOut: of(heldOut) };
}

function evaluationBlockedLabel(dataset: PlaygroundDataset | null, criteria: number): string | null {
  if (dataset === null) return 'Choose a dataset in the setup to evaluate the prompt on its cases.';
  if (criteria === 0) return 'Add a criterion in the setup to score the answers.';
  return dataset.cases.length === 0 ? 'The dataset has no cases.' : null;
}

type PlaygroundHeadProps = Pick<PlaygroundProps, 'prompt' | 'dataset' | 'choices'> & {
  onLabels: () => void;
  copy: ReactNode;
};

function PlaygroundHead({ prompt, dataset, choices, onLabels, copy }: PlaygroundHeadProps) {
  const { name, labels, setup, moves, latestVersion, versions } = prompt;
  const canRollBack = labels.some(({ label }) => (rollBackTarget(moves, label)?.version ?? null) !== null);
  const heldOut = dataset?.cases.filter(({ split }) => split === 'held_out').length ?? 0;
  return (
    <PageHead
      title={name}
      facts={
        <>
          {labels.map(({ label, version }) => (
            <span key={label}>
              {label} <b>v{version}</b>
            </span>
          ))}
          <span>
            {dataset === null ? (
              'no dataset yet'
            ) : (
              <>
                dataset <b>{dataset.name}</b>, {dataset.cases.length - heldOut} for tuning, {heldOut} held out
                {dataset.caseCount > dataset.cases.length ? ` of the first ${dataset.cases.length}` : ''}
              </>
            )}
          </span>
          <span>
            <b>{formatList(setup.models.map(({ model }) => model))}</b>
          </span>
          <span>
            {setup.criteria.length === 0 ? (
              'no criteria yet'
            ) : (
              <>
                checked by <b>{formatList(setup.criteria.map((one) => one.name))}</b>
              </>
            )}
          </span>
        </>
      }
      actions={
        <>
          <DeleteButton
            isInHead
            name={name}
            what={`The prompt with its ${versions.length === 1 ? 'version' : `${versions.length} versions`}, labels and evaluations`}
            route="DELETE /api/v1/prompts/{name}"
            request={{ params: { name: prompt.name } }}
            goTo="/prompts"
          />
          {copy}
          <SetupDialog prompt={prompt.name} setup={setup} choices={choices} />
          <RoleButton needs="editor" variant="ghost" onClick={onLabels}>
            {canRollBack ? <History /> : <Bookmark />}
            {canRollBack ? 'Roll back' : 'Edit labels'}
          </RoleButton>
          <RoleLink
            needs="editor"
            href={`/experiments/new?prompt=${encodeURIComponent(name)}&version=${latestVersion}`}
          >
            <Repeat2 />
            Tune prompt
          </RoleLink>
        </>
      }
    />
  );
}

/** Shows where a prompt is used: experiments that tune it, and tuning runs that produced its versions. */
function PromptUses({ uses, versions }: Pick<PromptDetail, 'uses' | 'versions'>) {
  const runs = Map.groupBy(
    versions.flatMap(({ number, run }) =>
      run === null || run.id === null ? [] : [{ number, id: run.id, run: run.number }],
    ),
    ({ id }) => id,
  );
  return (
    <Pane id="used" data-testid="prompt-uses">
      <PaneHeader
        title="Where used"
        note={
          uses.length === 0 && runs.size === 0
            ? 'not used by experiments'
            : `${formatNumberOf(uses.length, 'experiment')}, ${formatNumberOf(runs.size, 'source run')}`
        }
      />
      {uses.length === 0 && runs.size === 0 ? (
        <p className="text-ink-2">Shows experiments that tune the prompt and runs that its versions came from.</p>
      ) : null}
      <ul>
        {uses.map(({ experimentId, name, version, updatedAt }) => (
          <li key={experimentId} className="flex flex-wrap items-center gap-2 border-line border-b py-1.5">
            <TextLink className="wrap-anywhere inline-flex min-h-6 items-center" href={`/experiments/${experimentId}`}>
              {name}
            </TextLink>
            <span className="text-ink-2 text-sm">tunes v{version}</span>
            <span className="ml-auto text-ink-2 text-sm">
              <TimeAgo moment={updatedAt} />
            </span>
          </li>
        ))}
        {[...runs.values()].map((made) => {
          const [first] = made;
          return first === undefined ? null : (
            <li key={first.id} className="flex flex-wrap items-center gap-2 border-line border-b py-1.5">
              <TextLink className="inline-flex min-h-6 items-center" href={`/runs/${first.id}`}>
                Run {first.run === null ? '' : formatRunNumber(first.run)}
              </TextLink>
              <span className="text-ink-2 text-sm">made {made.map(({ number }) => `v${number}`).join(', ')}</span>
            </li>
          );
        })}
      </ul>
    </Pane>
  );
}
