'use client';

import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { errorSentence, useFieldError } from './form-errors.tsx';

type CheckboxFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; help?: ReactNode; path?: string };

/** Checkbox with its label on the right and help text below. `path`: same as for `Field`. */
export function CheckboxField({ label, help, path, ...props }: CheckboxFieldProps) {
  const id = useId();
  const error = useFieldError(path, label, id);
  const describedBy = [error === null ? '' : `${id}-error`, help ? `${id}-help` : ''].filter(Boolean).join(' ');
  return (
    <div data-slot="checkbox-field" className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-2 gap-y-0.5">
      <input
        id={id}
        type="checkbox"
        className="mt-[.2rem] size-[.875rem] accent-brand"
        aria-describedby={describedBy || undefined}
        aria-invalid={error === null ? undefined : true}
        {...props}
      />
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {error === null ? null : (
        <span id={`${id}-error`} data-slot="field-error" className="col-start-2 text-sm text-worse">
          <TriangleAlert /> {errorSentence(label, error)}
        </span>
      )}
      {help ? (
        <span id={`${id}-help`} className="col-start-2 text-ink-3 text-sm">
          {help}
        </span>
      ) : null}
    </div>
  );
}
