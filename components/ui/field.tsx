'use client';

import { cva, type VariantProps } from 'class-variance-authority';
import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { classNames } from './class-names.ts';
import { errorSentence, useFieldError } from './form-errors.tsx';
import { WithSignInLink } from './with-sign-in-link.tsx';

type FieldIds = { control: string; label: string; help: string | undefined; error: string | undefined };
const FieldContext = createContext<FieldIds | null>(null);

type FieldProps = {
  label: ReactNode;
  help?: ReactNode;
  error?: string | null;
  /** Paths of the value in the request, most likely first. Shows the error that the surrounding `FormErrors` has for them. */
  path?: string | readonly string[] | undefined;
  className?: string;
  hideLabel?: boolean;
  children: ReactNode;
};

/** Form field: a label, one control, help text and an error. The control reads its ids from the context. */
export function Field({ label, help, error: supplied, path, className, hideLabel = false, children }: FieldProps) {
  const id = useId();
  const found = useFieldError(path, label, id);
  const error = supplied ?? found;
  const ids = {
    control: id,
    label: `${id}-label`,
    help: help ? `${id}-help` : undefined,
    error: error ? `${id}-error` : undefined,
  };
  return (
    <FieldContext value={ids}>
      <div data-slot="field" className={classNames('flex min-w-0 flex-col gap-1', className)}>
        <label id={ids.label} htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium text-ink text-sm'}>
          {label}
        </label>
        {children}
        {error ? (
          <span data-slot="field-error" className="flex items-start gap-[0.3rem] text-sm text-worse" id={ids.error}>
            <TriangleAlert className="mt-0.5" />
            <span>
              <WithSignInLink>{errorSentence(label, error)}</WithSignInLink>
            </span>
          </span>
        ) : null}
        {help ? (
          <span className="text-ink-3 text-sm" id={ids.help}>
            {help}
          </span>
        ) : null}
      </div>
    </FieldContext>
  );
}

/** Returns the ids that connect a custom control with its `Field`. Null outside a `Field`. */
export function useFieldIds(): FieldIds | null {
  return useContext(FieldContext);
}

function useControlProps() {
  const ids = useContext(FieldContext);
  if (!ids) return {};
  const describedBy = [ids.error, ids.help].filter(Boolean).join(' ');
  return {
    id: ids.control,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': ids.error ? (true as const) : undefined,
  };
}

/**
 * Shows a changed default value, such as one from the URL, in a control that stays and keeps its focus. What the user has typed since the
 * last change is kept while the control has the focus.
 */
function useDefaultValue<Control extends HTMLInputElement | HTMLSelectElement>(value: unknown) {
  const control = useRef<Control>(null);
  const shown = useRef(value);
  useEffect(() => {
    const field = control.current;
    const before = shown.current;
    shown.current = value;
    if (field === null || before === value || (document.activeElement === field && field.value !== before)) return;
    field.value = String(value ?? '');
  }, [value]);
  return control;
}

export const inputVariants = cva(
  [
    'rounded-2 border border-line-input bg-surface px-2 glyphs-plain text-md/[1.4] text-ink placeholder:text-ink-3',
    'aria-invalid:border-worse aria-invalid:shadow-[inset_0_0_0_1px_var(--worse)]',
    'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-2',
  ],
  {
    variants: { size: { default: 'min-h-7.5 w-full py-1.25', small: 'min-h-6.5 w-auto py-0.5' } },
    defaultVariants: { size: 'default' },
  },
);

type Size = Pick<VariantProps<typeof inputVariants>, 'size'>;

/** Fields in two columns, or in one on phones. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">{children}</div>;
}

type OnValue = {
  /** Called with the entered text or the chosen option. */
  onValue?: (value: string) => void;
};

/** Returns the props of a control, with the ids of its `Field` and an event handler for `onValue`. */
function useControl<Props extends object>({ onValue, ...props }: Props & OnValue) {
  return {
    ...useControlProps(),
    ...(onValue && { onChange: (event: { target: { value: string } }) => onValue(event.target.value) }),
    ...props,
  };
}

/** Single-line input. `numeric` makes it narrow and right-aligned. */
export function Input({
  className,
  numeric = false,
  size,
  ...props
}: Omit<ComponentProps<'input'>, 'size'> & Size & OnValue & { numeric?: boolean }) {
  const control = useDefaultValue<HTMLInputElement>(props.defaultValue);
  return (
    <input
      ref={control}
      data-slot="input"
      // Browsers may suggest earlier searches.
      autoComplete={props.type === 'search' ? undefined : 'off'}
      inputMode={numeric ? 'decimal' : undefined}
      className={classNames(inputVariants({ size }), numeric && 'w-22 text-right', className)}
      {...useControl(props)}
    />
  );
}

type TextareaProps = ComponentProps<'textarea'> &
  OnValue & {
    /** True for code, templates and data. */
    isCode?: boolean;
  };

export function Textarea({ className, isCode = false, ...props }: TextareaProps) {
  return (
    <textarea
      data-slot="textarea"
      dir="auto"
      spellCheck={isCode ? false : undefined}
      className={classNames(inputVariants(), isCode && 'font-mono text-code', className)}
      {...useControl(props)}
    />
  );
}

/** Native select: works with the keyboard, on phones and without scripts. */
export function Select({ className, size, ...props }: Omit<ComponentProps<'select'>, 'size'> & Size & OnValue) {
  const control = useDefaultValue<HTMLSelectElement>(props.defaultValue);
  return (
    <select
      ref={control}
      data-slot="select"
      className={classNames(inputVariants({ size }), 'select-arrow appearance-none pr-6', className)}
      {...useControl(props)}
    />
  );
}

/** Input for a local file. */
export function FileInput({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      data-slot="file-input"
      type="file"
      className={classNames(
        'max-w-full text-sm file:mr-2.5 file:h-6 file:cursor-pointer file:rounded-2 file:border file:border-line-strong',
        'file:bg-surface file:px-1.75 file:font-medium file:glyphs-plain file:text-ink file:leading-none hover:file:bg-hover',
        className,
      )}
      {...useControlProps()}
      {...props}
    />
  );
}
