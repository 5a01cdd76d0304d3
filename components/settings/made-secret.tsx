import { KeyRound } from 'lucide-react';
import { Notice } from '#components/ui/notice.tsx';

/** A secret that was just made: there is no other moment to copy it. */
export function MadeSecret({ name, secret }: { name: string; secret: string }) {
  return (
    <Notice title={`The secret of ${name}, shown this once.`} alert>
      Give it to the service, so that it can check the signatures.
      <code className="wrap-anywhere mt-1.5 block select-all font-mono text-[0.94em]" data-testid="made-secret">
        <KeyRound className="size-3.25" aria-hidden /> {secret}
      </code>
    </Notice>
  );
}
