'use client';

import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { OnlyFor } from '#components/team/only-for.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';

type AddPriceProps = {
  providers: readonly { name: string; models: readonly string[] }[];
  add: (row: { provider: string; model: string }) => void;
};

/** Puts a model that nothing uses yet into the table of prices. */
export function AddPrice({ providers, add }: AddPriceProps) {
  const listId = useId();
  const [provider, setProvider] = useState(providers[0]?.name ?? '');
  const [model, setModel] = useState('');
  const listed = providers.find(({ name }) => name === provider)?.models ?? [];
  return (
    <OnlyFor needs="owner" isSilent>
      <form
        className="flex flex-wrap items-end gap-2 px-6 pb-4 max-[760px]:px-4"
        noValidate
        aria-label="Another model"
        onSubmit={(event) => {
          event.preventDefault();
          if (model.trim() === '') return;
          add({ provider, model: model.trim() });
          setModel('');
        }}
      >
        <Field label="Price of another model of" className="min-w-0">
          <Select value={provider} onChange={(event) => setProvider(event.target.value)}>
            {providers.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
        <Field label="Model" hideLabel className="min-w-0 flex-[1_1_10rem]">
          <Input list={listId} value={model} placeholder="model" onChange={(event) => setModel(event.target.value)} />
        </Field>
        <datalist id={listId}>
          {listed.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit" disabled={model.trim() === ''}>
          <Plus className="size-3.25" aria-hidden />
          Add
        </Button>
      </form>
    </OnlyFor>
  );
}
