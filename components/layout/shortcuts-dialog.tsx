'use client';

import { Dialog } from '#components/ui/dialog.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { SHORTCUT_GROUPS } from '#components/ui/shortcuts.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { ShortcutKey } from '#components/ui/use-shortcuts.tsx';
import { SingleKeysSwitch } from './keyboard-settings.tsx';

/** Lists all current keyboard shortcuts by scope. */
export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="Single-key shortcuts are off while you type or a menu is open."
    >
      <div className="flex flex-col gap-4">
        <SingleKeysSwitch />
        <p>
          <TextLink href="/account#keyboard" onClick={() => onOpenChange(false)}>
            Change shortcuts
          </TextLink>
        </p>
        {SHORTCUT_GROUPS.map(({ name, shortcuts }) => (
          <section key={name} aria-label={name}>
            <h3 className="mb-1">{name}</h3>
            <dl>
              {shortcuts.map((shortcut) => (
                <div
                  key={shortcut.does}
                  className="grid grid-cols-[5rem_minmax(0,1fr)] gap-2 border-line border-t py-1.25"
                >
                  <dt className="space-x-0.75">
                    {'id' in shortcut ? <ShortcutKey id={shortcut.id} /> : <FixedKeys shown={shortcut.shown} />}
                  </dt>
                  <dd>{shortcut.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function FixedKeys({ shown }: { shown: string }) {
  const mod = useModKey();
  return shown.split(' ').map((part) => <kbd key={part}>{part === 'mod' ? mod : part}</kbd>);
}
