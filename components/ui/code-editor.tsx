'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { inputVariants, Textarea, useFieldIds } from './field.tsx';
import type { LineNote } from './line-notes.ts';
import type { CodeLanguage, MountedEditor } from './mount-code-editor.ts';

type CodeEditorProps = {
  value: string;
  language: CodeLanguage;
  /** Stands greyed in an empty editor. */
  example?: string;
  onChange: (text: string) => void;
  /** Said under lines; a note's button is answered by its key. */
  notes?: readonly LineNote[];
  onNote?: (key: string) => void;
};

const NO_NOTES: readonly LineNote[] = [];

/**
 * Code to be edited, as the control of a `Field`: coloured, with its lines numbered and what can't be read underlined. Tab
 * indents; Escape and then Tab leaves. Until the editor is loaded, and where it can't be, a plain entry stands in its place.
 */
export function CodeEditor({ value, language, example = '', onChange, notes = NO_NOTES, onNote }: CodeEditorProps) {
  const ids = useFieldIds();
  const noteId = useId();
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor | null>(null);
  const wasTypedIn = useRef(false);
  const [isMounted, setMounted] = useState(false);
  const [fault, setFault] = useState<{ line: number; message: string } | null>(null);
  const latest = useRef({ value, onChange, onNote });
  latest.current = { value, onChange, onNote };

  const describedBy = [ids?.error, ids?.help, noteId].filter(Boolean).join(' ');
  const attributes: Record<string, string> = {
    ...(ids ? { id: ids.control, 'aria-labelledby': ids.label } : {}),
    ...(ids?.error ? { 'aria-invalid': 'true' } : {}),
    'aria-describedby': describedBy,
  };
  const attributesNow = useRef(attributes);
  attributesNow.current = attributes;
  const attributesKey = JSON.stringify(attributes);

  useEffect(() => {
    const parent = holder.current;
    if (parent === null) return;
    let isGone = false;
    import('./mount-code-editor.ts')
      .then(({ mountCodeEditor }) =>
        mountCodeEditor({
          parent,
          text: latest.current.value,
          language,
          example,
          attributes: attributesNow.current,
          onText: (text) => latest.current.onChange(text),
          onNote: (key) => latest.current.onNote?.(key),
          onSyntax: setFault,
        }),
      )
      .then((mounted) => {
        if (isGone) return mounted.destroy();
        editor.current = mounted;
        mounted.setText(latest.current.value);
        wasTypedIn.current = parent.parentElement?.contains(document.activeElement) ?? false;
        setMounted(true);
      })
      // Without its code the plain entry stays, and works.
      .catch(() => undefined);
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = null;
      setMounted(false);
    };
  }, [language, example]);

  useEffect(() => {
    if (isMounted && wasTypedIn.current) editor.current?.focus();
  }, [isMounted]);

  useEffect(() => {
    if (isMounted) editor.current?.setText(value);
  }, [value, isMounted]);

  useEffect(() => {
    if (isMounted) editor.current?.setNotes(notes);
  }, [notes, isMounted]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when the attributes differ
  useEffect(() => {
    if (isMounted) editor.current?.setAttributes(attributesNow.current);
  }, [attributesKey, isMounted]);

  // A label takes the focus to a control of the browser's own only.
  useEffect(() => {
    const label = isMounted && ids ? document.getElementById(ids.label) : null;
    const focus = () => editor.current?.focus();
    label?.addEventListener('click', focus);
    return () => label?.removeEventListener('click', focus);
  }, [isMounted, ids]);

  return (
    <div data-slot="code-editor">
      <div
        ref={holder}
        className={classNames(
          inputVariants(),
          'overflow-hidden p-0 focus-within:outline-2 focus-within:outline-brand focus-within:outline-offset-1',
          ids?.error && 'border-worse shadow-[inset_0_0_0_1px_var(--worse)]',
        )}
        hidden={!isMounted}
        data-loaded={isMounted}
      />
      {isMounted ? null : (
        <Textarea
          className="font-mono text-code"
          rows={6}
          spellCheck={false}
          placeholder={example}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...attributes}
        />
      )}
      <p id={noteId} className="mt-1 text-ink-3 text-sm">
        {fault ? (
          <span className="text-wait">
            Line {fault.line}: {fault.message}.{' '}
          </span>
        ) : null}
        <span className={isMounted ? 'pointer-coarse:sr-only' : 'sr-only'}>
          Tab indents. Press <kbd>Esc</kbd>, then <kbd>Tab</kbd> to leave.
        </span>
      </p>
    </div>
  );
}
