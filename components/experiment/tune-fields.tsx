'use client';

import Link from 'next/link';
import { promptPath } from '#components/prompts/prompt-path.ts';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { ACCEPTANCE_RULES, CANDIDATE_SELECTIONS } from '#lib/core/settings.ts';
import type { TunableDataset } from './count-splits.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import type { FormPartProps } from './form-part-props.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { TuneSplit } from './tune-split.tsx';

type TuneFieldsProps = FormPartProps & {
  datasets: readonly TunableDataset[];
  datasetId: string | null;
  onDataset: (id: string) => void;
};

/** The prompt that is tuned, the cases it learns from, and what a proposal must do to be taken. */
export function TuneFields({ draft, change, errorAt, ...split }: TuneFieldsProps) {
  return (
    <>
      <Field
        label="Prompt to tune"
        help={<PromptHelp draft={draft} />}
        error={errorAt('prompts.generate') ?? errorAt('tune.prompt')}
      >
        <Textarea
          rows={8}
          className="font-mono text-code"
          spellCheck={false}
          value={draft.prompts.generate}
          onChange={(event) => change({ prompts: { ...draft.prompts, generate: event.target.value } })}
        />
      </Field>
      <PromptWarning text={draft.prompts.generate} />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field
          label="Share held out"
          help="0 to 0.9, default 0.25: tried only at the end, by the first and the best prompt"
          error={errorAt('tune.heldOutShare')}
        >
          <Input
            numeric
            value={draft.heldOutShare}
            onChange={(event) => change({ heldOutShare: event.target.value })}
          />
        </Field>
        <Field
          label="Share for validation"
          help="0 to 0.9 of the rest, default 0.4: candidates are chosen by these; 0: by the training cases"
          error={errorAt('tune.validationShare')}
        >
          <Input
            numeric
            value={draft.validationShare}
            onChange={(event) => change({ validationShare: event.target.value })}
          />
        </Field>
      </div>
      <TuneSplit draft={draft} {...split} />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="Cases a proposal" help="1 to 50, default 3: the minibatch" error={errorAt('tune.minibatchSize')}>
          <Input
            numeric
            value={draft.minibatchSize}
            onChange={(event) => change({ minibatchSize: event.target.value })}
          />
        </Field>
        <Field
          label="Tokens a prompt may have"
          help="20 to 100,000, default 2,000; a longer proposal is not tried"
          error={errorAt('tune.maxPromptTokens')}
        >
          <Input
            numeric
            value={draft.maxPromptTokens}
            onChange={(event) => change({ maxPromptTokens: event.target.value })}
          />
        </Field>
        <Field label="The next proposal starts from" error={errorAt('tune.selection')}>
          <Select
            value={draft.selection}
            onChange={(event) =>
              change({ selection: CANDIDATE_SELECTIONS.find((one) => one === event.target.value) ?? 'pareto' })
            }
          >
            {CANDIDATE_SELECTIONS.map((one) => (
              <option key={one} value={one}>
                {SELECTION_LABELS[one]}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="A proposal is validated if, on its own cases, it is"
          help="A few cases prove nothing: it is called better or worse only after validation, by a sign test"
          error={errorAt('tune.acceptance')}
        >
          <Select
            value={draft.acceptance}
            onChange={(event) =>
              change({ acceptance: ACCEPTANCE_RULES.find((one) => one === event.target.value) ?? 'strict' })
            }
          >
            {ACCEPTANCE_RULES.map((one) => (
              <option key={one} value={one}>
                {ACCEPTANCE_LABELS[one]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Seed" help="Decides the split and the order of cases; default 0" error={errorAt('tune.seed')}>
          <Input numeric value={draft.tuneSeed} onChange={(event) => change({ tuneSeed: event.target.value })} />
        </Field>
      </div>
      <CheckboxField
        label="Proposals are made from what evaluators say of failed cases"
        help="On by default. Off, for a control run: they see inputs, outputs and scores, never why an output failed"
        checked={draft.tuneFeedback}
        onChange={(event) => change({ tuneFeedback: event.target.checked })}
      />
      <CheckboxField
        label="Show references of training cases to the reflection model"
        help="On by default. References of validation and held-out cases are never sent"
        checked={draft.tuneReferences}
        onChange={(event) => change({ tuneReferences: event.target.checked })}
      />
    </>
  );
}

/** Which variables the prompt has, and which version of the library it is. */
function PromptHelp({ draft }: { draft: ExperimentDraft }) {
  const known = templateVariables(draft.prompts.generate).filter(({ known: isKnown }) => isKnown);
  const from = draft.tunePrompt;
  return (
    <>
      {known.length === 0 ? (
        <>
          It must hold at least one variable, so that the case reaches the model: <code>{'{{input}}'}</code>, or{' '}
          <code>{'{{metadata.name}}'}</code> for a field of the case’s metadata.
        </>
      ) : (
        <>Variables: {known.map(({ name }) => `{{${name}}}`).join(', ')}.</>
      )}
      {from ? (
        <>
          {' '}
          From v{from.version} of{' '}
          <Link className="link" href={promptPath(from.name)}>
            {from.name}
          </Link>
          ; what is accepted can be saved as its next version.
        </>
      ) : null}
    </>
  );
}

export const SELECTION_LABELS: Record<ExperimentDraft['selection'], string> = {
  pareto: 'any candidate that leads on some case (Pareto)',
  best: 'the candidate with the best mean',
};

export const ACCEPTANCE_LABELS: Record<ExperimentDraft['acceptance'], string> = {
  strict: 'better than the prompt it came from',
  not_worse: 'no worse than the prompt it came from',
};
