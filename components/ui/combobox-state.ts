/** State of a combobox. `filter`: text typed since its list was opened, or null to show all options. `active`: index of the marked one. */
export type ComboboxState = { isOpen: boolean; filter: string | null; active: number | null };

export const CLOSED: ComboboxState = { isOpen: false, filter: null, active: null };

/** Returns the options that contain the text, ignoring case. Returns all for null. */
export function matchingOptions(options: readonly string[], filter: string | null): readonly string[] {
  const text = filter?.trim().toLowerCase() ?? '';
  return text === '' ? options : options.filter((option) => option.toLowerCase().includes(text));
}

/** `isComposing`: the key belongs to an input method, for example to its list of characters. */
type Pressed = { key: string; altKey: boolean; isComposing: boolean };
/** `count`: number of shown options. `current`: index of the one that is the value, or -1. */
type Shown = { count: number; current: number };

/** State after a key, and the index of the chosen option. */
type AfterKey = { state: ComboboxState; chosen: number | null };

/** Returns the effect of a key as in the WAI-ARIA pattern of an editable combobox. Null if the key keeps its meaning for the text field. */
export function stateAfterKey(state: ComboboxState, pressed: Pressed, shown: Shown): AfterKey | null {
  if (pressed.isComposing) return null;
  return state.isOpen ? afterKeyInList(state, pressed, shown) : afterKeyInText(pressed, shown);
}

function afterKeyInText({ key, altKey }: Pressed, { count, current }: Shown): AfterKey | null {
  const open = (active: number | null) => ({ state: { ...CLOSED, isOpen: true, active }, chosen: null });
  if (key === 'ArrowDown') return open(altKey ? null : Math.max(current, 0));
  return key === 'ArrowUp' && !altKey ? open(current === -1 ? count - 1 : current) : null;
}

function afterKeyInList(state: ComboboxState, { key, altKey }: Pressed, { count, current }: Shown): AfterKey | null {
  // The list can become shorter while it is open.
  const active = state.active !== null && state.active < count ? state.active : null;
  const last = count - 1;
  const mark = (index: number) => ({ state: { ...state, active: index }, chosen: null });
  const close = (chosen: number | null) => ({ state: CLOSED, chosen });
  // Without a marked option, the arrows start at the value, and other keys move the cursor in the text.
  const start = (edge: number) => (current === -1 ? edge : current);
  if (key === 'Escape' || (key === 'ArrowUp' && altKey)) return close(null);
  if (count === 0) return null;
  if (key === 'ArrowDown') return mark(active === null ? start(0) : (active + 1) % count);
  if (key === 'ArrowUp') return mark(active === null ? start(last) : (active + last) % count);
  if (active === null) return null;
  if (key === 'Enter') return close(active);
  if (key === 'Home' || key === 'End') return mark(key === 'Home' ? 0 : last);
  return null;
}
