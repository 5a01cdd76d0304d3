'use client';

import { Printer } from 'lucide-react';
import { Button } from './button.tsx';

/** Opens the browser's print dialog, for paper or a PDF. */
export function PrintButton() {
  return (
    <Button onClick={() => window.print()}>
      <Printer className="size-3.25" aria-hidden />
      Print report
    </Button>
  );
}
