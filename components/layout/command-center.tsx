'use client';

import { Keyboard, Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/dialog.tsx';
import { useFirstTouch } from '#components/ui/hydration.ts';
import { Link } from '#components/ui/link.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { useKeyDown } from '#components/ui/use-key-down.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { ShortcutKey, useShortcuts } from '#components/ui/use-shortcuts.tsx';
import { menuPagesOf } from './menu-pages.ts';

// Loaded on first user interaction, because no page needs them initially.
const CommandMenu = dynamic(() => loadOrRetry(loadMenu), { ssr: false });
const ShortcutsDialog = dynamic(
  () => loadOrRetry(() => import('./shortcuts-dialog.tsx').then((file) => file.ShortcutsDialog)),
  {
    ssr: false,
  },
);

/** True after the code of the menu could not be loaded. An error with buttons is then shown instead of the menu. */
let hadLoadError = false;

async function loadMenu() {
  try {
    return (await import('./command-menu.tsx')).CommandMenu;
  } catch (error) {
    hadLoadError = true;
    throw error;
  }
}

type Open = 'menu' | 'keys' | null;
type CommandCenterValue = { openMenu: () => void; openKeys: () => void };

const CommandCenterContext = createContext<CommandCenterValue>({ openMenu: () => {}, openKeys: () => {} });

/** Returns functions that open the command menu or the list of shortcuts. */
function useCommandCenter(): CommandCenterValue {
  return useContext(CommandCenterContext);
}

/** Provides the command menu (mod+k) and the list of shortcuts (?) on every page. */
export function CommandCenter({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open>(null);
  const isWanted = useFirstTouch();
  const takeTyped = useTypedAhead(open === 'menu', () => setOpen(null));
  const value = useMemo(() => ({ openMenu: () => setOpen('menu'), openKeys: () => setOpen('keys') }), []);
  useShortcuts({ keys: value.openKeys });
  useKeyDown((event) => {
    if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    // A held key repeats, and would close the menu again.
    if (!event.repeat) setOpen((current) => (current === 'menu' ? null : 'menu'));
  });
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
        <ShortcutsDialog open={open === 'keys'} onOpenChange={(isOpen) => setOpen(isOpen ? 'keys' : null)} />
      ) : null}
    </CommandCenterContext>
  );
}

/**
 * Buffers text typed after the menu was opened and before it is rendered. Its code may still be loading. If it cannot be loaded, keys go to
 * the page. Escape closes the menu until then.
 */
function useTypedAhead(isOpen: boolean, onClose: () => void): () => string {
  const [isThere, setThere] = useState(false);
  const typed = useRef('');
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!isOpen) typed.current = '';
    if (!isOpen || isThere) return;
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || hadLoadError) return;
      if (event.key === 'Escape') close.current();
      else if (event.key.length === 1) typed.current += event.key;
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

/** Button that opens the command menu. Used in the sidebar and in the narrow menu. */
export function JumpButton() {
  const { openMenu } = useCommandCenter();
  const mod = useModKey();
  return (
    <button
      type="button"
      className="mt-1 mb-1 flex h-7.5 pointer-coarse:min-h-10 cursor-pointer items-center rail:justify-center gap-2 rounded-2 border border-line-strong bg-surface px-2 rail:px-0 text-left text-ink-3 text-sm"
      onClick={openMenu}
      aria-haspopup="dialog"
    >
      <Search />
      <span className="rail:sr-only min-w-0 truncate">Search</span>
      <kbd className="ml-auto rail:hidden pointer-coarse:hidden flex-none">{mod === '⌘' ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

/** Link to a new experiment. Renders nothing for users who may not create one. */
export function NewButton() {
  const page = menuPagesOf(usePerson().role).find(({ path }) => path === '/experiments/new');
  if (page === undefined) return null;
  return (
    <Button asChild className="mb-1 justify-start px-2 rail:justify-center rail:px-0">
      <Link href={page.path} aria-label={page.name} title={page.name}>
        <page.Glyph aria-hidden />
        <span className="rail:hidden">New</span>
      </Link>
    </Button>
  );
}

/** Button that opens the list of keyboard shortcuts. */
export function KeysButton() {
  const { openKeys } = useCommandCenter();
  return (
    <button
      type="button"
      className="flex h-7.5 w-full cursor-pointer items-center rail:justify-center gap-2 rounded-2 px-2 rail:px-0 font-medium text-ink-2 hover:bg-hover hover:text-ink"
      onClick={openKeys}
      aria-haspopup="dialog"
      title="Keyboard shortcuts"
    >
      <Keyboard className="size-4" />
      <span className="rail:sr-only">Shortcuts</span>
      <span className="rail:sr-only ml-auto">
        <ShortcutKey id="keys" />
      </span>
    </button>
  );
}
