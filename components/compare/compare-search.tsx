'use client';

import Form from 'next/form';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/field.tsx';
import type { CompareState } from './compare-address.ts';
import { PreservedInputs } from './preserved-inputs.tsx';

/** Form that searches experiments by name. Keeps the chosen arms and the metric. Works without JavaScript. */
export function CompareSearch({ state, search }: { state: CompareState; search: string }) {
  return (
    <Form action="/compare" className="mb-3 flex items-center gap-2" role="search">
      <PreservedInputs state={state} />
      <input type="hidden" name="add" value="1" />
      <label className="sr-only" htmlFor="compare-search">
        Search experiments by name
      </label>
      <Input
        id="compare-search"
        name="q"
        className="min-w-0 max-w-72 flex-1"
        type="search"
        placeholder="Experiment name"
        defaultValue={search}
      />
      <Button type="submit">Search</Button>
    </Form>
  );
}
