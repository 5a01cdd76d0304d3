'use client';

import { useState } from 'react';
import { baseSchema } from '#lib/reflection/agents/base-settings.ts';
import { workerPrompt } from '#lib/reflection/prompts/agent-prompt.ts';
import { fromWorkerDraft, type WorkerDraft } from './base-draft.ts';

/** What a worker is asked, as it would be sent with a task. Nothing while its entries can't be read. */
export function WorkerPreview({ worker }: { worker: WorkerDraft }) {
  const [isOpen, setOpen] = useState(false);
  const sent = isOpen ? previewOf(worker) : null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="sm muted cursor-pointer">Preview for a sample task</summary>
      {sent === null ? (
        <p className="sm muted mt-2">Comes as soon as its entries are within their ranges.</p>
      ) : (
        <div className="stack mt-2 gap-1" data-testid="worker-preview">
          <span className="lbl">Instructions</span>
          <pre className="plain">{sent.instructions}</pre>
          <span className="lbl mt-2">Prompt</span>
          <pre className="plain">{sent.prompt}</pre>
        </div>
      )}
    </details>
  );
}

function previewOf(worker: WorkerDraft) {
  // Only what its prompt is made of: a name that is still missing keeps nobody from looking.
  const { instructions, maxSteps } = fromWorkerDraft(worker);
  const base = baseSchema.safeParse({ type: 'supervisor', workers: [{ name: 'worker', instructions, maxSteps }] }).data;
  const read = base?.type === 'supervisor' ? base.workers[0] : undefined;
  return read === undefined ? null : workerPrompt(read, '(the task that the supervisor gives)');
}
