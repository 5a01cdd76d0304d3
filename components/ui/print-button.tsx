'use client';

import { Printer } from 'lucide-react';
import { Button } from './button.tsx';

/** Opens the browser's print dialog for paper or PDF. Hidden on phones, which print from their own menu. */
export function PrintButton() {
  return (
    <Button variant="ghost" className="max-narrow:hidden" onClick={() => window.print()}>
      <Printer />
      Print report
    </Button>
  );
}
