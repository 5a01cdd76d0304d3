'use client';

import { Code } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/dialog-loading.tsx';
import { useWasOpened } from '#components/ui/use-was-opened.ts';
import type { CopyAsCodeProps } from './copy-window.tsx';

const CopyWindow = dynamic(() => import('./copy-window.tsx').then((file) => file.CopyWindow), {
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
      {wasOpened ? <CopyWindow {...props} title={title} isOpen={isOpen} onOpenChange={setOpen} /> : null}
    </>
  );
}
