'use client';

import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { SEGMENTED } from './segmented-links.tsx';

type Choice<Value extends string> = { value: Value; label: ReactNode; name?: string };
type SegmentedProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  className?: string;
};

/** Segmented control with one selected option. `name` is the accessible name if the label is a glyph. */
export function Segmented<Value extends string>({ label, value, choices, onChange, className }: SegmentedProps<Value>) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={label} data-slot="segmented" className={classNames(SEGMENTED, className)}>
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.name}
          className="relative has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-brand"
        >
          {/* `form` keeps an enclosing form from submitting and resetting the choice. */}
          <input
            type="radio"
            form={group}
            name={group}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            aria-label={choice.name}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
