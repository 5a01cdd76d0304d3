import { useState, useTransition } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { LessonOpinions, Opinion } from '#lib/assignments/schema.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';

type OpinionFormProps = {
  lesson: Pick<LessonDetail, 'id' | 'editCount'>;
  onGiven: (opinions: LessonOpinions) => void;
};

/** Asks what one would do with a lesson, before what others said is shown. */
export function OpinionForm({ lesson: { id, editCount }, onGiven }: OpinionFormProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, startSending] = useTransition();
  function give(verdict: Opinion) {
    startSending(async () => {
      const body = { verdict, reason, editCount };
      const result = await callApi('POST /api/v1/lessons/{id}/opinions', { params: { id }, body });
      setError(result.ok ? null : result.problem.message);
      if (result.ok) onGiven(result.value);
    });
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm">
        <b className="font-medium">Would you promote it?</b>{' '}
        <span className="text-ink-2">What others said is shown once you have; your first word stands.</span>
      </legend>
      <Field label="Why, if you like" hideLabel error={error}>
        <Input
          placeholder="Why, if you like"
          maxLength={2_000}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" disabled={isSending} onClick={() => give('promote')}>
          I would promote it
        </Button>
        <Button size="small" disabled={isSending} onClick={() => give('reject')}>
          I would not
        </Button>
      </div>
    </fieldset>
  );
}
