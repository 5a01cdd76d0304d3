'use client';

import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { LESSON_FIELDS, LESSON_KINDS, LESSON_LENGTH, type LessonKind } from '#lib/core/lesson-schema.ts';
import type { Problem } from '#lib/core/problem.ts';
import { formatCount } from '#lib/format.ts';
import type { LessonDraft } from './lesson-draft.ts';
import { KIND_MEANING, kindLabel } from './lesson-labels.ts';
import { TaskTypeInput } from './task-type-input.tsx';

type LessonFormFieldsProps = {
  draft: LessonDraft;
  change: (changes: Partial<LessonDraft>) => void;
  /** What is wrong with a field, by its path in the request: `fields.why`. */
  errorAt: (path: string) => string | null;
  /** Of a lesson that is there its kind and block stay. */
  isNew: boolean;
};

/** A lesson's own form, by its kind, and where it is meant for. */
export function LessonFormFields({ draft, change, errorAt, isNew }: LessonFormFieldsProps) {
  const form = LESSON_FIELDS[draft.kind];
  return (
    <>
      {isNew ? (
        <Field label="Kind" help={KIND_MEANING[draft.kind]} error={errorAt('kind')}>
          <Select
            value={draft.kind}
            onChange={({ target }) =>
              change({ kind: LESSON_KINDS.find((kind) => kind === target.value) ?? draft.kind })
            }
          >
            {LESSON_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kindLabel(kind)}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      {form.length === 0 ? (
        <Field
          label="Text"
          help={`At most ${formatCount(LESSON_LENGTH)} characters. Added to prompts as advice, word for word.`}
          error={errorAt('text')}
        >
          <Textarea
            rows={4}
            data-autofocus
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
          />
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
              onChange={(event) => change({ fields: { ...draft.fields, [name]: event.target.value } })}
            />
          </Field>
        ))
      )}
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="Agents" error={draft.agents === 'all' ? errorAt('scope.agent') : null}>
          <Select
            value={draft.agents}
            onChange={({ target }) => change({ agents: target.value === 'one' ? 'one' : 'all' })}
          >
            <option value="all">All agents</option>
            <option value="one">One agent</option>
          </Select>
        </Field>
        {draft.agents === 'all' ? null : (
          <Field label="Agent" error={errorAt('scope.agent')}>
            <Input value={draft.agent} onChange={(event) => change({ agent: event.target.value })} />
          </Field>
        )}
        <Field
          label="Task type"
          help="Choose one or enter a name, such as web scraping. Empty: any"
          error={errorAt('scope.taskType')}
        >
          <TaskTypeInput value={draft.taskType} onChange={(taskType) => change({ taskType })} />
        </Field>
        <Field label="Tools" help="Comma-separated names. Empty: any" error={errorAt('scope.tools')}>
          <Input value={draft.tools} onChange={(event) => change({ tools: event.target.value })} />
        </Field>
        {isNew ? (
          <Field
            label="Block"
            help="Experiments can recall a whole block. Default: reflexion_lessons"
            error={errorAt('block')}
          >
            <Input value={draft.block} onChange={(event) => change({ block: event.target.value })} />
          </Field>
        ) : null}
      </div>
    </>
  );
}

/** Whether the form of a kind has the field at fault: else what is wrong must be said elsewhere. */
export function isShownAtField(kind: LessonKind, { field }: Problem): boolean {
  const own = LESSON_FIELDS[kind];
  const shown = own.length === 0 ? ['text'] : ['fields', ...own.map(({ name }) => `fields.${name}`)];
  return field !== null && [...shown, 'kind', 'block', 'scope.agent', 'scope.taskType', 'scope.tools'].includes(field);
}

/** Goes to the first field that is wrong, a frame later, when it is marked. */
export function focusWrongField(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus());
}
