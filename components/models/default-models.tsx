'use client';

import { RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { ModelChoice, type ProviderChoice } from '#components/experiment/model-choice.tsx';
import { Button } from '#components/ui/button.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { savedAll, storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import { problemsOf } from '#lib/core/problem.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { formatList } from '#lib/format.ts';
import type { ChosenModels, DefaultModelsView, ModelRole } from '#lib/models/default-models.ts';

type DefaultModelsProps = {
  defaults: DefaultModelsView;
  providers: readonly ProviderChoice[];
  /** Providers with embedding models, and the models they list. */
  embedders: readonly ProviderChoice[];
};

/** Edits the default models of new experiments, prompts and playgrounds, by purpose. */
export function DefaultModels({ defaults, providers, embedders }: DefaultModelsProps) {
  const toast = useToast();
  const { draft, changes, conflicts, isChanged, change, saved } = useDefaultModels(defaults.chosen);
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Nothing was saved.');

  function send() {
    submit(submitApi('PATCH /api/v1/default-models', { body: changes }), () => {
      saved();
      toast('Default models saved');
    });
  }

  const fields: { role: ModelRole; label: string; help: string; none: string }[] = [
    { role: 'generator', label: 'Generator', help: 'Writes drafts and revisions', none: automatic(defaults) },
    { role: 'judge', label: 'Judge', help: 'Scores versions', none: 'Same as the generator' },
    { role: 'critic', label: 'Critic', help: 'Writes critiques and lessons', none: 'Same as the generator' },
    {
      role: 'embeddings',
      label: 'Embeddings',
      help: 'Measures similarity of texts',
      none: automaticEmbeddings(defaults),
    },
  ];
  return (
    <Pane aria-labelledby="default-models">
      <PaneHeader titleId="default-models" title="Default models" />
      <p className="mb-3 max-w-[68ch] text-ink-2" data-testid="default-models-source">
        New experiments and prompts use <b className="font-medium text-ink">{nameOf(defaults.generator)}</b>.{' '}
        {sourceLabel(defaults)}
        {defaults.updatedAt === null || defaults.updatedBy === null ? null : (
          <>
            {' '}
            Last set by {defaults.updatedBy} <TimeAgo moment={defaults.updatedAt} />.
          </>
        )}
      </p>
      {defaults.missing.length === 0 ? null : (
        <p className="mb-3 text-sm text-wait" role="status">
          ▲ The provider chosen for {formatList(defaults.missing)} was deleted. Choose another one.
        </p>
      )}
      <RoleGate needs="owner">
        <FormErrors problems={[...problemsOf(problem), ...conflicts]}>
          <SubmitForm className="flex flex-col gap-4" onSubmit={send} aria-label="Default models">
            {fields.map(({ role, ...field }) => (
              <ModelChoice
                key={role}
                {...field}
                value={draft[role]}
                providers={role === 'embeddings' ? embedders : providers}
                path={role}
                onChange={(model) => change(role, model)}
              />
            ))}
            {problem === null || problem.field !== null ? null : <InlineError>{problem.message}</InlineError>}
            <div>
              <Button type="submit" disabled={isBusy || !isChanged} title={isChanged ? undefined : 'Nothing to save'}>
                {isBusy ? 'Saving' : 'Save defaults'}
              </Button>
            </div>
          </SubmitForm>
        </FormErrors>
      </RoleGate>
    </Pane>
  );
}

function sourceLabel({ source, generator }: DefaultModelsView): string {
  const texts: Record<typeof source, string> = {
    chosen: '',
    connected: `Taken from ${generator.provider}, your first connected provider. Choose another model below.`,
    practice: 'Connect a provider and test its key to use a real model.',
  };
  return texts[source];
}

function automatic({ chosen, generator }: DefaultModelsView): string {
  return chosen.generator === null ? `Automatic (${nameOf(generator)})` : 'Automatic (first connected provider)';
}

function automaticEmbeddings({ chosen, embeddings }: DefaultModelsView): string {
  if (chosen.embeddings !== null) return 'Automatic (first connected provider)';
  return embeddings === null ? 'None' : `Automatic (${nameOf(embeddings)})`;
}

const nameOf = ({ provider, model }: ModelReference) => `${provider} / ${model}`;

/**
 * Edits the default models. `draft` contains the current choice of each role, `changes` only the changed ones, so that saving keeps what
 * others choose for the rest. `conflicts`: the changed roles that someone else changed too.
 */
export function useDefaultModels(chosen: ChosenModels) {
  const fields = {
    generator: useStoredField(chosen.generator),
    judge: useStoredField(chosen.judge),
    critic: useStoredField(chosen.critic),
    embeddings: useStoredField(chosen.embeddings),
  };
  const changes: Partial<ChosenModels> = Object.fromEntries(
    Object.entries(fields).flatMap(([role, { isChanged, value }]) => (isChanged ? [[role, value]] : [])),
  );
  const conflicts = (['generator', 'judge', 'critic', 'embeddings'] as const).flatMap((role) => {
    const { stored } = fields[role];
    const message = storedFieldError(fields[role], null, null, stored === null ? '' : nameOf(stored));
    return message === null ? [] : [{ field: role, message }];
  });
  return {
    draft: { ...chosen, ...changes },
    changes,
    conflicts,
    change: (role: ModelRole, model: ModelReference | null) => fields[role].setValue(model),
    isChanged: Object.keys(changes).length > 0,
    saved: savedAll(fields),
  };
}
