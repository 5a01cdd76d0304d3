import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { WithSignInLink } from '#components/team/with-sign-in-link.tsx';
import { formatSentence } from '#lib/format.ts';
import { classNames } from './class-names.ts';

type FieldIds = { control: string; label: string; help: string | undefined; error: string | undefined };
const FieldContext = createContext<FieldIds | null>(null);

type FieldProps = {
  label: ReactNode;
  help?: ReactNode;
  error?: string | null;
  className?: string;
  hideLabel?: boolean;
  children: ReactNode;
};

/** A label, one control, what it means, and what is wrong with it. The control inside finds its ids here. */
export function Field({ label, help, error, className, hideLabel = false, children }: FieldProps) {
  const id = useId();
  const ids = {
    control: id,
    label: `${id}-label`,
    help: help ? `${id}-help` : undefined,
    error: error ? `${id}-error` : undefined,
  };
  return (
    <FieldContext value={ids}>
      <div data-slot="field" className={classNames('field', className)}>
        <label id={ids.label} htmlFor={id} className={hideLabel ? 'vh' : undefined}>
          {label}
        </label>
        {children}
        {error ? (
          <span className="err" id={ids.error}>
            <TriangleAlert className="i s mt-0.5" aria-hidden />
            <span>
              <WithSignInLink>{formatSentence(error)}</WithSignInLink>
            </span>
          </span>
        ) : null}
        {help ? (
          <span className="help" id={ids.help}>
            {help}
          </span>
        ) : null}
      </div>
    </FieldContext>
  );
}

/** What a control of its own kind inside a `Field` is tied together with; null outside of one. */
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

/** A one-line entry; `numeric` makes it narrow and right-aligned. */
export function Input({ className, numeric = false, ...props }: ComponentProps<'input'> & { numeric?: boolean }) {
  return (
    <input
      data-slot="input"
      autoComplete="off"
      inputMode={numeric ? 'decimal' : undefined}
      className={classNames('input', numeric && 'n', className)}
      {...useControlProps()}
      {...props}
    />
  );
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      data-slot="textarea"
      dir="auto"
      className={classNames('input', className)}
      {...useControlProps()}
      {...props}
    />
  );
}

/** The browser's own list of choices: works by keyboard, on phones and without scripts. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select data-slot="select" className={classNames('input', className)} {...useControlProps()} {...props} />;
}
