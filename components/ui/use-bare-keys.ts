import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Where this browser keeps that single keys are switched off. */
const STORED = 'hone-single-keys';
const CHANGED = 'hone:single-keys';

/** Whether single keys work in this browser, and how to switch them: who speaks to the computer, or whose hand slips, may want none. */
export function useSingleKeys(): { isOn: boolean; switchTo: (isOn: boolean) => void } {
  const isOn = useSyncExternalStore(watchSingleKeys, areSingleKeysOn, () => true);
  return { isOn, switchTo: switchSingleKeys };
}

function areSingleKeysOn(): boolean {
  return localStorage.getItem(STORED) !== 'off';
}

function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'off');
  window.dispatchEvent(new Event(CHANGED));
}

/** Also when another window switches them. */
function watchSingleKeys(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** Single keys without a modifier. They rest while typing, in menus and dialogs, where they are switched off, and where the handler is null. */
export function useBareKeys(handlers: Record<string, (() => void) | null>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        event.repeat ||
        !areSingleKeysOn() ||
        isBusyPlace(event.target)
      )
        return;
      const handler = current.current[event.key];
      if (!handler) return;
      event.preventDefault();
      handler();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isBusyPlace(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null)
  );
}
