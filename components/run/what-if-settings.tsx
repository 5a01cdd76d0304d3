import { useEffect, useId, useState } from 'react';
import { classNames } from '#components/ui/class-names.ts';
import { Input } from '#components/ui/field.tsx';
import { Slider } from '#components/ui/slider.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount } from '#lib/format.ts';
import type { RailStretch } from '#lib/what-if/what-if-ranges.ts';
import type { WhatIfLabel, WhatIfState } from './use-what-if.ts';

type WhatIfSliderProps = {
  label: string;
  unit: string;
  value: number;
  own: number;
  min: number;
  max: number;
  step: number;
  disabled?: boolean;
  rail: RailStretch[] | null;
  wordsOf: (stretch: RailStretch) => WhatIfLabel;
  onChange: (value: number) => void;
};

/** Slider and number input for one setting, with the outcome for each range of its scale. */
export function WhatIfSlider(props: WhatIfSliderProps) {
  const { label, unit, value, own, min, max, step, disabled = false, rail, wordsOf, onChange } = props;
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-3 gap-y-0.5 border-line border-b py-2.25 last:border-b-0">
      <label htmlFor={id} className="font-medium">
        {label} <span className="font-normal text-ink-3">{unit}</span>
      </label>
      <span className="flex items-center gap-2">
        <span className="text-ink-3 text-sm">{value === own ? 'as run' : `was ${own}`}</span>
        <NumberEntry id={id} value={value} min={min} max={max} step={step} disabled={disabled} onChange={onChange} />
      </span>
      <Slider
        className="col-span-full"
        aria-label={`${label}, slider`}
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      {rail === null || disabled ? null : <Rail rail={rail} value={value} own={own} step={step} wordsOf={wordsOf} />}
    </div>
  );
}

type NumberEntryProps = {
  id?: string;
  label?: string;
  /** Null for an empty entry, allowed only with `onEmpty`. */
  value: number | null;
  min: number;
  max: number;
  step: number;
  disabled?: boolean;
  onChange: (value: number) => void;
  onEmpty?: () => void;
};

/** Number input that applies a value once it is valid and in range. An invalid entry is corrected on blur. */
function NumberEntry({ id, label, value, min, max, step, disabled, onChange, onEmpty }: NumberEntryProps) {
  const own = value === null ? '' : String(value);
  const [text, setText] = useState(own);
  useEffect(() => setText((before) => (Number(before) === value && before !== '' ? before : own)), [value, own]);
  return (
    <Input
      numeric
      className="min-h-6.5 w-17 px-1.5 py-0.5"
      id={id}
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      title={`From ${min} to ${formatCount(max)}`}
      value={text}
      disabled={disabled}
      onValue={(next) => {
        setText(next);
        const number = Number(next);
        const fits = number >= min && number <= max && (step < 1 || Number.isInteger(number));
        if (next.trim() !== '' && fits) onChange(number);
        if (next.trim() === '') onEmpty?.();
      }}
      onBlur={() => setText(own)}
    />
  );
}

type RailProps = Pick<WhatIfSliderProps, 'value' | 'own' | 'step' | 'wordsOf'> & { rail: RailStretch[] };

function Rail({ rail, value, own, step, wordsOf }: RailProps) {
  const holds = (stretch: RailStretch, number: number, isLast: boolean) =>
    number >= stretch.from && (number < stretch.to + step || isLast);
  return (
    <div className="col-span-full mx-2 flex gap-0.5" aria-hidden>
      {rail.map((stretch, index) => {
        const isLast = index === rail.length - 1;
        const look =
          holds(stretch, value, isLast) && !isPast(rail, index, value)
            ? 'border-brand bg-brand-tint font-semibold text-brand'
            : holds(stretch, own, isLast) && !isPast(rail, index, own)
              ? 'border-dashed border-line-input bg-sunken font-medium text-ink-2'
              : 'border-transparent bg-sunken font-medium text-ink-2';
        const [where, how] = wordsOf(stretch).short;
        const label = how === undefined ? where : `${where}, ${how}`;
        return (
          <span
            key={stretch.from}
            className={classNames(
              'h-5 overflow-hidden rounded-[2px] border px-0.5 text-center text-xs leading-[1.15rem] *:inline-block *:whitespace-nowrap',
              look,
            )}
            style={{ flex: Math.max(stretch.to - stretch.from + step, step) }}
            title={`${stretch.from === stretch.to ? stretch.from : `${stretch.from} to ${stretch.to}`}: ${label}`}
          >
            {/* In a narrow stretch the end wraps below the visible line, so the version stays whole. */}
            <span>{where}</span>
            {how === undefined ? null : <span>, {how}</span>}
          </span>
        );
      })}
    </div>
  );
}

function isPast(rail: RailStretch[], index: number, value: number): boolean {
  const next = rail[index + 1];
  return next !== undefined && value >= next.from;
}

type WhatIfCriteriaProps = { settings: ExperimentSettings; changed: ExperimentSettings; state: WhatIfState };

/** Inputs for the weights and thresholds of the criteria. */
export function WhatIfCriteria({ settings, changed, state }: WhatIfCriteriaProps) {
  const { changes, change } = state;
  return (
    <div className="mt-3 border-line border-t pt-3">
      <h3>Weights and thresholds of the criteria</h3>
      <Table isTight>
        <TableHead>
          <ColumnHead>Criterion</ColumnHead>
          <NumberHead>Weight</NumberHead>
          <NumberHead>Threshold</NumberHead>
        </TableHead>
        <tbody>
          {changed.criteria.map(({ name, weight, threshold }, index) => {
            const own = settings.criteria[index];
            return (
              <tr key={name}>
                <RowHead className="wrap-anywhere font-normal">{name}</RowHead>
                <NumberCell>
                  <Was now={weight} own={own?.weight} />
                  <NumberEntry
                    label={`Weight of ${name}`}
                    value={weight}
                    min={0}
                    max={100}
                    step={0.1}
                    onChange={(value) => change({ weights: { ...changes.weights, [index]: value } })}
                  />
                </NumberCell>
                <NumberCell>
                  <Was now={threshold} own={own?.threshold} />
                  <NumberEntry
                    label={`Threshold of ${name}`}
                    value={threshold}
                    min={0}
                    max={1}
                    step={0.01}
                    onChange={(value) => change({ thresholds: { ...changes.thresholds, [index]: value } })}
                    onEmpty={() => change({ thresholds: { ...changes.thresholds, [index]: null } })}
                  />
                </NumberCell>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

function Was({ now, own }: { now: number | null; own: number | null | undefined }) {
  return now === own || own === undefined ? null : <span className="mr-2 text-ink-3 text-sm">was {own ?? 'none'}</span>;
}
