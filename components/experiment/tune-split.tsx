import { Field, Select } from '#components/ui/field.tsx';
import { settingsSchema } from '#lib/core/settings.ts';
import { formatNumberOf } from '#lib/format.ts';
import { countSplits, type TunableDataset } from './count-splits.ts';
import { useSettingsForm } from './setting-fields.tsx';

/** The exact sign test calls nothing better before so many cases changed for the better. */
const FEWEST_TO_SHOW = 6;

export type TuneSplitProps = {
  datasets: readonly TunableDataset[];
  datasetId: string | null;
  onDataset: (id: string) => void;
};

/** What the shares come to in a chosen dataset. */
export function TuneSplit({ datasets, datasetId, onDataset }: TuneSplitProps) {
  const { settings } = useSettingsForm();
  const dataset = datasets.find(({ id }) => id === datasetId);
  if (datasets.length === 0 || dataset === undefined)
    return <p className="text-ink-2 text-sm">No dataset yet: a run can also start over cases that are pasted.</p>;
  const tune = settingsSchema.shape.tune.safeParse(settings.tune);
  const counts = tune.success ? countSplits(tune.data, dataset) : null;
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
      <Field label="Dataset" help="Tags train, validation and held_out of a case decide; shares divide the others">
        <Select value={dataset.id} onChange={(event) => onDataset(event.target.value)}>
          {datasets.map(({ id, name, caseCount }) => (
            <option key={id} value={id}>
              {name}, {formatNumberOf(caseCount, 'case')}
            </option>
          ))}
        </Select>
      </Field>
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
