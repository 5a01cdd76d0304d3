import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { LessonDetail } from '#lib/reflection/lesson-library.ts';
import { type LessonOpinions, lessonOpinionsSchema, type Opinion } from '#lib/reflection/team-work.ts';
import { askApi } from './ask-api.ts';

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
      const path = `/lessons/${encodeURIComponent(id)}/opinions`;
      const result = await askApi(path, lessonOpinionsSchema, { body: { verdict, reason, editCount } });
      setError(result.ok ? null : result.problem.message);
      if (result.ok) onGiven(result.value);
    });
  }
  return (
    <fieldset className="stack gap-2">
      <legend className="sm mb-2">
        <b className="md5">Would you promote it?</b>{' '}
        <span className="muted">What others said is shown once you have; your first word stands.</span>
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
      <div className="row wrap">
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
