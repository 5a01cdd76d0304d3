'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { useBareKeys, useSingleKeys } from '#components/ui/use-bare-keys.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { CommandMenu } from './command-menu.tsx';
import { SHORTCUT_GROUPS } from './shortcuts.ts';

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

/** Switches single keys off and on in this browser. */
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

/** Every key of Hone, by where it works. */
function KeysSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const mod = useModKey();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keys"
      description="Single-key shortcuts are off while you type or a menu is open."
    >
      <div className="flex flex-col gap-4">
        <SingleKeysSwitch />
        {SHORTCUT_GROUPS.map(({ name, keys }) => (
          <section key={name} aria-label={name}>
            <h3 className="mb-1">{name}</h3>
            <dl>
              {keys.map(([key, words]) => (
                <div key={key} className="grid grid-cols-[5rem_minmax(0,1fr)] gap-2 border-line border-t py-1.25">
                  <dt className="space-x-0.75">
                    {key.split(' ').map((part) => (
                      <kbd key={part}>{part === 'mod' ? mod : part}</kbd>
                    ))}
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
