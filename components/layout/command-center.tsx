'use client';

import dynamic from 'next/dynamic';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { DialogLoading } from '#components/ui/dialog-loading.tsx';
import { useFirstTouch } from '#components/ui/use-first-touch.ts';
import { useShortcuts } from '#components/ui/use-shortcuts.tsx';

// Loaded on first user interaction, because no page needs them initially.
const CommandMenu = dynamic(() => import('./command-menu.tsx').then((file) => file.CommandMenu), { ssr: false });
const KeysSheet = dynamic(() => import('./keys-sheet.tsx').then((file) => file.KeysSheet), { ssr: false });

type Open = 'menu' | 'keys' | null;
type CommandCenterValue = { openMenu: () => void; openKeys: () => void };

const CommandCenterContext = createContext<CommandCenterValue>({ openMenu: () => {}, openKeys: () => {} });

/** Returns functions that open the command menu or the list of shortcuts. */
export function useCommandCenter(): CommandCenterValue {
  return useContext(CommandCenterContext);
}

/** Provides the command menu (mod+k) and the list of shortcuts (?) on every page. */
export function CommandCenter({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open>(null);
  const isWanted = useFirstTouch();
  const takeTyped = useTypedAhead(open === 'menu');
  const value = useMemo(() => ({ openMenu: () => setOpen('menu'), openKeys: () => setOpen('keys') }), []);
  useShortcuts({ keys: value.openKeys });
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k')
        return;
      event.preventDefault();
      // A held key repeats, and would close the menu again.
      if (event.repeat) return;
      setOpen((current) => (current === 'menu' ? null : 'menu'));
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <CommandCenterContext value={value}>
      {children}
      {open === null ? null : <DialogLoading />}
      {isWanted ? (
        <CommandMenu
          open={open === 'menu'}
          onOpenChange={(isOpen) => setOpen(isOpen ? 'menu' : null)}
          onKeys={value.openKeys}
          takeTyped={takeTyped}
        />
      ) : null}
      {isWanted ? (
        <KeysSheet open={open === 'keys'} onOpenChange={(isOpen) => setOpen(isOpen ? 'keys' : null)} />
      ) : null}
    </CommandCenterContext>
  );
}

/** Buffers text typed after the menu was opened and before it is rendered. Its code may still be loading. */
function useTypedAhead(isOpen: boolean): () => string {
  const [isThere, setThere] = useState(false);
  const typed = useRef('');
  useEffect(() => {
    if (!isOpen) typed.current = '';
    if (!isOpen || isThere) return;
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1) typed.current += event.key;
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else return;
      event.preventDefault();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, isThere]);
  return useCallback(() => {
    setThere(true);
    return typed.current;
  }, []);
}
