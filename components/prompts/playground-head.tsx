'use client';

import { Bookmark, History, Repeat2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { MayButton } from '#components/access/may-button.tsx';
import { MayLink } from '#components/access/may-link.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatList } from '#lib/format.ts';
import { type PromptDetail, rollBackTarget } from '#lib/prompts/prompt-library.ts';
import type { PlaygroundDataset } from './playground.tsx';
import type { PlaygroundActions } from './playground-actions.ts';
import { type SetupChoices, SetupDialog } from './setup-dialog.tsx';

type PlaygroundHeadProps = {
  prompt: PromptDetail;
  dataset: PlaygroundDataset | null;
  choices: SetupChoices;
  actions: PlaygroundActions;
  onLabels: () => void;
  remove: () => Promise<Result<unknown>>;
  copy: ReactNode;
};

/** Where the labels stand, what the prompt is tried with, and what can be done with it. */
export function PlaygroundHead({ prompt, dataset, choices, actions, onLabels, remove, copy }: PlaygroundHeadProps) {
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
                dataset <b>{dataset.name}</b>, {dataset.cases.length - heldOut} to tune on, {heldOut} held out
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
            name={name}
            what={`The prompt with its ${versions.length === 1 ? 'version' : `${versions.length} versions`}, labels and proofs`}
            remove={remove}
            goTo="/prompts"
          />
          {copy}
          <SetupDialog setup={setup} choices={choices} save={actions.changeSetup} />
          <MayButton needs="editor" variant="ghost" onClick={onLabels}>
            {canRollBack ? (
              <History className="size-3.25" aria-hidden />
            ) : (
              <Bookmark className="size-3.25" aria-hidden />
            )}
            {canRollBack ? 'Roll back' : 'Labels'}
          </MayButton>
          <MayLink needs="editor" href={`/experiments/new?prompt=${encodeURIComponent(name)}&version=${latestVersion}`}>
            <Repeat2 className="size-3.25" aria-hidden />
            Tune on
          </MayLink>
        </>
      }
    />
  );
}
