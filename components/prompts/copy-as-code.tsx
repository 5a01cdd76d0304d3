'use client';

import { Code } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading, useWasOpened } from '#components/ui/dialog.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import type { CopyAsCodeProps } from './copy-dialog.tsx';

const CopyDialog = dynamic(() => loadOrRetry(() => import('./copy-dialog.tsx').then((file) => file.CopyDialog)), {
  ssr: false,
  loading: DialogLoading,
});

/** Button that exports a prompt as code or as a file. */
export function CopyAsCode(props: CopyAsCodeProps) {
  const [isOpen, setOpen] = useState(false);
  const title = props.labels === null ? 'Export' : 'Copy as code';
  const wasOpened = useWasOpened(isOpen);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Code />
        {title}
      </Button>
      {wasOpened ? <CopyDialog {...props} title={title} isOpen={isOpen} onOpenChange={setOpen} /> : null}
    </>
  );
}
