'use client';

import { useId, useState } from 'react';
import { read } from '#components/experiment/draft-entries.ts';
import { OnlyFor } from '#components/team/only-for.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';

type TryModelProps = {
  /** What the provider lists. */
  models: readonly string[];
  isBusy: boolean;
  /** Whether asking costs nothing. */
  isFree: boolean;
  ask: (model: string, temperature?: unknown) => void;
};

/** Really asks one model, to see that it answers, whether in JSON, and whether it uses tools. */
export function TryModel({ models, isBusy, isFree, ask }: TryModelProps) {
  const listId = useId();
  const [model, setModel] = useState(models.length === 1 ? (models[0] ?? '') : '');
  const [temperature, setTemperature] = useState('');
  const name = model.trim();
  return (
    <OnlyFor needs="owner" isSilent>
      <form
        className="flex flex-wrap items-end gap-2"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') ask(name, temperature.trim() === '' ? undefined : read(temperature));
        }}
      >
        <Field
          label="Ask a model"
          className="min-w-0 flex-[1_1_14rem]"
          help={`Two small questions: does it answer in JSON, does it use tools? ${isFree ? 'Costs nothing' : 'Costs some hundred tokens'}`}
        >
          <Input
            list={listId}
            value={model}
            placeholder="the provider’s own name for it"
            onChange={(event) => setModel(event.target.value)}
          />
        </Field>
        <Field label="Temperature" className="w-40" help="Empty: as in runs">
          <Input numeric value={temperature} onChange={(event) => setTemperature(event.target.value)} />
        </Field>
        <datalist id={listId}>
          {models.map((listed) => (
            <option key={listed} value={listed} />
          ))}
        </datalist>
        <Button type="submit" size="small" className="mb-6" disabled={isBusy || name === ''}>
          Ask it
        </Button>
      </form>
    </OnlyFor>
  );
}
