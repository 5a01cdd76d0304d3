import { useId } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Slider } from '#components/ui/slider.tsx';
import { formatCount } from '#lib/format.ts';
import type { ImportDraft, ImportPreview } from './import-draft.ts';
import { SPLIT_LABELS, SplitBar } from './split-bar.tsx';

type ImportSplitsProps = {
  draft: ImportDraft;
  preview: ImportPreview | null;
  onChange: (changes: Partial<ImportDraft>) => void;
};

/** Configures the split of new cases and shows the resulting counts. */
export function ImportSplits({ draft, preview, onChange }: ImportSplitsProps) {
  const rangeId = useId();
  const total = preview ? sum(preview.splits.before) : null;
  return (
    <Pane data-testid="import-splits">
      <PaneHeader title="Splits">
        {preview && total !== null ? (
          <span className="text-ink-3 text-sm">
            {total === 0 ? '' : `${formatCount(total)} → `}
            {formatCount(preview.caseCount)} {preview.caseCount === 1 ? 'case' : 'cases'}
          </span>
        ) : null}
      </PaneHeader>
      <CheckboxField
        label="Split new cases"
        help="If off, each tuning run splits them with its own seed."
        checked={draft.isDivided}
        onChange={(event) => onChange({ isDivided: event.target.checked })}
      />
      {draft.isDivided ? (
        <div className="mt-3">
          <label className="font-medium text-ink text-sm" htmlFor={rangeId}>
            Held out
          </label>
          <div className="flex items-center gap-2">
            <Slider
              id={rangeId}
              className="min-w-0 flex-1"
              min={0}
              max={100}
              step={5}
              value={draft.heldOut}
              aria-valuetext={`${draft.heldOut} percent`}
              onChange={(event) => onChange({ heldOut: Number(event.target.value) })}
            />
            <b className="w-11 whitespace-nowrap text-right">{draft.heldOut}%</b>
          </div>
        </div>
      ) : null}
      {preview && preview.caseCount > 0 ? <Outcome preview={preview} /> : null}
      {draft.isDivided ? (
        <>
          <div className="mt-3 grid grid-cols-1 narrow:grid-cols-3 gap-4">
            <Field label="Balance by">
              <Select
                value={draft.balanceBy}
                onValue={(value) => onChange({ balanceBy: value === 'tag' ? 'tag' : 'nothing' })}
              >
                <option value="tag">tag</option>
                <option value="nothing">nothing</option>
              </Select>
            </Field>
            <Field label="Validation (%)">
              <Input
                numeric
                value={String(draft.validation)}
                onValue={(value) => onChange({ validation: percentOf(value) })}
              />
            </Field>
            <Field label="Seed">
              <Input
                numeric
                value={draft.seed}
                onValue={(value) => onChange({ seed: value.replaceAll(/\D/g, '').slice(0, 9) })}
              />
            </Field>
          </div>
          <p className="mt-2.5 text-ink-2 text-sm">
            Existing cases and new cases with a split tag keep their split. A held-out case never changes its split,
            because runs are measured on it.
          </p>
        </>
      ) : null}
    </Pane>
  );
}

function Outcome({ preview: { splits, caseCount } }: { preview: ImportPreview }) {
  const sides = (['train', 'validation', 'held_out', 'undivided'] as const).filter(
    (side) => splits.after[side] > 0 || side === 'held_out',
  );
  const { train, validation, held_out: heldOut } = splits.after;
  return (
    <>
      <SplitBar className="mt-2 h-3" sides={{ caseCount, train, validation, heldOut }} />
      <p className="mt-1.5 flex flex-wrap items-center justify-between gap-2 text-sm">
        {sides.map((side) => (
          <span key={side}>
            <b className="font-medium">{formatCount(splits.after[side])}</b> {SPLIT_LABELS[side]}{' '}
            {splits.after[side] > splits.before[side] ? (
              <span className="text-better">+{formatCount(splits.after[side] - splits.before[side])}</span>
            ) : null}
          </span>
        ))}
      </p>
    </>
  );
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function percentOf(text: string): number {
  return Math.min(100, Number(text.replaceAll(/\D/g, '').slice(0, 3)));
}
