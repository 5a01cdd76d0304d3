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

/**
 * Returns the state after a key as in the WAI-ARIA pattern of an editable combobox, and the index of the chosen option. Null if the key
 * keeps its meaning for the text field.
 */
export function stateAfterKey(
  state: ComboboxState,
  { key, altKey, isComposing }: Pressed,
  { count, current }: Shown,
): { state: ComboboxState; chosen: number | null } | null {
  if (isComposing) return null;
  const { isOpen } = state;
  // The list can become shorter while it is open.
  const active = state.active !== null && state.active < count ? state.active : null;
  const last = count - 1;
  const mark = (index: number) => ({ state: { ...state, active: index }, chosen: null });
  const start = (edge: number) => (current === -1 ? edge : current);
  switch (key) {
    case 'ArrowDown':
      if (!isOpen) return { state: { ...CLOSED, isOpen: true, active: altKey ? null : start(0) }, chosen: null };
      if (count === 0) return null;
      return mark(active === null ? start(0) : active === last ? 0 : active + 1);
    case 'ArrowUp':
      if (!isOpen) return altKey ? null : { state: { ...CLOSED, isOpen: true, active: start(last) }, chosen: null };
      if (altKey) return { state: CLOSED, chosen: null };
      if (count === 0) return null;
      return mark(active === null ? start(last) : active === 0 ? last : active - 1);
    case 'Home':
    case 'End':
      // Without a marked option, the keys move the cursor in the text.
      return isOpen && active !== null ? mark(key === 'Home' ? 0 : last) : null;
    case 'Enter':
      return isOpen && active !== null ? { state: CLOSED, chosen: active } : null;
    case 'Escape':
      return isOpen ? { state: CLOSED, chosen: null } : null;
    default:
      return null;
  }
}
