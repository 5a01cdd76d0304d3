'use client';

import Link from 'next/link';
import { Field, Select } from '#components/ui/field.tsx';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { ACCEPTANCE_RULES, CANDIDATE_SELECTIONS, settingsSchema } from '#lib/core/settings.ts';
import { formatNumberOf } from '#lib/format.ts';
import { promptPath } from '#lib/prompts/prompt-path.ts';
import { countSplits, type TunableDataset } from './count-splits.ts';
import type { FormSettings } from './form-settings.ts';
import { ACCEPTANCE_LABELS, SELECTION_LABELS } from './form-summary.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { CheckField, LongTextField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';

/** The prompt that is tuned. */
export function TunedPromptField() {
  const { settings } = useSettingsForm();
  return (
    <>
      <LongTextField
        path="prompts.generate"
        also="tune.prompt"
        label="Prompt to tune"
        help={<PromptHelp settings={settings} />}
        rows={8}
        className="font-mono text-code"
        spellCheck={false}
      />
      <PromptWarning text={settings.prompts.generate ?? ''} />
    </>
  );
}

/** How the cases are divided, and what a proposal must do to be taken. */
export function TuneFields(split: TuneSplitProps) {
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField
          path="tune.heldOutShare"
          label="Share held out"
          help="0 to 0.9, default 0.25: tried only at the end, by the first and the best prompt"
        />
        <NumberField
          path="tune.validationShare"
          label="Share for validation"
          help="0 to 0.9 of the rest, default 0.4: candidates are chosen by these; 0: by the training cases"
        />
      </div>
      <TuneSplit {...split} />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <NumberField path="tune.minibatchSize" label="Cases a proposal" help="1 to 50, default 3: the minibatch" />
        <NumberField
          path="tune.maxPromptTokens"
          label="Tokens a prompt may have"
          help="20 to 100,000, default 2,000; a longer proposal is not tried"
        />
        <SelectField
          path="tune.selection"
          label="The next proposal starts from"
          options={CANDIDATE_SELECTIONS}
          labelOf={(one) => SELECTION_LABELS[one]}
        />
        <SelectField
          path="tune.acceptance"
          label="A proposal is validated if, on its own cases, it is"
          help="A few cases prove nothing: it is called better or worse only after validation, by a sign test"
          options={ACCEPTANCE_RULES}
          labelOf={(one) => ACCEPTANCE_LABELS[one]}
        />
        <NumberField path="tune.seed" label="Seed" help="Decides the split and the order of cases; default 0" />
      </div>
      <CheckField
        path="tune.feedback"
        label="Proposals are made from what evaluators say of failed cases"
        help="On by default. Off, for a control run: they see inputs, outputs and scores, never why an output failed"
      />
      <CheckField
        path="tune.references"
        label="Show references of training cases to the reflection model"
        help="On by default. References of validation and held-out cases are never sent"
      />
    </>
  );
}

/** Which variables the prompt has, and which version of the library it is. */
function PromptHelp({ settings: { prompts, tune } }: { settings: FormSettings }) {
  const known = templateVariables(prompts.generate ?? '').filter(({ known: isKnown }) => isKnown);
  const from = tune.prompt;
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

/** The exact sign test calls nothing better before so many cases changed for the better. */
const FEWEST_TO_SHOW = 6;

type TuneSplitProps = {
  datasets: readonly TunableDataset[];
  datasetId: string | null;
  /** Chooses the dataset here; left out where it stands elsewhere on the form. */
  onDataset?: (id: string) => void;
};

/** What the shares come to in a chosen dataset. */
function TuneSplit({ datasets, datasetId, onDataset }: TuneSplitProps) {
  const { settings } = useSettingsForm();
  const dataset = datasets.find(({ id }) => id === datasetId);
  if (datasets.length === 0 || dataset === undefined)
    return <p className="text-ink-2 text-sm">No dataset yet: a run can also start over cases that are pasted.</p>;
  const tune = settingsSchema.shape.tune.safeParse(settings.tune);
  const counts = tune.success ? countSplits(tune.data, dataset) : null;
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
      {onDataset === undefined ? null : (
        <Field label="Dataset" help="Tags train, validation and held_out of a case decide; shares divide the others">
          <Select value={dataset.id} onChange={(event) => onDataset(event.target.value)}>
            {datasets.map(({ id, name, caseCount }) => (
              <option key={id} value={id}>
                {name}, {formatNumberOf(caseCount, 'case')}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <div className="flex flex-col gap-1" role="status" aria-label="Cases by split">
        <span className="font-medium text-ink text-sm">That makes</span>
        {counts === null ? (
          <span className="text-ink-2 text-sm">nothing until the shares can be read</span>
        ) : (
          <>
            <span>
              <b>{counts.train}</b> to learn from, <b>{counts.validation}</b> to choose by, <b>{counts.held_out}</b>{' '}
              held out
            </span>
            {counts.train === 0 ? (
              <span className="text-sm text-worse">✕ At least one case to learn from is needed.</span>
            ) : null}
            {counts.validation === 0 && counts.train > 0 ? (
              <span className="text-ink-2 text-sm">Candidates are chosen by the training cases themselves.</span>
            ) : null}
            {counts.validation > 0 && counts.validation < FEWEST_TO_SHOW ? (
              <span className="text-ink-2 text-sm">
                With fewer than {FEWEST_TO_SHOW} validation cases no proposal can be shown to be better.
              </span>
            ) : null}
          </>
        )}
      </div>
    </div>
  );
}
