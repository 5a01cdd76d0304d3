'use client';

import { Copy } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';

type MadeTokenProps = { name: string; token: string; address: string; close: () => void };

/** A token that was just made: there is no other moment to copy it. */
export function MadeToken({ name, token, address, close }: MadeTokenProps) {
  const toast = useToast();
  async function copy(text: string) {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    toast(isCopied ? 'Copied' : 'The browser did not let it be copied', isCopied ? 'done' : 'problem');
  }
  return (
    <Notice
      title={`${name} is made. Copy it now: it is shown this once.`}
      alert
      actions={
        <>
          <Button size="small" onClick={() => copy(token)}>
            <Copy className="size-3.25" aria-hidden />
            Copy token
          </Button>
          <Button size="small" onClick={() => copy(clientSettings(address, token))}>
            <Copy className="size-3.25" aria-hidden />
            Copy for an MCP client
          </Button>
          <Button size="small" variant="ghost" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <code className="wrap-anywhere mt-1.5 block select-all font-mono text-[0.94em]" data-testid="made-token">
        {token}
      </code>
    </Notice>
  );
}

/** As most clients of the Model Context Protocol read their servers. */
function clientSettings(address: string, token: string): string {
  const hone = { type: 'http', url: `${address}/api/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { hone } }, null, 2);
}
