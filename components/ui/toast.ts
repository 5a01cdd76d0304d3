/** Style of a toast. */
export const TOAST = [
  'inline-flex max-w-full items-center gap-3 rounded-2 bg-ink py-2 pr-2.5 pl-3 text-bg wrap-anywhere shadow-pop',
  '[&>[data-slot=button]]:flex-none [&>[data-slot=button]]:border-bg/45 [&>[data-slot=button]]:bg-transparent [&>[data-slot=button]]:text-inherit [&>[data-slot=button]]:hover:bg-bg/16',
  '[&_kbd]:border-bg/45 [&_kbd]:bg-transparent [&_kbd]:text-inherit [&>svg]:flex-none',
].join(' ');

export type Message = { id: number; text: string; tone: 'done' | 'problem' };
