'use client';

import { Plus, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { TypedInputField } from '#components/case/typed-input-field.tsx';
import {
  type CriterionDraft,
  fromCriterionDraft,
  newCriterion,
  toCriterionDraft,
} from '#components/experiment/criterion-draft.ts';
import { ModelList } from '#components/experiment/model-choice.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { errorAt as errorIn, FormErrors } from '#components/ui/form-errors.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { nextKey } from '#components/ui/parse-entries.ts';
import { useNow } from '#components/ui/timers.ts';
import { problemsOf } from '#lib/core/problem.ts';
import { formatCost, formatElapsed, formatNumberOf } from '#lib/format.ts';
import type { PlaygroundRun, PlaygroundSetup } from '#lib/prompts/playground-schema.ts';
import { MAX_TYPED_CASES } from '#lib/prompts/prompt.ts';
import type { PromptSetup } from '#lib/prompts/schema.ts';
import { RunButton } from './run-button.tsx';
import { fromSamplingDraft, type SamplingDraft, SamplingFields, toSamplingDraft } from './sampling-fields.tsx';
import type { SetupChoices } from './setup-form-dialog.tsx';
import { PlaygroundHistory, TypedAnswerView } from './typed-answer.tsx';
import {
  type CaseDraft,
  emptyInputs,
  externalVariables,
  FIRST_CASE,
  renameExternalVariable,
  toCaseDrafts,
  toTypedCases,
  variablesOf,
} from './typed-cases.ts';
import { type EditedPrompt, fromEdited, toEdited } from './use-prompt-draft.ts';
import type { TypedRequest, TypedRun } from './use-typed-run.ts';

// Loaded on demand with its validators, because most runs have no checks.
const CriteriaEditor = dynamic(() =>
  loadOrRetry(() => import('#components/experiment/criteria-editor.tsx').then((file) => file.CriteriaEditor)),
);

/** State of the pane: cases and run setup. */
export type TypedState = {
  cases: CaseDraft[];
  setup: Omit<PlaygroundSetup, 'criteria' | keyof SamplingDraft>;
  sampling: SamplingDraft;
  criteria: CriterionDraft[];
};

/** Returns the initial state: that of the newest run, or else one empty case with the given setup. */
export function firstTypedState(initial: PlaygroundSetup | PromptSetup, newest: PlaygroundRun | undefined): TypedState {
  // The setup of a saved prompt has a dataset, which runs on typed cases do not accept.
  const { datasetId: _, ...setup }: PlaygroundSetup & Partial<PromptSetup> = newest?.setup ?? initial;
  return {
    cases: newest === undefined ? [FIRST_CASE] : toCaseDrafts(newest.cases),
    ...toSetupDrafts(setup),
  };
}

function toSetupDrafts({ criteria, temperature, evaluatorTemperature, modelSettings, ...setup }: PlaygroundSetup) {
  return {
    setup,
    sampling: toSamplingDraft({ temperature, evaluatorTemperature, modelSettings }),
    criteria: criteria.map(toCriterionDraft),
  };
}

/** Converts the setup to the format of the API. */
export function typedSetup({ setup, sampling, criteria }: Omit<TypedState, 'cases'>) {
  return { ...setup, ...fromSamplingDraft(sampling), criteria: criteria.map(fromCriterionDraft) };
}

type TypedPaneProps = {
  /** Null if the prompt is not saved yet. */
  prompt: string | null;
  edited: EditedPrompt;
  onEdit: (changes: Partial<EditedPrompt>) => void;
  state: TypedState;
  onState: (change: (before: TypedState) => TypedState) => void;
  run: TypedRun;
  choices: Pick<SetupChoices, 'providers' | 'webhooks' | 'isPythonOn'>;
};

type PromptTypedPaneProps = Omit<TypedPaneProps, 'state' | 'onState'> & {
  setup: PromptSetup;
  /** Null until something is edited. */
  state: TypedState | null;
  onState: (change: (before: TypedState | null) => TypedState) => void;
};

/** Playground for typed cases of a saved prompt. */
export function PromptTypedPane({ setup, state, onState, ...props }: PromptTypedPaneProps) {
  const [first] = useState(() => state ?? firstTypedState(setup, props.run.history[0]));
  return (
    <TypedPane {...props} state={state ?? first} onState={(change) => onState((before) => change(before ?? first))} />
  );
}

/** Playground with typed cases side by side. Runs them together and streams the outputs. */
export function TypedPane({ prompt, edited, onEdit, state, onState, run, choices }: TypedPaneProps) {
  const { text } = edited;
  const isEmptyText = text.trim() === '';
  const onText = (next: string) => onEdit({ text: next });
  const [missing, setMissing] = useState<readonly number[]>([]);
  const { cases, setup, sampling, criteria } = state;
  const problems = problemsOf(run.problem);
  const errorAt = (path: string) => errorIn(problems, `setup.${path}`);

  function start() {
    const empty = emptyInputs(cases, text);
    setMissing(empty);
    if (empty.length > 0) return;
    // Invalid numbers are sent as typed, so that the server can report them.
    const sent = { prompt, ...fromEdited(edited), cases: toTypedCases(cases, text), setup: typedSetup(state) };
    void run.run(sent as TypedRequest, keysOf(cases));
  }
  useEffect(() => {
    if (missing.length > 0) document.querySelector<HTMLElement>('[data-typed] [aria-invalid="true"]')?.focus();
  }, [missing]);

  const change = (key: number, changes: Partial<CaseDraft>) => {
    setMissing((before) => before.filter((one) => one !== key));
    onState((before) => ({
      ...before,
      cases: before.cases.map((one) => (one.key === key ? { ...one, ...changes } : one)),
    }));
  };
  const set = (changes: Partial<TypedState>) => onState((before) => ({ ...before, ...changes }));
  function addCase() {
    // The key of a removed case must not be used again, because its output is still known.
    const used = run.caseKeys.map((key) => ({ key }));
    onState((before) => ({
      ...before,
      cases: [...before.cases, { ...FIRST_CASE, key: nextKey([...before.cases, ...used]) }],
    }));
  }
  function show(saved: PlaygroundRun) {
    const shown = toCaseDrafts(saved.cases);
    set({ cases: shown, ...toSetupDrafts(saved.setup) });
    run.show(saved, keysOf(shown));
  }

  return (
    <FormErrors problems={problems}>
      <Pane aria-label="Playground" data-testid="playground" data-typed>
        <PaneHeader title="Playground">
          <RunStatus run={run} />
          <span className="ml-auto">
            <RunButton
              isRunning={run.isRunning}
              onRun={isEmptyText ? null : start}
              onStop={run.stop}
              reason={isEmptyText ? 'Write a prompt first' : undefined}
            />
          </span>
        </PaneHeader>
        <ModelList
          models={setup.models}
          help=""
          providers={choices.providers}
          path="setup.models"
          errorAt={(path) => errorIn(problems, path)}
          onChange={(models) => set({ setup: { ...setup, models } })}
        />
        <div className="mt-3">
          <SamplingFields draft={sampling} prefix="setup." onChange={(next) => set({ sampling: next })} />
        </div>
        <VariableNotes text={text} onText={onText} />
        {run.problem === null ? null : (
          <Notice tone="worse" alert className="mt-3" title="Not run.">
            {run.problem.message}
          </Notice>
        )}
        <ul className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-4" aria-label="Cases">
          {cases.map((one, index) => (
            <CaseCard
              key={one.key}
              draft={one}
              index={index}
              state={state}
              text={text}
              answerOf={run.answerOf}
              isMissing={missing.includes(one.key)}
              onChange={(changes) => change(one.key, changes)}
              onRemove={() =>
                onState((before) => ({ ...before, cases: before.cases.filter(({ key }) => key !== one.key) }))
              }
            />
          ))}
        </ul>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <RoleButton
            needs="editor"
            size="small"
            disabled={cases.length >= MAX_TYPED_CASES || run.isRunning}
            onClick={addCase}
          >
            <Plus />
            Add case
          </RoleButton>
          {criteria.length === 0 ? (
            <RoleButton
              needs="editor"
              size="small"
              onClick={() => set({ criteria: [{ ...newCriterion(0), name: 'check' }] })}
            >
              <Plus />
              Add check
            </RoleButton>
          ) : null}
        </div>
        {criteria.length === 0 ? null : (
          <section className="mt-4" aria-label="Checks">
            <h3 className="mb-2 font-medium">Checks</h3>
            <CriteriaEditor
              criteria={criteria}
              judging={{
                generator: { ...setup.models[0], instructions: setup.instructions, temperature: sampling.temperature },
                temperatures: { evaluate: sampling.evaluatorTemperature },
                evaluatorModel: setup.evaluatorModel,
              }}
              webhooks={choices.webhooks}
              isPythonOn={choices.isPythonOn}
              errorAt={errorAt}
              onChange={(next) => set({ criteria: next })}
            />
          </section>
        )}
      </Pane>
      <PlaygroundHistory
        runs={run.history}
        prompt={fromEdited(edited)}
        onPrompt={(saved) => onEdit(toEdited(saved))}
        onShow={show}
        isRunning={run.isRunning}
      />
    </FormErrors>
  );
}

type CaseCardProps = {
  draft: CaseDraft;
  /** Position among the cases, from 0. */
  index: number;
  state: TypedState;
  /** Text of the prompt, whose variables the case fills in. */
  text: string;
  answerOf: TypedRun['answerOf'];
  isMissing: boolean;
  onChange: (changes: Partial<CaseDraft>) => void;
  onRemove: () => void;
};

function CaseCard({ draft, index, state, text, answerOf, isMissing, onChange, onRemove }: CaseCardProps) {
  const { cases, setup, criteria } = state;
  const variables = variablesOf(text);
  return (
    <li className="flex min-w-0 flex-col gap-2.5 rounded-2 border border-line p-3">
      {cases.length === 1 ? null : (
        <div className="flex items-center">
          <h3 className="font-medium text-sm">Case {index + 1}</h3>
          <IconButton icon={X} label={`Remove case ${index + 1}`} className="ml-auto" onClick={onRemove} />
        </div>
      )}
      {variables.map(({ name, label }) =>
        name === 'input' ? (
          <TypedInputField
            key={name}
            value={{ input: draft.values.input ?? '', messages: draft.messages }}
            path={`cases.${index}.${draft.messages === null ? 'input' : 'messages'}`}
            error={isMissing ? 'Enter an input or a message.' : null}
            onChange={({ input, messages }) => onChange({ messages, values: { ...draft.values, input } })}
          />
        ) : (
          <Field key={name} label={label}>
            <Textarea
              rows={1}
              value={draft.values[name] ?? ''}
              onValue={(value) => onChange({ values: { ...draft.values, [name]: value } })}
            />
          </Field>
        ),
      )}
      {criteria.length === 0 ? null : (
        <Field label="Reference" help="The expected answer, for checks" path={`cases.${index}.reference`}>
          <Textarea rows={1} value={draft.reference} onValue={(reference) => onChange({ reference })} />
        </Field>
      )}
      {setup.models.map((model) => (
        <TypedAnswerView
          key={`${model.provider} ${model.model}`}
          answer={answerOf(model, draft.key)}
          model={setup.models.length > 1 ? model.model : null}
        />
      ))}
    </li>
  );
}

function keysOf(cases: readonly CaseDraft[]): number[] {
  return cases.map(({ key }) => key);
}

function VariableNotes({ text, onText }: { text: string; onText: (text: string) => void }) {
  const unknown = externalVariables(text);
  return (
    <>
      {unknown.map((variable) => (
        <Notice
          key={variable.name}
          className="mt-3"
          actions={
            <Button size="small" onClick={() => onText(renameExternalVariable(text, variable))}>
              Use {`{{${variable.as}}}`}
            </Button>
          }
        >
          {`{{${variable.name}}}`} is not a known variable. Use {`{{input}}`} or {`{{metadata.NAME}}`}.
        </Notice>
      ))}
    </>
  );
}

/** Shows the elapsed time of a run, and its result when it has ended. */
function RunStatus({ run }: { run: TypedRun }) {
  const now = useNow(run.isRunning ? 100 : null);
  const { end, wasStopped, startedAt } = run;
  const made = [...run.answers.values()].flatMap((answer) => (answer.state === 'made' ? [answer] : []));
  return (
    <span className="text-ink-3 text-sm tabular-nums">
      {startedAt === null ? null : <span aria-hidden>{formatElapsed(Math.max(0, now.getTime() - startedAt))}</span>}
      <span role="status">
        {startedAt !== null ? <span className="sr-only">Running</span> : null}
        {startedAt === null && wasStopped ? 'Stopped' : null}
        {startedAt === null && end !== null
          ? [
              formatNumberOf(made.length, 'answer'),
              formatNumberOf(end.inputTokens + end.outputTokens, 'token'),
              formatCost(end.costUsd, end.unpriced),
            ].join(' · ')
          : null}
      </span>
    </span>
  );
}
