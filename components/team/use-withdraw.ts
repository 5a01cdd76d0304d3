import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { useToast } from '#components/ui/toaster.tsx';
import { refusalOf } from './refusal-of.ts';
import type { TeamActions } from './team-actions.ts';

/** Withdraws an open link and says so. */
export function useWithdraw(withdraw: TeamActions['withdraw']) {
  const router = useRouter();
  const toast = useToast();
  const [isBusy, startSending] = useTransition();
  function send(id: string, label: string) {
    startSending(async () => {
      const result = await withdraw(id).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. The link still works.'),
      );
      toast(result.ok ? `The link of ${label} works no more` : result.problem.message, result.ok ? 'done' : 'problem');
      router.refresh();
    });
  }
  return { isBusy, send };
}
