import { Plus, X } from 'lucide-react';
import { ModelChoice, type ProviderChoice } from '#components/experiment/model-choice.tsx';
import { Button } from '#components/ui/button.tsx';
import type { ModelReference } from '#lib/core/settings.ts';

type ModelListProps = {
  models: readonly ModelReference[];
  /** What is said of the first. */
  help: string;
  providers: readonly ProviderChoice[];
  /** Where in the request they are. */
  path: string;
  errorAt: (path: string) => string | null;
  onChange: (models: ModelReference[]) => void;
};

/** Each model has a column. More than three do not fit side by side. */
const MOST_MODELS = 3;

/** The models that answer, side by side. */
export function ModelList({ models, help, providers, path, errorAt, onChange }: ModelListProps) {
  const first = providers[0];
  const numbered = (label: string, place: number) => (models.length > 1 ? `${label} ${place + 1}` : label);
  return (
    <section className="flex flex-col gap-2" aria-label="Models">
      {models.map((model, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model has no other identity while it is typed
        <div key={place} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <ModelChoice
              label={numbered('Provider', place)}
              modelLabel={numbered('Model', place)}
              help={place === 0 ? help : 'Additional model'}
              value={model}
              none={null}
              providers={providers}
              path={`${path}.${place}`}
              onChange={(next) => onChange(models.map((one, at) => (at === place && next !== null ? next : one)))}
            />
          </div>
          {models.length > 1 ? (
            <Button
              variant="ghost"
              size="smallIcon"
              className="mt-6"
              aria-label={`Remove model ${place + 1}`}
              onClick={() => onChange(models.filter((_, at) => at !== place))}
            >
              <X className="size-3.25" aria-hidden />
            </Button>
          ) : null}
        </div>
      ))}
      {errorAt(path) ? <p className="text-sm text-worse">✕ {errorAt(path)}</p> : null}
      {models.length < MOST_MODELS && first !== undefined ? (
        <div>
          <Button
            size="small"
            onClick={() => onChange([...models, { provider: first.name, model: first.models[0] ?? '' }])}
          >
            <Plus className="size-3.25" aria-hidden />
            Add model
          </Button>
        </div>
      ) : null}
    </section>
  );
}
