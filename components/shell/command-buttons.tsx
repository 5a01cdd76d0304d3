'use client';

import { Keyboard, Search } from 'lucide-react';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { useCommandCenter } from './command-center.tsx';

/** Opens the command menu; in the side bar and in the narrow menu. */
export function JumpButton() {
  const { openMenu } = useCommandCenter();
  const mod = useModKey();
  return (
    <button type="button" className="jump" onClick={openMenu} aria-haspopup="dialog">
      <Search className="i s" aria-hidden />
      <span className="lb">Search or go to</span>
      <kbd>{mod === '⌘' ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

/** Opens the sheet of keys. */
export function KeysButton() {
  const { openKeys } = useCommandCenter();
  return (
    <button type="button" className="keysbtn" onClick={openKeys} aria-haspopup="dialog" title="Keys">
      <Keyboard className="i" aria-hidden />
      <span className="lb">Keys</span>
      <kbd className="lb">?</kbd>
    </button>
  );
}
