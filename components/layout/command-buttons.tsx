'use client';

import { Keyboard, Search } from 'lucide-react';
import { usePerson } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { ShortcutKey } from '#components/ui/use-shortcuts.tsx';
import { useCommandCenter } from './command-center.tsx';
import { menuPagesOf } from './menu-pages.ts';

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
      title="Keys"
    >
      <Keyboard className="size-4" />
      <span className="rail:sr-only">Keys</span>
      <span className="rail:sr-only ml-auto">
        <ShortcutKey id="keys" />
      </span>
    </button>
  );
}
