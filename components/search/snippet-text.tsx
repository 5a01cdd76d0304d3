import type { OutputHit } from '#lib/reflection/output-hit.ts';

/** A piece of a stored text, never as markup, with what was looked for marked in it. */
export function SnippetText({ snippet: { text, marks } }: Pick<OutputHit, 'snippet'>) {
  const pieces = marks.map(([from, to], at) => ({
    before: text.slice(marks[at - 1]?.[1] ?? 0, from),
    found: text.slice(from, to),
    from,
  }));
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      {pieces.map(({ before, found, from }) => (
        <span key={from}>
          {before}
          <mark className="rounded-xs bg-brand-tint font-medium text-inherit underline decoration-brand">{found}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </span>
  );
}
