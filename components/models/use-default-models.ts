import { useState } from 'react';
import type { ModelReference } from '#lib/core/settings.ts';
import type { ChosenModels, ModelRole } from '#lib/models/model-roles.ts';

/**
 * Edits the default models. Holds only the changed roles, so that saving keeps what others choose for the rest. `draft` contains the
 * current choice of each role.
 */
export function useDefaultModels(chosen: ChosenModels) {
  const [changes, setChanges] = useState<Partial<ChosenModels>>({});
  const draft = { ...chosen, ...changes };
  return {
    draft,
    changes,
    isChanged: JSON.stringify(draft) !== JSON.stringify(chosen),
    change: (role: ModelRole, model: ModelReference | null) => setChanges({ ...changes, [role]: model }),
    reset: () => setChanges({}),
  };
}
