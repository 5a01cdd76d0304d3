'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { Columns } from '#components/ui/columns.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import type { PromptDraft } from '#lib/prompts/prompt-draft.ts';
import { PRODUCTION, type PromptDetail } from '#lib/prompts/prompt-library.ts';
import type { VersionScores } from '#lib/prompts/version-score.ts';
import { chooseCases } from './choose-cases.ts';
import { CopyAsCode } from './copy-as-code.tsx';
import { DraftPane } from './draft-pane.tsx';
import { fetchVersionText } from './fetch-version-text.ts';
import { HeldOutPane } from './held-out-pane.tsx';
import type { LabelActions } from './label-actions.ts';
import type { PlaygroundActions } from './playground-actions.ts';
import type { PlaygroundCase } from './playground-case.ts';
import { PlaygroundHead } from './playground-head.tsx';
import { PromptLabels } from './prompt-labels.tsx';
import { PromptUses } from './prompt-uses.tsx';
import { PromptVersions } from './prompt-versions.tsx';
import { cellKey } from './proof-cells.ts';
import { ProofChoice } from './proof-choice.tsx';
import { ProofPane } from './proof-pane.tsx';
import { isWrong, proofRows } from './proof-rows.ts';
import { SaveVersion } from './save-version.tsx';
import type { SetupChoices } from './setup-dialog.tsx';
import { usePlaygroundState } from './use-playground-state.ts';
import { type DraftBase, usePromptDraft } from './use-prompt-draft.ts';
import { useProofs } from './use-proofs.ts';
import { useVersionTexts } from './use-version-texts.ts';

/** The dataset that a prompt is tried on, at most its first 2,000 cases; `caseCount` is that of all of it. */
export type PlaygroundDataset = { name: string; caseCount: number; cases: readonly PlaygroundCase[] };

type PlaygroundProps = {
  prompt: PromptDetail;
  dataset: PlaygroundDataset | null;
  /** The version that the draft was made from, else the newest. */
  base: DraftBase;
  draft: PromptDraft | null;
  /** The version that the address or the label production names. */
  against: DraftBase;
  scores: VersionScores;
  choices: SetupChoices;
  actions: PlaygroundActions;
  labelActions: LabelActions;
  remove: () => Promise<Result<unknown>>;
  now: string;
};

/** From here on not every case is tried without being asked for. */
const MANY_CASES = 50;
const FIRST_CASES = 20;
/** What was typed is looked up once typing pauses, in milliseconds. */
const LOOK_UP_MS = 600;
const NO_CASES: readonly PlaygroundCase[] = [];

/** A prompt being written on the left, its proof on the right. */
export function Playground(props: PlaygroundProps) {
  const { prompt, dataset, scores, choices, actions, labelActions, remove, now } = props;
  const { name, setup } = prompt;
  const router = useRouter();
  const toast = useToast();
  const state = usePlaygroundState();
  const draft = usePromptDraft(name, props.base, props.draft);
  const proofs = useProofs(name, JSON.stringify(setup));
  const [labelled, setLabelled] = useState<{ version: number | null } | null>(null);

  const production = prompt.labels.find(({ label }) => label === PRODUCTION)?.version ?? null;
  const againstNumber =
    prompt.versions.find(({ number }) => number === state.against)?.number ?? production ?? prompt.latestVersion;
  const textOf = useVersionTexts(name, [props.base, props.against, draft.base], againstNumber);
  const against = { number: againstNumber, text: textOf ?? '' };

  const cases = dataset?.cases ?? NO_CASES;
  const tunedCount = cases.filter(({ split }) => split !== 'held_out').length;
  const limit = state.limit === null ? (tunedCount > MANY_CASES ? FIRST_CASES : null) : state.limit || null;
  const wasWrong = (position: number) =>
    setup.models.some((model) => isWrong(proofs.cells.get(cellKey(against.text, model, position)) ?? null));
  const { part, tag, onlyWrong } = state;
  const { chosen, outOf } = chooseCases(cases, { part, tag, onlyWrong, limit }, wasWrong);
  const heldOut = useMemo(() => cases.filter(({ split }) => split === 'held_out'), [cases]);
  const view = { before: textOf, after: draft.text, models: setup.models };
  const rows = proofRows(proofs.cells, { ...view, cases: chosen });
  const heldOutRows = proofRows(proofs.cells, { ...view, cases: heldOut });
  const texts = textOf === null ? [draft.text] : [draft.text, textOf];
  const askedOf = (some: readonly PlaygroundCase[]) => ({
    texts,
    models: setup.models,
    positions: some.map(({ position }) => position),
  });

  const isReady = dataset !== null && setup.criteria.length > 0;
  const { lookUp, end } = proofs;
  const { text } = draft;
  // The scores of versions are the server's to sum up.
  useEffect(() => {
    if (end !== null && end.calls > 0) router.refresh();
  }, [end, router]);
  // Of all cases at once: what is chosen of them then needs no further question.
  useEffect(() => {
    if (!isReady || textOf === null) return;
    const positions = cases.map(({ position }) => position);
    const known = [...new Set([text, textOf])].filter((one) => one.trim() !== '');
    const timer = setTimeout(() => void lookUp({ texts: known, models: setup.models, positions }), LOOK_UP_MS);
    return () => clearTimeout(timer);
  }, [isReady, lookUp, text, textOf, cases, setup.models]);

  async function takeAsDraft(version: number) {
    const taken = await fetchVersionText(name, version);
    if (taken === null) return toast('Hone did not answer. Nothing was changed.', 'problem');
    draft.rebase({ number: version, text: taken });
    state.setView('edit');
    window.scrollTo({ top: 0 });
  }

  return (
    <>
      <PlaygroundHead
        prompt={prompt}
        dataset={dataset}
        choices={choices}
        actions={actions}
        onLabels={() => setLabelled({ version: null })}
        remove={remove}
        copy={<CopyAsCode name={name} labels={prompt.labels} version={draft.base} />}
      />
      <Columns className="following:min-w-0 flex-1 medium:grid-cols-2 medium:grid-rows-[auto_1fr] border-b-0 [&_.cm-scroller]:max-h-[60vh] [&_select]:min-h-6.5 [&_select]:py-0.5 [&_select]:text-sm">
        <div className="min-w-0">
          <DraftPane
            draft={draft}
            against={against}
            cases={cases}
            view={state.view}
            onView={state.setView}
            save={
              <SaveVersion
                draft={draft}
                latest={prompt.latestVersion}
                save={async (input) => {
                  const saved = await actions.saveVersion(input);
                  if (saved.ok) router.refresh();
                  return saved;
                }}
              />
            }
          />
        </div>
        <div className="medium:col-start-2 medium:row-span-2 medium:row-start-1">
          <ProofPane
            prompt={prompt}
            proofs={proofs}
            state={state}
            rows={rows}
            outOf={outOf}
            asked={askedOf(chosen)}
            against={againstNumber}
            onAgainst={state.setAgainst}
            hindrance={hindranceOf(dataset, setup.criteria.length)}
            choice={<ProofChoice state={state} cases={cases} limit={limit} />}
          />
          {isReady ? (
            <HeldOutPane
              proofs={proofs}
              setup={setup}
              rows={heldOutRows}
              asked={askedOf(heldOut)}
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
            now={now}
            onUseAsDraft={(version) => void takeAsDraft(version)}
            onLabel={(version) => setLabelled({ version })}
          />
          <PromptUses prompt={prompt} now={now} />
        </div>
      </Columns>
      <PromptLabels
        prompt={prompt}
        actions={labelActions}
        now={now}
        open={labelled !== null}
        onOpenChange={(open) => setLabelled(open ? { version: null } : null)}
        version={labelled?.version ?? null}
      />
    </>
  );
}

function hindranceOf(dataset: PlaygroundDataset | null, criteria: number): string | null {
  if (dataset === null) return 'Choose a dataset under Setup: a prompt is proved on its cases.';
  if (criteria === 0) return 'Choose under Setup by which criteria answers are checked.';
  return dataset.cases.length === 0 ? 'The dataset has no cases.' : null;
}
