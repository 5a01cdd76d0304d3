'use client';

import Link from 'next/link';
import { promptPath } from '#components/prompts/prompt-path.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { ACCEPTANCE_RULES, CANDIDATE_SELECTIONS } from '#lib/core/settings.ts';
import type { FormSettings } from './form-settings.ts';
import { ACCEPTANCE_LABELS, SELECTION_LABELS } from './form-summary.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { CheckField, LongTextField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { TuneSplit, type TuneSplitProps } from './tune-split.tsx';

/** The prompt that is tuned, the cases it learns from, and what a proposal must do to be taken. */
export function TuneFields(split: TuneSplitProps) {
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
