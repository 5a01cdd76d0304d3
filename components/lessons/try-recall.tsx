'use client';

import { parseAsString, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { problemAt } from '#components/access/to-action-failure.ts';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { fail, type Problem, type Result } from '#lib/core/problem.ts';
import { formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { TriedRecall } from '#lib/lessons/schema.ts';
import { kindLabel } from './lesson-labels.ts';
import { recallInput } from './recall-input.ts';
import { TaskTypeInput } from './task-type-input.tsx';

type TryRecallProps = {
  /** Result for the input in the URL. Null if there is none. */
  initial: Result<TriedRecall> | null;
};

const MAX_INPUT_LENGTH_IN_URL = 1_500;
const FIELDS = ['input', 'scope.agent', 'scope.taskType', 'topK', 'tokenBudget'];

/** Previews the lessons a run would recall for an input, and the resulting part of the prompt. Makes no model calls. */
export function TryRecall({ initial }: TryRecallProps) {
  const [submitted, setSubmitted] = useQueryStates({
    input: parseAsString.withDefault(''),
    agent: parseAsString.withDefault(''),
    taskType: parseAsString.withDefault(''),
    topK: parseAsString.withDefault('3'),
  });
  const [input, setInput] = useState(submitted.input);
  const [agent, setAgent] = useState(submitted.agent);
  const [taskType, setTaskType] = useState(submitted.taskType);
  const [topK, setTopK] = useState(submitted.topK);
  const [answer, setAnswer] = useState(initial);
  const { isBusy, settle } = useSubmit('Hone did not respond. Check that it is running, then try again.', {
    refreshes: false,
  });
  const problem: Problem | null = answer?.ok === false ? answer.problem : null;
  const errorAt = (path: string) => problemAt(problem, path);

  function send() {
    if (input.trim() === '') return setAnswer(fail('invalid', 'enter the input of a case', 'input'));
    void setSubmitted({ input: input.length > MAX_INPUT_LENGTH_IN_URL ? '' : input, agent, taskType, topK });
    const body = recallInput({ input, agent, taskType, topK });
    settle(submitApi('POST /api/v1/lessons/recall', { body }), setAnswer);
  }

  return (
    <>
      <Pane asChild className="flex flex-col gap-4">
        <SubmitForm onSubmit={send}>
          <Field label="Input of a case" error={errorAt('input')} className="max-w-200">
            <Textarea rows={4} value={input} onValue={setInput} />
          </Field>
          <div className="grid max-w-200 grid-cols-1 narrow:grid-cols-3 gap-4">
            <Field label="Agent" help="Leave empty for all agents." error={errorAt('scope.agent')}>
              <Input value={agent} onValue={setAgent} />
            </Field>
            <Field
              label="Task type"
              help="Lessons of this task type come first. Leave empty for any."
              error={errorAt('scope.taskType')}
            >
              <TaskTypeInput value={taskType} onChange={setTaskType} />
            </Field>
            <Field label="Maximum lessons" help="1 to 20, default 3" error={errorAt('topK')}>
              <Input numeric value={topK} onValue={setTopK} />
            </Field>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" variant="primary" disabled={isBusy}>
              {isBusy ? 'Searching' : 'Try recall'}
            </Button>
            <span className="text-ink-2 text-sm">Makes no model calls and stores nothing.</span>
          </div>
          {problem !== null && (problem.field === null || !FIELDS.includes(problem.field)) ? (
            <Notice tone="worse" alert title={problem.message} />
          ) : null}
        </SubmitForm>
      </Pane>
      {answer?.ok ? (
        <RecalledAnswer answer={answer.value} />
      ) : answer === null ? (
        <PaneNote>
          Ranks promoted lessons by task type, tool, similarity and age.{' '}
          <TextLink href="/lessons?tab=promoted">View promoted lessons</TextLink>
        </PaneNote>
      ) : null}
    </>
  );
}

function RecalledAnswer({ answer: { lessons, tokens, promptPart } }: { answer: TriedRecall }) {
  if (lessons.length === 0)
    return (
      <Pane className="border-b-0" role="status" data-testid="recalled">
        <p className="font-semibold">No lesson matches</p>
        <p className="mt-0.5 text-ink-2">
          The prompt would not change. Only promoted lessons in the scope are considered.
        </p>
      </Pane>
    );
  return (
    <Columns className="border-b-0 medium:grid-cols-2" data-testid="recalled">
      <Pane className="border-b-0">
        <PaneHeader title="Recalled">
          <span className="text-ink-3 text-sm" role="status">
            {formatNumberOf(lessons.length, 'lesson')}, about {formatCount(tokens)} tokens
          </span>
        </PaneHeader>
        <ol className="flex flex-col gap-3">
          {lessons.map(({ id, kind, text, rank, score }) => (
            <li key={id} className="grid grid-cols-[1.5rem_minmax(0,1fr)_max-content] gap-x-2">
              <span className="text-ink-3">{rank}</span>
              <Link href={`/lessons/${id}`} className="wrap-anywhere whitespace-pre-wrap">
                {text}
              </Link>
              <span className="whitespace-nowrap text-right">
                <span className="sr-only">fits </span>
                <b className="font-medium">{formatScore(score)}</b>
              </span>
              <span className="col-start-2 font-mono text-ink-3 text-xs">{kindLabel(kind)}</span>
            </li>
          ))}
        </ol>
      </Pane>
      <Pane className="border-b-0">
        <PaneHeader title="In the prompt" note="word for word" />
        <CodeBlock>{promptPart}</CodeBlock>
      </Pane>
    </Columns>
  );
}
