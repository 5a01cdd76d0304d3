'use client';

import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';
import { formatSentence } from '#lib/format.ts';
import { WithSignInLink } from './with-sign-in-link.tsx';

/** Error of a form field, identified by its path in the request. Null `field` if the error belongs to no single field. */
type FieldProblem = { field: string | null; message: string };

type RegisteredField = { label: string; control: string };
type Errors = { problems: readonly FieldProblem[]; fields: Map<string, RegisteredField> };

const ErrorsContext = createContext<Errors>({ problems: [], fields: new Map() });

/** Provides errors to the fields inside. Each `Field` finds its error by `path`. */
export function FormErrors({ problems, children }: { problems: readonly FieldProblem[]; children: ReactNode }) {
  const [fields] = useState(() => new Map<string, RegisteredField>());
  return <ErrorsContext value={{ problems, fields }}>{children}</ErrorsContext>;
}

/** Returns the error at a path of the request, as the end of a sentence or a complete one. Null if there is none. */
type ErrorAt = (path: string) => string | null;

export function useErrorAt(): ErrorAt {
  const { problems } = useContext(ErrorsContext);
  return (path) => errorAt(problems, path);
}

/**
 * Returns the error for the value of a control and registers the control with the form's summary. `paths`: paths of the value in the
 * request, most likely first. `control`: id of the element to link to.
 */
export function useFieldError(paths: string | readonly string[] | undefined, label: ReactNode, control: string) {
  const { problems, fields } = useContext(ErrorsContext);
  const text = typeof label === 'string' ? label : '';
  const all = (typeof paths === 'string' ? [paths] : (paths ?? [])).join(' ');
  useEffect(() => {
    const known = all === '' ? [] : all.split(' ');
    for (const path of known) fields.set(path, { label: text, control });
    return () => {
      for (const path of known) if (fields.get(path)?.control === control) fields.delete(path);
    };
  }, [all, text, control, fields]);
  if (all === '') return null;
  for (const path of all.split(' ')) {
    const problem = problems.find(({ field }) => field === path || findFieldPath(field, fields) === path);
    if (problem !== undefined) return withoutPath(problem);
  }
  return null;
}

/** Lists all errors with links to their fields, if visible. Renders nothing for fewer than two errors. */
export function ErrorSummary({ title }: { title: string }) {
  const { problems, fields } = useContext(ErrorsContext);
  const id = useId();
  if (problems.length < 2) return null;
  return (
    <section aria-labelledby={id} className="rounded-2 border border-worse/30 bg-worse-bg px-3 py-2 text-sm">
      <h2 id={id} className="font-medium text-md">
        {title}
      </h2>
      <ul className="mt-1 list-disc pl-5">
        {problems.map((problem) => {
          const field = fields.get(findFieldPath(problem.field, fields) ?? '');
          return (
            <li key={`${problem.field} ${problem.message}`} className="wrap-anywhere">
              {field === undefined ? (
                problem.message
              ) : (
                <a
                  className="link"
                  href={`#${field.control}`}
                  onClick={(event) => {
                    event.preventDefault();
                    const control = document.getElementById(field.control);
                    if (control) focusOn(control);
                  }}
                >
                  {errorSentence(field.label, withoutPath(problem))}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Shows the only error, or the number of errors, in one line. */
export function ErrorLine({ several }: { several: (count: number) => string }) {
  const { problems, fields } = useContext(ErrorsContext);
  const [first] = problems;
  if (first === undefined) return null;
  if (problems.length > 1) return several(problems.length);
  const field = fields.get(findFieldPath(first.field, fields) ?? '');
  return (
    <WithSignInLink>
      {field === undefined ? formatSentence(first.message) : errorSentence(field.label, withoutPath(first))}
    </WithSignInLink>
  );
}

/** Opens all folds around the control, then focuses the control or the first invalid element inside. */
export function focusOn(control: HTMLElement): void {
  for (let fold = control.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  const wrong = control.matches('fieldset')
    ? control.querySelector<HTMLElement>('[aria-invalid="true"], button')
    : null;
  (wrong ?? control).focus();
}

export function errorAt(problems: readonly FieldProblem[], path: string): string | null {
  const found = problems.find(({ field }) => field === path);
  return found === undefined ? null : withoutPath(found);
}

/** Returns the deepest known path that equals or contains the field. Null if there is none. */
export function findFieldPath(field: string | null, fields: { has: (path: string) => boolean }): string | null {
  for (
    let path = field;
    path !== null && path !== '';
    path = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : null
  )
    if (fields.has(path)) return path;
  return null;
}

/**
 * Returns the error message without the path, as the end of a sentence about the field or as a complete sentence. A field without a value
 * is empty, which is null in the request.
 */
export function withoutPath({ field, message }: FieldProblem): string {
  const rest = field !== null && message.startsWith(field) ? message.slice(field.length) : '';
  const end = /^:? /.test(rest) ? rest.replace(/^:? /, '') : message;
  return end.replace(/\b(or|be) null\b/g, '$1 empty').replace(/, got (?:nothing|null|"")$/, ', and the field is empty');
}

/** Returns the full message. If it is only the end of a sentence, the label of its field is prepended. */
export function errorSentence(label: ReactNode, message: string): string {
  return typeof label === 'string' &&
    label !== '' &&
    /^(must|does|do|is|are|has|have|can|cannot|goes|needs) /.test(message)
    ? `${label} ${message}`
    : formatSentence(message);
}
