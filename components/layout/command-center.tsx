'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { CommandMenu } from './command-menu.tsx';
import { KeysSheet } from './keys-sheet.tsx';

type Open = 'menu' | 'keys' | null;
type CommandCenterValue = { openMenu: () => void; openKeys: () => void };

const CommandCenterContext = createContext<CommandCenterValue>({ openMenu: () => {}, openKeys: () => {} });

/** Opens the command menu or the sheet of keys from anywhere. */
export function useCommandCenter(): CommandCenterValue {
  return useContext(CommandCenterContext);
}

/** Keeps the command menu (mod+k) and the sheet of keys (?) at hand on every page. */
export function CommandCenter({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open>(null);
  const value = useMemo(() => ({ openMenu: () => setOpen('menu'), openKeys: () => setOpen('keys') }), []);
  useBareKeys({ '?': value.openKeys });
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k')
        return;
      event.preventDefault();
      setOpen((current) => (current === 'menu' ? null : 'menu'));
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <CommandCenterContext value={value}>
      {children}
      <CommandMenu
        open={open === 'menu'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'menu' : null)}
        onKeys={value.openKeys}
      />
      <KeysSheet open={open === 'keys'} onOpenChange={(isOpen) => setOpen(isOpen ? 'keys' : null)} />
    </CommandCenterContext>
  );
}
