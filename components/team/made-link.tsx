'use client';

import { Copy } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatMoment } from '#lib/format.ts';
import type { ShownLink } from './team-actions.ts';

/** A link that was just made: there is no other moment to copy it. */
export function MadeLink({ link: { url, expiresAt }, title }: { link: ShownLink; title: string }) {
  const toast = useToast();
  async function copy() {
    const isCopied = await navigator.clipboard.writeText(url).then(
      () => true,
      () => false,
    );
    toast(isCopied ? 'Copied' : 'The browser did not let it be copied', isCopied ? 'done' : 'problem');
  }
  return (
    <Notice
      title={title}
      alert
      actions={
        <Button size="small" onClick={copy}>
          <Copy className="size-3.25" aria-hidden />
          Copy the link
        </Button>
      }
    >
      It works once, until {formatMoment(expiresAt)}, for whoever opens it: send it to them alone. It is not shown
      again.
      <code className="wrap-anywhere mt-1.5 block select-all font-mono text-[0.94em]" data-testid="made-link">
        {url}
      </code>
    </Notice>
  );
}
