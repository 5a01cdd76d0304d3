import { useState } from 'react';

/**
 * Edits a stored value that someone else may change while the form is open. An untouched field follows the change. A field that was edited
 * keeps its value and reports the conflict. `isHeld`: the field counts as edited, because another field was entered for its value.
 */
export function useStoredField<Value>(stored: Value, isHeld = false) {
  const [value, show] = useState(stored);
  const [isSaved, setSaved] = useState(false);
  const [seen, setSeen] = useState(stored);
  const [isOvertaken, setOvertaken] = useState(false);
  if (!isSame(stored, seen)) {
    setSeen(stored);
    setSaved(false);
    if (isSaved || (isSame(value, seen) && !isHeld)) show(stored);
    else setOvertaken(true);
  }
  const isChanged = !isSame(value, stored);
  const setValue = (next: Value) => {
    setSaved(false);
    show(next);
  };
  /** Called after the value was saved, which may be stored in another form. */
  const saved = () => {
    setOvertaken(false);
    setSaved(true);
  };
  return { value, setValue, saved, isChanged, isConflicting: isOvertaken && isChanged };
}

/** Returns the error of a field that someone else changed to `stored` while it was edited. */
export function overtakenError(stored: string): string {
  const now = stored === '' ? 'Someone cleared it' : `Someone changed it to ${stored}`;
  return `${now} while you were editing. Saving replaces it with yours.`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
