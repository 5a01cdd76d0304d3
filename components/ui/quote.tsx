import { styled } from './styled.ts';

/** Quoted text of a person, with a line at its side. With `asChild`, its only child is styled as one. */
export const Quote = styled('p', 'quote', 'max-w-[68ch] border-line-strong border-l-2 pl-3 text-ink-2');
