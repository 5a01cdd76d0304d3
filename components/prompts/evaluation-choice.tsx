'use client';

import { Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { CASE_CHOICES, type PlaygroundCase, tagsOf } from './choose-cases.ts';
import type { PlaygroundState } from './use-playground-state.ts';

type EvaluationChoiceProps = { state: PlaygroundState; cases: readonly PlaygroundCase[]; limit: number | null };

const PARTS: [PlaygroundState['part'], string][] = [
  ['tuned', 'Without held-out cases'],
  ['train', 'Training'],
  ['validation', 'Validation'],
  ['all', 'All cases'],
];
const LIMITS = [5, 10, 20, 50, 100];

/** Selects the cases to evaluate the prompt on. */
export function EvaluationChoice({ state, cases, limit }: EvaluationChoiceProps) {
  const tags = tagsOf(cases);
  const limits = [...new Set(limit === null ? LIMITS : [...LIMITS, limit])].toSorted((one, other) => one - other);
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <Select
        aria-label="Cases"
        className="w-auto"
        value={state.part}
        onValue={(value) => {
          const part = CASE_CHOICES.find((choice) => choice === value);
          if (part) state.set({ part });
        }}
      >
        <Options of={PARTS} />
        {state.part === 'held_out' ? <option value="held_out">Held-out only</option> : null}
      </Select>
      {tags.length > 0 ? (
        <Select
          aria-label="Tag"
          className="w-auto max-w-40"
          value={state.tag ?? ''}
          onValue={(value) => state.set({ tag: value || null })}
        >
          <option value="">Any tag</option>
          <Options of={tags} />
        </Select>
      ) : null}
      <Select
        aria-label="Number of cases"
        className="w-auto"
        value={limit ?? 0}
        onValue={(value) => state.set({ limit: Number(value) })}
      >
        <option value={0}>All</option>
        <Options of={limits.map((count) => [count, `The first ${count}`])} />
      </Select>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="accent-brand"
          checked={state.onlyWrong}
          onChange={(event) => state.set({ onlyWrong: event.target.checked })}
        />
        Only cases the version failed
      </label>
    </div>
  );
}
