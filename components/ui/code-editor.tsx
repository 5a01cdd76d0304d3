'use client';

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { inputVariants, Textarea, useFieldIds } from './field.tsx';
import { useFirstTouch } from './hydration.ts';
import type { CodeLanguage, LineNote, MountedEditor, TypingState } from './mount-code-editor.ts';

type CodeEditorProps = {
  value: string;
  language: CodeLanguage;
  /** Placeholder of an empty editor. */
  example?: string;
  onChange: (text: string) => void;
  /** Notes shown below lines. `onNote` receives the key of a note whose button was pressed. */
  notes?: readonly LineNote[];
  onNote?: (key: string) => void;
};

const NO_NOTES: readonly LineNote[] = [];

/**
 * Code editor for a `Field`, with highlighting, line numbers and underlined syntax errors. Tab indents; Escape then Tab leaves. The editor
 * loads on the first interaction with the page. Until then, or if loading fails, a plain textarea of the same size is shown.
 */
export function CodeEditor({ value, language, example = '', onChange, notes = NO_NOTES, onNote }: CodeEditorProps) {
  const ids = useFieldIds();
  const noteId = useId();
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor | null>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const typingState = useRef<TypingState | null>(null);
  const [isMounted, setMounted] = useState(false);
  const [isEntered, setEntered] = useState(false);
  const [isComposing, setComposing] = useState(false);
  const isWanted = useFirstTouch() || isEntered;
  const [fault, setFault] = useState<{ line: number; message: string } | null>(null);
  const latest = useRef({ value, onChange, onNote });
  latest.current = { value, onChange, onNote };

  const lineCount = value.split('\n').length;
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
    // Waits, because an input method loses its composition when its textarea is removed.
    if (parent === null || !isWanted || isComposing) return;
    let isUnmounted = false;
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
        if (isUnmounted) return mounted.destroy();
        editor.current = mounted;
        mounted.setText(latest.current.value);
        typingState.current = readTypingState(plain.current);
        setMounted(true);
      })
      // If loading fails, the plain textarea remains usable.
      .catch(() => undefined);
    return () => {
      isUnmounted = true;
      editor.current?.destroy();
      editor.current = null;
      setMounted(false);
    };
  }, [language, example, isWanted, isComposing]);

  // The textarea may have received focus before hydration.
  useEffect(() => {
    if (plain.current !== null && plain.current === document.activeElement) setEntered(true);
  }, []);

  // Restores the focus before the next key press, because the focused textarea was removed.
  useLayoutEffect(() => {
    if (isMounted && typingState.current !== null) editor.current?.resume(typingState.current);
  }, [isMounted]);

  useEffect(() => {
    if (isMounted) editor.current?.setText(value);
  }, [value, isMounted]);

  useEffect(() => {
    if (isMounted) editor.current?.setNotes(notes);
  }, [notes, isMounted]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the attributes
  useEffect(() => {
    if (isMounted) editor.current?.setAttributes(attributesNow.current);
  }, [attributesKey, isMounted]);

  // Clicking a label focuses only native form controls.
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
          ref={plain}
          className={classNames(PLAIN, STRIPS[Math.min(String(lineCount).length, STRIPS.length) - 1])}
          rows={lineCount}
          spellCheck={false}
          placeholder={example}
          value={value}
          onValue={onChange}
          onFocus={() => setEntered(true)}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
          {...attributes}
        />
      )}
      <p id={noteId} className="mt-1 text-ink-3 text-sm">
        {fault ? (
          <span className="text-wait">
            Line {fault.line}: {fault.message}.{' '}
          </span>
        ) : null}
        <span className={isMounted ? 'pointer-coarse:sr-only' : 'invisible pointer-coarse:sr-only'}>
          Tab indents. Press <kbd>Esc</kbd>, then <kbd>Tab</kbd> to leave.
        </span>
      </p>
    </div>
  );
}

/** Matches the size and text position of the editor. */
const PLAIN = [
  'block field-sizing-content min-h-[calc(7.5rem+2px)] max-h-(--editor-height,26rem) resize-none wrap-anywhere whitespace-break-spaces',
  'py-[0.4rem] pr-0.5 font-mono text-code leading-normal',
].join(' ');

/** Line number gutter, by number of digits. */
const STRIPS = [
  'pl-[27px] bg-[linear-gradient(90deg,var(--sunken)_20px,var(--line)_20px_21px,transparent_21px)]',
  'pl-[calc(2ch+15px)] bg-[linear-gradient(90deg,var(--sunken)_calc(2ch+8px),var(--line)_calc(2ch+8px)_calc(2ch+9px),transparent_0)]',
  'pl-[calc(3ch+15px)] bg-[linear-gradient(90deg,var(--sunken)_calc(3ch+8px),var(--line)_calc(3ch+8px)_calc(3ch+9px),transparent_0)]',
];

/** Returns the selection and scroll position of the plain textarea. Null if it is not focused. */
function readTypingState(entry: HTMLTextAreaElement | null): TypingState | null {
  if (entry === null || document.activeElement !== entry) return null;
  const { selectionStart, selectionEnd, selectionDirection, scrollTop } = entry;
  const [anchor, head] =
    selectionDirection === 'backward' ? [selectionEnd, selectionStart] : [selectionStart, selectionEnd];
  return { anchor, head, scrollTop };
}
