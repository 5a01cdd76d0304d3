'use client';

import { X } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import type { WorkerDraft } from './base-draft.ts';
import { ModelChoice, type ProviderChoice } from './model-choice.tsx';
import { ToolChecks } from './tool-checks.tsx';
import type { ToolChoice } from './tool-choice.ts';
import { WorkerPreview } from './worker-preview.tsx';

type WorkerFieldsProps = {
  worker: WorkerDraft;
  number: number;
  providers: readonly ProviderChoice[];
  tools: readonly ToolChoice[];
  errorAt: (field: string) => string | null;
  onChange: (changes: Partial<WorkerDraft>) => void;
  onRemove: () => void;
};

/** One worker of a supervisor: when it is asked, what it is told, by which model and with which tools it works. */
export function WorkerFields({ worker, number, providers, tools, errorAt, onChange, onRemove }: WorkerFieldsProps) {
  const called = worker.name.trim() || `worker ${number}`;
  return (
    <fieldset
      className="flex flex-col gap-3 border-line border-b pt-3 pb-4"
      aria-label={called}
      data-worker={worker.key}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_5.5rem_1.5rem] narrow:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_5.5rem_1.5rem] items-start gap-3 max-narrow:[&>:nth-child(2)]:col-span-full max-narrow:[&>:nth-child(2)]:row-start-2">
        <Field label="Name" error={errorAt('name')}>
          <Input
            value={worker.name}
            placeholder="solver"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Field>
        <Field label="What it is for" error={errorAt('description')}>
          <Input
            value={worker.description}
            placeholder="Works out numbers"
            onChange={(event) => onChange({ description: event.target.value })}
          />
        </Field>
        <Field label="Turns" help="1 to 200" error={errorAt('maxSteps')}>
          <Input
            numeric
            className="w-full"
            value={worker.maxSteps}
            onChange={(event) => onChange({ maxSteps: event.target.value })}
          />
        </Field>
        <Button
          variant="ghost"
          size="smallIcon"
          className="mt-5.75 max-narrow:col-start-3 max-narrow:row-start-1"
          aria-label={`Remove ${called}`}
          onClick={onRemove}
        >
          <X className="size-3.25" aria-hidden />
        </Button>
      </div>
      <Field label="Instructions" help="What the worker is told with each task" error={errorAt('instructions')}>
        <Textarea
          rows={2}
          value={worker.instructions}
          onChange={(event) => onChange({ instructions: event.target.value })}
        />
      </Field>
      <ModelChoice
        label="Model of the worker"
        help="Takes its turns"
        none="same as drafts"
        value={worker.model}
        providers={providers}
        providerError={errorAt('provider')}
        modelError={errorAt('model')}
        onChange={(model) => onChange({ model })}
      />
      <ToolChecks
        brief
        label="Tools"
        offered={tools}
        chosen={worker.tools}
        error={errorAt('tools')}
        errorOf={(index) => errorAt(`tools.${index}`)}
        onChange={(chosen) => onChange({ tools: chosen })}
      />
      <WorkerPreview worker={worker} />
    </fieldset>
  );
}
