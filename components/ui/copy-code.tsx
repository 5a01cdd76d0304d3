'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';

/** Button that copies the code of a block. */
export function CopyCode({ code }: { code: string }) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  async function copy() {
    setResult((await copyText(code)) ? 'copied' : 'failed');
  }
  return (
    <span className="absolute top-1 right-1">
      <Button size="smallIcon" variant="ghost" aria-label="Copy code" onClick={copy}>
        {result === 'copied' ? <Check /> : <Copy />}
      </Button>
      <span className="sr-only" role="status">
        {result === 'copied'
          ? 'Copied'
          : result === 'failed'
            ? 'The browser blocked copying. Select the code and copy it.'
            : ''}
      </span>
    </span>
  );
}
