'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, FieldGrid, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { LESSON_FIELDS, LESSON_KINDS, LESSON_LENGTH, type LessonKind } from '#lib/core/lesson-schema.ts';
import type { Problem } from '#lib/core/problem.ts';
import { formatCount } from '#lib/format.ts';
import { type LessonDraft, lessonOf, NEW_LESSON } from './lesson-draft.ts';
import { KIND_MEANING, kindLabel } from './lesson-labels.ts';
import { TaskTypeInput } from './task-type-input.tsx';

type LessonFormFieldsProps = {
  draft: LessonDraft;
  change: (changes: Partial<LessonDraft>) => void;
  /** Returns the error of a field, by its path in the request: `fields.why`. */
  errorAt: (path: string) => string | null;
  /** False for an existing lesson, whose kind and block cannot change. */
  isNew: boolean;
};

/** Fields of a lesson, for a new or an existing one. */
export function LessonFormFields({ draft, change, errorAt, isNew }: LessonFormFieldsProps) {
  const form = LESSON_FIELDS[draft.kind];
  return (
    <>
      {isNew ? (
        <Field label="Kind" help={KIND_MEANING[draft.kind]} error={errorAt('kind')}>
          <Select
            value={draft.kind}
            onValue={(value) => change({ kind: LESSON_KINDS.find((kind) => kind === value) ?? draft.kind })}
          >
            <Options of={LESSON_KINDS.map((kind) => [kind, kindLabel(kind)])} />
          </Select>
        </Field>
      ) : null}
      {form.length === 0 ? (
        <Field
          label="Text"
          help={`At most ${formatCount(LESSON_LENGTH)} characters. Added to prompts as advice, word for word.`}
          error={errorAt('text')}
        >
          <Textarea rows={4} data-autofocus value={draft.text} onValue={(text) => change({ text })} />
        </Field>
      ) : (
        form.map(({ name, label, required }, index) => (
          <Field
            key={name}
            label={label}
            help={required ? undefined : 'Optional'}
            error={errorAt(`fields.${name}`) ?? (index === 0 ? errorAt('fields') : null)}
          >
            <Textarea
              rows={2}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              value={draft.fields[name] ?? ''}
              onValue={(value) => change({ fields: { ...draft.fields, [name]: value } })}
            />
          </Field>
        ))
      )}
      <FieldGrid>
        <Field label="Agents" error={draft.agents === 'all' ? errorAt('scope.agent') : null}>
          <Select value={draft.agents} onValue={(value) => change({ agents: value === 'one' ? 'one' : 'all' })}>
            <option value="all">All agents</option>
            <option value="one">One agent</option>
          </Select>
        </Field>
        {draft.agents === 'all' ? null : (
          <Field label="Agent" error={errorAt('scope.agent')}>
            <Input value={draft.agent} onValue={(agent) => change({ agent })} />
          </Field>
        )}
        <Field
          label="Task type"
          help="Choose one or enter a name, such as web scraping. Leave empty for any."
          error={errorAt('scope.taskType')}
        >
          <TaskTypeInput value={draft.taskType} onChange={(taskType) => change({ taskType })} />
        </Field>
        <Field label="Tools" help="Comma-separated names. Leave empty for any." error={errorAt('scope.tools')}>
          <Input value={draft.tools} onValue={(tools) => change({ tools })} />
        </Field>
        {isNew ? (
          <Field
            label="Block"
            help="Experiments can recall a whole block. Default: reflexion_lessons"
            error={errorAt('block')}
          >
            <Input value={draft.block} onValue={(block) => change({ block })} />
          </Field>
        ) : null}
      </FieldGrid>
    </>
  );
}

/** True if the form has a field for the problem. Otherwise the problem is shown elsewhere. */
export function isShownAtField(kind: LessonKind, { field }: Problem): boolean {
  const fields = LESSON_FIELDS[kind];
  const shown = fields.length === 0 ? ['text'] : ['fields', ...fields.map(({ name }) => `fields.${name}`)];
  return field !== null && [...shown, 'kind', 'block', 'scope.agent', 'scope.taskType', 'scope.tools'].includes(field);
}

/** Form for a handwritten lesson. It is reviewed like any other. */
export function AddLesson() {
  const router = useRouter();
  const toast = useToast();
  const [draft, setDraft] = useState<LessonDraft>(NEW_LESSON);
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved. Try again.');

  function send() {
    const block = draft.block.trim();
    const body = { kind: draft.kind, ...lessonOf(draft), ...(block === '' ? {} : { block }) };
    submit(submitApi('POST /api/v1/lessons', { body }), ({ id }) => {
      toast('Lesson added as a candidate');
      router.push(`/lessons/${id}`);
    });
  }

  return (
    <SubmitForm className="flex max-w-200 flex-col gap-4" onSubmit={send}>
      <LessonFormFields
        draft={draft}
        change={(changes) => setDraft((current) => ({ ...current, ...changes }))}
        errorAt={errorAt}
        isNew
      />
      {problem !== null && !isShownAtField(draft.kind, problem) ? (
        <Notice tone="worse" alert title={problem.message} />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" size="large" disabled={isBusy}>
          {isBusy ? 'Adding' : 'Add lesson'}
        </Button>
        <span className="text-ink-2 text-sm">
          Hone redacts secrets and personal data, then screens the lesson. It then waits for review.
        </span>
      </div>
    </SubmitForm>
  );
}
