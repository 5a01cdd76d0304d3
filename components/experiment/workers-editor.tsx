'use client';

import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { MOST_WORKERS } from '#lib/core/agents/base-settings.ts';
import { newWorker, type WorkerDraft } from './base-draft.ts';
import type { ProviderChoice } from './model-choice.tsx';
import type { ToolChoice } from './tool-choice.ts';
import { WorkerFields } from './worker-fields.tsx';

type WorkersEditorProps = {
  workers: WorkerDraft[];
  providers: readonly ProviderChoice[];
  tools: readonly ToolChoice[];
  /** What is wrong with a field, by its path inside the base: `workers.0.name`. */
  errorAt: (path: string) => string | null;
  onChange: (workers: WorkerDraft[]) => void;
};

/** Whom a supervisor can give tasks to; at least one is needed. */
export function WorkersEditor({ workers, providers, tools, errorAt, onChange }: WorkersEditorProps) {
  const list = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<number | null>(null);
  useEffect(() => {
    if (added !== null) list.current?.querySelector<HTMLElement>(`[data-worker="${added}"] input`)?.focus();
  }, [added]);

  function add() {
    const worker = newWorker(workers);
    onChange([...workers, worker]);
    setAdded(worker.key);
  }

  return (
    <fieldset aria-label="Workers">
      <span className="font-medium text-ink text-sm">Workers</span>
      <div ref={list}>
        {workers.map((worker, index) => (
          <WorkerFields
            key={worker.key}
            worker={worker}
            number={index + 1}
            providers={providers}
            tools={tools}
            errorAt={(field) => errorAt(`workers.${index}.${field}`)}
            onChange={(changes) =>
              onChange(workers.map((one) => (one.key === worker.key ? { ...one, ...changes } : one)))
            }
            onRemove={() => onChange(workers.filter(({ key }) => key !== worker.key))}
          />
        ))}
      </div>
      {errorAt('workers') ? (
        <p className="mt-2 text-sm text-worse" role="alert">
          ✕ {errorAt('workers')}
        </p>
      ) : null}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button size="small" disabled={workers.length >= MOST_WORKERS} onClick={add}>
          <Plus className="size-3.25" aria-hidden />
          Add a worker
        </Button>
        <span className="text-ink-3 text-sm">
          {workers.length >= MOST_WORKERS
            ? `There are ${MOST_WORKERS}, which is the most.`
            : 'The supervisor reads names and descriptions, and gives each a task in words. Workers give no tasks.'}
        </span>
      </div>
    </fieldset>
  );
}
