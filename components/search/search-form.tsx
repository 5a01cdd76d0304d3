'use client';

import { Search } from 'lucide-react';
import Form from 'next/form';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';

type SearchFormProps = {
  query: string;
  experimentId: string | null;
  experiments: readonly { id: string; name: string }[];
};

/** Search form with a query and a scope. A plain form whose values go into the URL, so that it works before hydration. */
export function SearchForm({ query, experimentId, experiments }: SearchFormProps) {
  return (
    <Pane>
      <Form action="/search" role="search" className="flex flex-wrap items-start gap-3">
        <Field
          label="Words"
          help="Finds runs whose case and outputs contain words that start with these."
          className="min-w-0 flex-[3_1_16rem]"
        >
          <Input name="q" type="search" defaultValue={query} maxLength={200} />
        </Field>
        <Field label="Experiment" className="min-w-0 flex-[1_1_12rem]">
          <Select name="experiment" defaultValue={experimentId ?? ''}>
            <option value="">all</option>
            <Options of={experiments.map(({ id, name }) => [id, name])} />
          </Select>
        </Field>
        <Button type="submit" variant="primary" className="mt-5.5">
          <Search />
          Search
        </Button>
      </Form>
    </Pane>
  );
}
