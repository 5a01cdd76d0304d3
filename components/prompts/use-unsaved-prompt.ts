import { useEffect, useRef, useState } from 'react';
import { NO_OPTIONS } from '#lib/prompts/prompt-body.ts';
import { readStoredPrompt } from './stored-prompt.ts';
import { type EditedPrompt, toEdited } from './use-prompt-draft.ts';

/** Storage key of the unsaved prompt. */
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
  return { edited, edit, forget: () => sessionStorage.removeItem(UNSAVED_PROMPT_KEY) };
}
