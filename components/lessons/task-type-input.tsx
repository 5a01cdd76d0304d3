import { useId } from 'react';
import { Input } from '#components/ui/field.tsx';
import { TASK_TYPES } from '#lib/core/lesson-schema.ts';

/** Input for a task type: a known one or any other name. */
export function TaskTypeInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const listId = useId();
  return (
    <>
      <Input value={value} list={listId} onChange={(event) => onChange(event.target.value)} />
      <datalist id={listId}>
        {TASK_TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </>
  );
}
