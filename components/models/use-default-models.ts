import { useStoredField } from '#components/ui/use-stored-field.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { ChosenModels, ModelRole } from '#lib/models/model-roles.ts';

/**
 * Edits the default models. `draft` contains the current choice of each role, `changes` only the changed ones, so that saving keeps what
 * others choose for the rest.
 */
export function useDefaultModels(chosen: ChosenModels) {
  const generator = useStoredField(chosen.generator);
  const judge = useStoredField(chosen.judge);
  const critic = useStoredField(chosen.critic);
  const embeddings = useStoredField(chosen.embeddings);
  const fields = { generator, judge, critic, embeddings };
  const changes: Partial<ChosenModels> = {
    ...(generator.isChanged && { generator: generator.value }),
    ...(judge.isChanged && { judge: judge.value }),
    ...(critic.isChanged && { critic: critic.value }),
    ...(embeddings.isChanged && { embeddings: embeddings.value }),
  };
  return {
    draft: { ...chosen, ...changes },
    changes,
    isChanged: Object.keys(changes).length > 0,
    change: (role: ModelRole, model: ModelReference | null) => fields[role].setValue(model),
    /** Called after the changes of this render were saved. */
    saved: () => {
      for (const { saved } of Object.values(fields)) saved();
    },
  };
}
