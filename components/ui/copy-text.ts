import { useToast } from './toaster.tsx';

/** Copies a text. False if the browser refuses, as all do on plain HTTP, where there is no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a text and shows a toast: `done`, or that the browser refused. */
export function useCopy(): (text: string, done?: string) => Promise<void> {
  const toast = useToast();
  return async (text, done = 'Copied') => {
    const isCopied = await copyText(text);
    toast(isCopied ? done : 'The browser blocked copying', isCopied ? 'done' : 'problem');
  };
}
