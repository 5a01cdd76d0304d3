'use client';

import { Search } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';

type SearchFormProps = {
  query: string;
  experimentId: string | null;
  experiments: readonly { id: string; name: string }[];
};

/** What is looked for and where. It is a plain form: the search stands in the address. */
export function SearchForm({ query, experimentId, experiments }: SearchFormProps) {
  return (
    <search>
      <form action="/search" className="pane row wrap al">
        <Field label="Words" help="Beginnings of words that all stand in a run’s case and outputs" className="grow">
          <Input name="q" type="search" defaultValue={query} maxLength={200} />
        </Field>
        <Field label="Experiment">
          <Select name="experiment" defaultValue={experimentId ?? ''}>
            <option value="">all</option>
            {experiments.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" variant="primary" className="mt-5">
          <Search className="i s" aria-hidden />
          Search
        </Button>
      </form>
    </search>
  );
}
