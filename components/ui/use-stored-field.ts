import { useState } from 'react';

export type StoredField<Value> = ReturnType<typeof useStoredField<Value>>;

/**
 * Edits a stored value that someone else may change while the form is open. An untouched field follows the change. A field that was edited
 * keeps its value and reports the conflict. `isHeld`: the field counts as edited, because another field was entered for its value.
 */
export function useStoredField<Value>(stored: Value, isHeld = false) {
  const [value, setValue] = useState(stored);
  const [sent, setSent] = useState<{ value: Value } | null>(null);
  const [seen, setSeen] = useState(stored);
  const [isOvertaken, setOvertaken] = useState(false);
  if (!isSame(stored, seen)) {
    setSeen(stored);
    setSent(null);
    const isUntouched = !isHeld && isSame(value, sent === null ? seen : sent.value);
    if (isUntouched) setValue(stored);
    // After a save, the change is the saved value, and the field was edited again during the save.
    else if (isHeld || sent === null) setOvertaken(true);
  }
  const isChanged = !isSame(value, stored);
  /** Called after the value of this render was saved, which may be stored in another form. */
  const saved = () => {
    setOvertaken(false);
    if (isChanged) setSent({ value });
  };
  return { stored, value, setValue, saved, isChanged, isConflicting: isOvertaken && isChanged };
}

/** Returns a function for all fields of a form, called after their values of this render were saved. */
export function savedAll(fields: Readonly<Record<string, { saved: () => void }>>) {
  return () => {
    for (const { saved } of Object.values(fields)) saved();
  };
}

/**
 * Returns the error of a field: `refusal` of its value, or that someone else changed it while it was edited. The latter also replaces a
 * refusal for that reason. `problem`: why the form was not saved. `stored`: the stored value as the field shows it.
 */
export function storedFieldError(
  field: Pick<StoredField<unknown>, 'isConflicting' | 'stored'>,
  refusal: string | null,
  problem: { code: string } | null,
  stored = String(field.stored),
): string | null {
  return field.isConflicting && (refusal === null || problem?.code === 'conflict') ? overtakenError(stored) : refusal;
}

function overtakenError(stored: string): string {
  const now = stored === '' ? 'Someone cleared it' : `Someone changed it to ${stored}`;
  return `${now} while you were editing. Saving replaces it with yours.`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
