'use client';

import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
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
  function choose(next: string) {
    const choice = choices.find((candidate) => candidate.value === next);
    if (choice) onChange(choice.value);
  }
  return (
    <ToggleGroup.Root
      type="single"
      data-slot="segmented"
      aria-label={label}
      value={value}
      onValueChange={choose}
      className={classNames(SEGMENTED, className)}
    >
      {choices.map((choice) => (
        <ToggleGroup.Item key={choice.value} value={choice.value} aria-label={choice.name} title={choice.name}>
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
