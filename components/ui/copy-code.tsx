'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies the code of a block. */
export function CopyCode({ code }: { code: string }) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  async function copy() {
    const outcome = await navigator.clipboard.writeText(code).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setResult(outcome);
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
