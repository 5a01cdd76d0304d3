'use client';

import { Plus, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { FieldGrid } from '#components/ui/field.tsx';
import { errorSentence, useFieldError } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { AGENT_BASES, BASE_TYPES, baseSchema, MAX_WORKERS } from '#lib/core/agents/base-settings.ts';
import { usedTools } from '#lib/core/agents/tool-calls.ts';
import { workerPrompt } from '#lib/core/prompts/agent-prompt.ts';
import { type FormSettings, type FormWorker, newWorker, sentBaseType } from './form-settings.ts';
import { ModelChoice } from './model-choice.tsx';
import { LinesField, LongTextField, NumberField, SelectField, TextField, useSettingsForm } from './setting-fields.tsx';
import { ToolChecks } from './tool-checks.tsx';

const BASE_TITLES: Record<FormSettings['mode'], string> = {
  revise: 'First draft',
  retry: 'Attempts',
  tune: 'Answers',
};
const NO_ANSWER: Record<FormSettings['mode'], string> = {
  revise:
    'If the agent gives no answer, its output is kept but not scored, and the run ends. You can resume it. Revisions are single calls.',
  retry: 'An attempt without an answer is kept, but not scored, and no lesson is written. The next attempt follows.',
  tune: 'If the agent does not answer a case, an empty output is scored.',
};
const TUNED_BASES = BASE_TYPES.filter((type) => type !== 'supervisor');
/** Help text for a supervisor in tune mode. */
export const NOT_TUNED = 'Supervisors cannot be tuned. Each case is answered by a single call.';

/** Selects how an attempt is made: one call, an agent with tools, or a supervisor with workers. */
export function BaseFields() {
  const { choices, settings, set } = useSettingsForm();
  const { base } = settings.generator;
  const isTuning = settings.mode === 'tune';
  const used = usedTools(base);
  const who = base.type === 'supervisor' ? 'supervisor' : 'agent';
  return (
    <>
      <SelectField
        path="generator.base.type"
        also="generator.base"
        label={BASE_TITLES[settings.mode]}
        help={isTuning && base.type === 'supervisor' ? NOT_TUNED : AGENT_BASES[base.type].help}
        options={isTuning && base.type !== 'supervisor' ? TUNED_BASES : BASE_TYPES}
        labelOf={(type) => AGENT_BASES[type].label}
      />
      {sentBaseType(settings) === 'single' ? null : (
        <>
          {base.type === 'supervisor' ? <WorkersEditor /> : null}
          <ToolChecks
            label={`Tools of the ${who}`}
            help={
              <>
                If Hone is killed during a tool call, the call may run twice. Choose only tools that are safe to call
                again. An owner can add tools of MCP servers under{' '}
                <RoleTextLink needs="owner" href="/settings#tools">
                  Settings
                </RoleTextLink>
                .
              </>
            }
            offered={choices.tools}
            path="generator.base.tools"
            chosen={base.tools}
            onChange={(chosen) => set('generator.base.tools', chosen)}
          />
          {used.length === 0 || isTuning ? null : (
            <ToolChecks
              brief
              label="Require approval for"
              help="Default: none. The run waits in the inbox before each call. If a reviewer refuses, the agent sees the reason. “People and budget” sets what happens after a timeout."
              offered={used.map((name) => ({ name, description: '', server: null }))}
              path="generator.base.approve"
              chosen={base.approve.filter((name) => used.includes(name))}
              onChange={(approve) => set('generator.base.approve', approve)}
            />
          )}
          {used.includes('http_get') || base.httpHosts.length > 0 ? (
            <LinesField
              path="generator.base.httpHosts"
              label="Allowed hosts for http_get"
              help="One per line: example.org, or *.example.org for all subdomains. Requests to other hosts are refused."
            />
          ) : null}
          <FieldGrid>
            <NumberField
              path="generator.base.maxSteps"
              label="Maximum turns"
              help="1 to 200, default 10. Each turn is one model call."
            />
            <NumberField
              path="generator.base.stallAfter"
              label="Stalled after (repeats)"
              help="2 to 20, default 3. The agent is stalled once it repeats the same tool calls this often."
            />
          </FieldGrid>
          <p className="text-ink-2 text-sm">{NO_ANSWER[settings.mode]}</p>
        </>
      )}
    </>
  );
}

/** Edits the workers of a supervisor. At least one is required. */
function WorkersEditor() {
  const { settings, set } = useSettingsForm();
  const { workers } = settings.generator.base;
  const id = useId();
  const error = useFieldError('generator.base.workers', 'Workers', id);
  const list = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<number | null>(null);
  useEffect(() => {
    if (added !== null) list.current?.querySelector<HTMLElement>(`[data-worker="${added}"] input`)?.focus();
  }, [added]);
  const change = (next: FormWorker[]) => set('generator.base.workers', next);

  function add() {
    const worker = newWorker(workers);
    change([...workers, worker]);
    setAdded(worker.key);
  }

  return (
    <fieldset id={id} aria-label="Workers">
      <span className="font-medium text-ink text-sm">Workers</span>
      <div ref={list}>
        {workers.map((worker, index) => (
          <WorkerFields
            key={worker.key}
            worker={worker}
            index={index}
            onRemove={() => change(workers.filter(({ key }) => key !== worker.key))}
          />
        ))}
      </div>
      {error === null ? null : <InlineError className="mt-2">{errorSentence('Workers', error)}</InlineError>}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button size="small" disabled={workers.length >= MAX_WORKERS} onClick={add}>
          <Plus />
          Add worker
        </Button>
        <span className="text-ink-3 text-sm">
          {workers.length >= MAX_WORKERS
            ? `The maximum is ${MAX_WORKERS} workers.`
            : 'The supervisor sees their names and descriptions and assigns tasks. Workers cannot assign tasks.'}
        </span>
      </div>
    </fieldset>
  );
}

type WorkerFieldsProps = { worker: FormWorker; index: number; onRemove: () => void };

/** Edits one worker: its description, instructions, model and tools. */
function WorkerFields({ worker, index, onRemove }: WorkerFieldsProps) {
  const { choices, set } = useSettingsForm();
  const path = `generator.base.workers.${index}` as const;
  const called = worker.name.trim() || `worker ${index + 1}`;
  const { provider, model } = worker;
  return (
    <fieldset
      className="flex flex-col gap-3 border-line border-b pt-3 pb-4"
      aria-label={called}
      data-worker={worker.key}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_5.5rem_1.5rem] narrow:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_5.5rem_1.5rem] items-start gap-3 max-narrow:[&>:nth-child(2)]:col-span-full max-narrow:[&>:nth-child(2)]:row-start-2">
        <TextField path={`${path}.name`} label="Name" placeholder="solver" />
        <TextField path={`${path}.description`} label="Description" placeholder="Solves arithmetic" />
        <NumberField path={`${path}.maxSteps`} label="Turns" help="1 to 200" className="w-full" />
        <IconButton
          icon={X}
          label={`Remove ${called}`}
          className="mt-5.75 max-narrow:col-start-3 max-narrow:row-start-1"
          onClick={onRemove}
        />
      </div>
      <LongTextField
        path={`${path}.instructions`}
        label="Instructions"
        help="Sent to the worker with each task"
        rows={2}
      />
      <ModelChoice
        label="Worker model"
        help="Writes the turns of this worker"
        none="same as drafts"
        path={path}
        value={provider === null && model === null ? null : { provider: provider ?? '', model: model ?? '' }}
        providers={choices.providers}
        onChange={(chosen) => {
          set(`${path}.provider`, chosen?.provider ?? null);
          set(`${path}.model`, chosen?.model ?? null);
        }}
      />
      <ToolChecks
        brief
        label="Tools"
        offered={choices.tools}
        path={`${path}.tools`}
        chosen={worker.tools}
        onChange={(chosen) => set(`${path}.tools`, chosen)}
      />
      <WorkerPreview worker={worker} />
    </fieldset>
  );
}

/** Previews the prompt of a worker for a sample task. Renders only a hint if its fields are invalid. */
function WorkerPreview({ worker }: { worker: FormWorker }) {
  const [isOpen, setOpen] = useState(false);
  const sent = isOpen ? previewOf(worker) : null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-ink-2 text-sm">Preview for a sample task</summary>
      {sent === null ? (
        <p className="mt-2 text-ink-2 text-sm">Correct the invalid fields to see the preview.</p>
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

/** Parses only the fields the prompt uses, so a missing name does not block the preview. */
function previewOf({ instructions, maxSteps }: FormWorker) {
  const base = baseSchema.safeParse({ type: 'supervisor', workers: [{ name: 'worker', instructions, maxSteps }] }).data;
  const read = base?.type === 'supervisor' ? base.workers[0] : undefined;
  return read === undefined ? null : workerPrompt(read, '(the task that the supervisor gives)');
}
