import { Combobox } from '#components/ui/combobox.tsx';
import { TASK_TYPES } from '#lib/core/lesson-schema.ts';

/** Input for a task type: a known one or any other name. */
export function TaskTypeInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return <Combobox value={value} options={TASK_TYPES} onChange={onChange} />;
}
