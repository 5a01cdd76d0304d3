'use client';

import { useSyncExternalStore } from 'react';
import { type ChangedKeys, keyLabel, keysOf, readChangedKeys, type ShortcutId } from './shortcut-keys.ts';
import { useKeyDown } from './use-key-down.ts';
import { useModKey } from './use-mod-key.ts';

/** `localStorage` keys for the switch of single-key shortcuts and for the changed keys. */
const SINGLE_KEYS_STORAGE_KEY = 'hone-single-keys';
const CHANGED_KEYS_STORAGE_KEY = 'hone-keys';
const SHORTCUTS_CHANGED_EVENT = 'hone:single-keys';

const NO_CHANGES: ChangedKeys = {};
/** Cached result, because a snapshot must stay the same object while nothing changes. */
let lastRead: { stored: string | null; changed: ChangedKeys } = { stored: null, changed: NO_CHANGES };

/**
 * Returns the state of single-key shortcuts in this browser and a setter. Voice control and motor impairments can require them to be off.
 */
export function useSingleKeys(): { isOn: boolean; switchTo: (isOn: boolean) => void } {
  const isOn = useSyncExternalStore(watch, areSingleKeysOn, () => true);
  return { isOn, switchTo: (isOn) => store(SINGLE_KEYS_STORAGE_KEY, isOn ? null : 'off') };
}

/** Returns the keys changed in this browser and a setter. */
export function useChangedKeys(): { changed: ChangedKeys; keep: (changed: ChangedKeys) => void } {
  const changed = useSyncExternalStore(watch, changedKeys, () => NO_CHANGES);
  return {
    changed,
    keep: (next) => store(CHANGED_KEYS_STORAGE_KEY, Object.keys(next).length === 0 ? null : JSON.stringify(next)),
  };
}

/**
 * Handles single keys without a modifier. Ignored while typing, in menus and dialogs, if switched off, and if the handler is null. Escape
 * cannot be switched off.
 */
export function useShortcuts(handlers: Partial<Record<ShortcutId | 'Escape', (() => void) | null>>): void {
  useKeyDown((event) => {
    if (event.defaultPrevented || !isBareKey(event)) return;
    const handler = Object.entries(handlers).find(([id, handler]) => handler && isKeyOf(event.key, id))?.[1];
    if (!handler) return;
    event.preventDefault();
    handler();
  });
}

function isKeyOf(key: string, id: string): boolean {
  if (id === 'Escape') return key === id;
  return areSingleKeysOn() && keysOf(id as ShortcutId, changedKeys()).includes(key);
}

function isBareKey(event: KeyboardEvent): boolean {
  return !(event.ctrlKey || event.metaKey || event.altKey || event.repeat || isShortcutBlocked(event.target));
}

function isShortcutBlocked(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type="radio"]), textarea, select, [role="menu"]') !== null)
  );
}

function areSingleKeysOn(): boolean {
  return localStorage.getItem(SINGLE_KEYS_STORAGE_KEY) !== 'off';
}

function changedKeys(): ChangedKeys {
  const stored = localStorage.getItem(CHANGED_KEYS_STORAGE_KEY);
  if (stored !== lastRead.stored) lastRead = { stored, changed: readChangedKeys(stored) };
  return lastRead.changed;
}

function store(name: string, value: string | null): void {
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, value);
  window.dispatchEvent(new Event(SHORTCUTS_CHANGED_EVENT));
}

/** The `storage` event reports changes made in another window. */
function watch(onChange: () => void): () => void {
  window.addEventListener(SHORTCUTS_CHANGED_EVENT, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(SHORTCUTS_CHANGED_EVENT, onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** Returns the current keys of a shortcut as displayed. Empty if single-key shortcuts are off. */
export function useShownKeys(id: ShortcutId): string[] {
  const { isOn } = useSingleKeys();
  const { changed } = useChangedKeys();
  return isOn ? keysOf(id, changed).map(keyLabel) : [];
}

/** Shows the keys of a shortcut in the button with the same action. */
export function ShortcutKey({ id }: { id: ShortcutId }) {
  return useShownKeys(id).map((key) => <kbd key={key}>{key}</kbd>);
}

/** Shows the keys that send, as in `useModEnter`. */
export function SendKeys() {
  return <kbd>{useModKey()} ↵</kbd>;
}

type MoveKeysProps = { next: ShortcutId; previous: ShortcutId; label?: string };

/** Shows the two keys that move through a list, with a description. Renders nothing without a key. */
export function MoveKeys({ next, previous, label = 'move' }: MoveKeysProps) {
  const keys = [...useShownKeys(next), ...useShownKeys(previous)];
  if (keys.length === 0) return null;
  return (
    <span className="space-x-1 max-narrow:hidden pointer-coarse:hidden">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
      <span>{label}</span>
    </span>
  );
}
