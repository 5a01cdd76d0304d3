'use client';

import { Code } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { lazyDialog } from '#components/ui/dialog.tsx';
import type { CopyAsCodeProps } from './copy-dialog.tsx';

const CopyDialog = lazyDialog(() => import('./copy-dialog.tsx').then((file) => file.CopyDialog));

/** Button that exports a prompt as code or as a file. */
export function CopyAsCode(props: CopyAsCodeProps) {
  const [isOpen, setOpen] = useState(false);
  const title = props.labels === null ? 'Export' : 'Copy as code';
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Code />
        {title}
      </Button>
      <CopyDialog {...props} title={title} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
