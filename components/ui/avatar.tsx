import { styled } from './styled.ts';

/** Initials of a person. Hidden from screen readers because the name is shown next to it. */
export const Avatar = styled(
  'span',
  'avatar',
  'inline-grid size-5 flex-none place-items-center rounded-full border border-line-strong bg-hover font-semibold text-[0.625rem] text-ink-2',
  { 'aria-hidden': true },
);

/** Returns the first letters of the first two words of a name, for the avatar. */
export function initialsOf(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => (Array.from(word)[0] ?? '').toUpperCase())
    .join('');
}
