'use client';

import { FlaskConical } from 'lucide-react';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { TextLink } from '#components/ui/link.tsx';

/** Banner stating that the numbers shown are from the practice model. */
export function PracticeBanner() {
  const { may } = useRoleAccess('owner');
  return (
    <section
      className="flex items-center gap-2 border-line-strong border-b border-dashed bg-sunken px-6 py-1.25 text-ink-2 text-sm max-narrow:px-4 print:hidden"
      aria-label="Practice data"
    >
      <FlaskConical />
      <span>
        <b className="font-medium">Practice data.</b>{' '}
        <span className="max-narrow:hidden">
          Texts, scores and prices come from the built-in practice model, not from a real one.{' '}
        </span>
        {may ? <TextLink href="/models#add-provider">Connect a model</TextLink> : null}
      </span>
    </section>
  );
}
