import { useKeyDown } from './use-key-down.ts';

/**
 * Calls the handler on Ctrl+Enter or ⌘+Enter, except in a dialog. In a form field, submits that form instead. `ignoresFields`: does nothing
 * in fields without a form, which belong to other parts of the page.
 */
export function useModEnter(handler: (() => void) | null, { ignoresFields = false } = {}): void {
  useKeyDown((event) => {
    if (!isModEnter(event)) return;
    if (handler === null || document.querySelector('[role="dialog"]')) return;
    const form = isField(event.target) ? event.target.form : null;
    if (ignoresFields && form === null && isField(event.target)) return;
    event.preventDefault();
    if (form === null) handler();
    else form.requestSubmit();
  });
}

type Keys = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'repeat' | 'defaultPrevented'>;

/** Returns true for Ctrl+Enter and ⌘+Enter that nothing has handled yet. */
export function isModEnter({ key, metaKey, ctrlKey, repeat, defaultPrevented }: Keys): boolean {
  return key === 'Enter' && (metaKey || ctrlKey) && !repeat && !defaultPrevented;
}

/** Returns true for form fields. The radio buttons of a segmented control count as buttons. */
function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    (target instanceof HTMLInputElement && target.type !== 'radio') ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}
