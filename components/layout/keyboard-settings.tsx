'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { type ChangedKeys, keyLabel, keysOf, type ShortcutId } from '#components/ui/shortcut-keys.ts';
import { keyProblem, SHORTCUT_GROUPS } from '#components/ui/shortcuts.ts';
import { useChangedKeys, useSingleKeys } from '#components/ui/use-shortcuts.tsx';

/** Switch for single-key shortcuts and, while they are on, fields to change each key. Stored in this browser. */
export function KeyboardSettings() {
  const { isOn } = useSingleKeys();
  const { changed, keep } = useChangedKeys();
  const [round, setRound] = useState(0);
  return (
    <div className="flex flex-col gap-3">
      <SingleKeysSwitch />
      {isOn ? (
        <details>
          <summary className="cursor-pointer font-medium">Change shortcuts</summary>
          <div className="mt-3 flex flex-col gap-4">
            <p className="text-ink-2 text-sm">
              Type the new key into its field. Clear a field to have no key for it.{' '}
              <Button
                size="small"
                disabled={Object.keys(changed).length === 0}
                onClick={() => {
                  keep({});
                  setRound(round + 1);
                }}
              >
                Reset all keys
              </Button>
            </p>
            <div key={round} className="gap-x-8 md:columns-2">
              {SHORTCUT_GROUPS.map(({ name, shortcuts }) => (
                <section key={name} className="mb-4 break-inside-avoid" aria-label={name}>
                  <h3 className="mb-1.5">{name}</h3>
                  <div className="flex flex-col gap-1.5">
                    {shortcuts.map((shortcut) =>
                      'id' in shortcut ? (
                        <KeyField
                          key={shortcut.id}
                          id={shortcut.id}
                          does={shortcut.does}
                          changed={changed}
                          keep={keep}
                        />
                      ) : null,
                    )}
                  </div>
                </section>
              ))}
            </div>
          </div>
        </details>
      ) : null}
    </div>
  );
}

/** Enables or disables single-key shortcuts in this browser. */
export function SingleKeysSwitch() {
  const { isOn, switchTo } = useSingleKeys();
  return (
    <CheckboxField
      label="Single-key shortcuts"
      help="Shortcuts with Ctrl or ⌘ always work. Saved in this browser."
      checked={isOn}
      onChange={({ target }) => switchTo(target.checked)}
    />
  );
}

type KeyFieldProps = { id: ShortcutId; does: string; changed: ChangedKeys; keep: (changed: ChangedKeys) => void };

/** Edits the key of one shortcut. An invalid key stays in the field with the reason, and the previous key keeps working. */
function KeyField({ id, does, changed, keep }: KeyFieldProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const { [id]: _, ...others } = changed;
  const shown = keyLabel(refused ?? keysOf(id, changed)[0] ?? '');
  function change(typed: string) {
    // The field contains one key. A typed key replaces it.
    const key = typed === '' ? '' : [...typed.toLowerCase()].find((letter) => letter !== shown);
    if (key === undefined) return;
    const isRefused = keyProblem(id, key, changed) !== null;
    setRefused(isRefused ? key : null);
    if (!isRefused) keep({ ...others, [id]: key });
  }
  function reset() {
    const conflicting = keysOf(id, others).find((key) => keyProblem(id, key, others) !== null);
    setRefused(refused === null ? (conflicting ?? null) : null);
    if (refused === null && conflicting === undefined) keep(others);
  }
  return (
    <Field
      label={does}
      error={refused === null ? null : keyProblem(id, refused, changed)}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 *:data-[slot=field-error]:col-span-2"
    >
      <span className="flex items-center gap-2">
        {refused !== null || id in changed ? (
          <Button variant="ghost" size="small" aria-label={`Reset the key of “${does}”`} onClick={reset}>
            Reset
          </Button>
        ) : null}
        <Input
          className="w-12 text-center font-mono"
          autoCapitalize="off"
          spellCheck={false}
          value={shown}
          onValue={change}
        />
      </span>
    </Field>
  );
}
