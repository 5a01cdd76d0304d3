'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { useBareKeys, useSingleKeys } from '#components/ui/use-bare-keys.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { CommandMenu } from './command-menu.tsx';

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
      help="Keys with Ctrl or ⌘ always work. Kept in this browser."
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
      description="Single keys rest while you type and while a menu is open."
    >
      <div className="flex flex-col gap-4">
        <SingleKeysSwitch />
        {GROUPS.map(({ name, keys }) => (
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

const GROUPS: { name: string; keys: [string, string][] }[] = [
  {
    name: 'Everywhere',
    keys: [
      ['mod K', 'Command menu: find a page, an action, or anything by its name or text'],
      ['?', 'This sheet'],
      ['Tab', 'On to the next control; Enter presses it'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    name: 'A run that waits for you',
    keys: [
      ['a', 'Accept the chosen version'],
      ['c', 'Continue'],
      ['g', 'Guide the next revision of the chosen version'],
      ['e', 'Edit the chosen version: yours is scored, then the run waits again'],
      ['r', 'Revert: the next revision starts from the chosen version'],
      ['t', 'In the diff: take the change one is at, or leave it'],
      ['y', 'Go to the score that is asked of you'],
      ['o', 'Override the score with your own'],
      ['s', 'Stop'],
      ['z', 'Take the decision back, until it is sent'],
      ['mod ↵', 'Send now, or take the chosen changes'],
    ],
  },
  {
    name: 'A comparison',
    keys: [
      ['j', 'Down the list: the next case'],
      ['k', 'Up the list: the case before'],
    ],
  },
  {
    name: 'The inbox',
    keys: [
      ['j', 'Down the list: the next item'],
      ['k', 'Up the list: the item before'],
      ['mod ↵', 'Send now; the next item comes by itself'],
    ],
  },
  {
    name: 'Lessons to review, and a lesson',
    keys: [
      ['j', 'Down the list: the next lesson'],
      ['k', 'Up the list: the lesson before'],
      ['y', 'Vote for it, in a team'],
      ['n', 'Vote against it, in a team'],
      ['p', 'Promote: it may reach other runs'],
      ['x', 'Reject'],
      ['v', 'Archive; a promoted one is out of every prompt at once'],
      ['r', 'Restore one that was rejected or archived'],
      ['e', 'Edit'],
      ['→', 'Skip the lesson for now'],
      ['z', 'Take the verdict back, until it is sent'],
      ['↵', 'In the reason: give the verdict'],
      ['mod ↵', 'Send the verdict that waits, else promote; the next lesson comes by itself'],
    ],
  },
  {
    name: 'A blind review',
    keys: [
      ['1 ←', 'Left is better'],
      ['2 →', 'Right is better'],
      ['0 t', 'Neither is better'],
      ['s', 'Skip the pair for now'],
      ['z', 'Take the last answer back, until the next one is given'],
    ],
  },
  {
    name: 'A run',
    keys: [
      ['← →', 'On the chart: the scores of each version; Enter chooses it'],
      ['j', 'Down the list: the version before'],
      ['k', 'Up the list: the version after'],
      ['n', 'Next change of the diff'],
      ['p', 'Change before'],
      ['w', 'Show white space, or hide it'],
    ],
  },
];
