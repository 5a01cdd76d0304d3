import { MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';

type ReflectButtonProps = { version: number; onReflect: () => Promise<unknown> };

/** Asks for a reflection by hand: what is wrong with this version, and what to do about it. One call. */
export function ReflectButton({ version, onReflect }: ReflectButtonProps) {
  const [isAsking, setAsking] = useState(false);
  async function ask() {
    setAsking(true);
    await onReflect();
    setAsking(false);
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-sm" aria-busy={isAsking}>
      <MayButton needs="reviewer" onClick={ask} disabled={isAsking}>
        <MessageCircleQuestion className="size-3.25" aria-hidden />
        {isAsking ? 'Reflecting…' : `Reflect on v${version} now`}
      </MayButton>
      <span className="text-ink-2">1 call. How the run stands does not change; a revision still to come is told.</span>
    </div>
  );
}
