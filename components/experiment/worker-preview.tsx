'use client';

import { useState } from 'react';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { baseSchema } from '#lib/core/agents/base-settings.ts';
import { workerPrompt } from '#lib/core/prompts/agent-prompt.ts';
import { fromWorkerDraft, type WorkerDraft } from './base-draft.ts';

/** What a worker is asked, as it would be sent with a task. Nothing while its entries can't be read. */
export function WorkerPreview({ worker }: { worker: WorkerDraft }) {
  const [isOpen, setOpen] = useState(false);
  const sent = isOpen ? previewOf(worker) : null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-ink-2 text-sm">Preview for a sample task</summary>
      {sent === null ? (
        <p className="mt-2 text-ink-2 text-sm">Comes as soon as its entries are within their ranges.</p>
      ) : (
        <div className="mt-2 flex flex-col gap-1" data-testid="worker-preview">
          <span className="font-medium text-ink text-sm">Instructions</span>
          <CodeBlock>{sent.instructions}</CodeBlock>
          <span className="mt-2 font-medium text-ink text-sm">Prompt</span>
          <CodeBlock>{sent.prompt}</CodeBlock>
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
