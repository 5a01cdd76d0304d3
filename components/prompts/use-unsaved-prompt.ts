import { useEffect, useRef, useState } from 'react';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { NO_OPTIONS } from '#lib/prompts/prompt.ts';
import { type EditedPrompt, toEdited } from './use-prompt-draft.ts';

const UNSAVED_PROMPT_KEY = 'hone:new-prompt';

/** Manages a prompt that has no name yet. The browser tab keeps it until it is saved. */
export function useUnsavedPrompt() {
  const [edited, setEdited] = useState(() => toEdited({ text: '', ...NO_OPTIONS }));
  // An edit may follow another one before the next render.
  const latest = useRef(edited);

  useEffect(() => {
    const stored = readStoredPrompt(sessionStorage.getItem(UNSAVED_PROMPT_KEY));
    if (stored === null || latest.current.text !== '') return;
    latest.current = stored;
    setEdited(stored);
  }, []);
  function edit(changes: Partial<EditedPrompt>) {
    const next = { ...latest.current, ...changes };
    latest.current = next;
    setEdited(next);
    if (next.text === '') sessionStorage.removeItem(UNSAVED_PROMPT_KEY);
    else sessionStorage.setItem(UNSAVED_PROMPT_KEY, JSON.stringify(next));
  }
  return { edited, edit, discard: () => sessionStorage.removeItem(UNSAVED_PROMPT_KEY) };
}

/**
 * Parses the prompt from browser storage, whose JSON texts may be incomplete. Null if missing or invalid. Needs no validator library, so
 * that a page reads the prompt before it is edited.
 */
export function readStoredPrompt(stored: string | null): EditedPrompt | null {
  const value = parseJson(stored ?? '');
  return isEditedPrompt(value) ? value : null;
}

function isEditedPrompt(value: unknown): value is EditedPrompt {
  const options = fieldOf(value, 'options');
  const tools = fieldOf(options, 'tools');
  return (
    hasTexts(value, ['text']) &&
    hasTexts(fieldOf(options, 'responseSchema'), ['name', 'schema']) &&
    Array.isArray(tools) &&
    tools.every(
      (tool) => hasTexts(tool, ['name', 'description', 'parameters']) && typeof fieldOf(tool, 'key') === 'number',
    )
  );
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof fieldOf(value, name) === 'string');
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
