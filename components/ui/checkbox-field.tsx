import { type ComponentProps, type ReactNode, useId } from 'react';

type CheckboxFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; help?: ReactNode };

/** A box to tick with its label at the right and what it means below. */
export function CheckboxField({ label, help, ...props }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div data-slot="checkbox-field" className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-2 gap-y-0.5">
      <input
        id={id}
        type="checkbox"
        className="mt-[.2rem] size-[.875rem] accent-brand"
        aria-describedby={help ? `${id}-help` : undefined}
        {...props}
      />
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {help ? (
        <span id={`${id}-help`} className="col-start-2 text-ink-3 text-sm">
          {help}
        </span>
      ) : null}
    </div>
  );
}
