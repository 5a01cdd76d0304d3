import Link from 'next/link';
import { formatList } from '#lib/format.ts';
import type { ProviderUse } from '#lib/reflection/provider-use.ts';

/** Which experiments and prompts use a provider, and what for; the last changed of them. */
export function ProviderUsers({ use }: { use: ProviderUse }) {
  const rest = use.experiments + use.prompts - use.named.length;
  if (use.named.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="text-ink-2">Used by</p>
      <ul className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {use.named.map(({ kind, id, name, roles }) => (
          <li key={`${kind} ${id}`} className="wrap-anywhere min-w-0">
            <Link
              className="link"
              href={kind === 'experiment' ? `/experiments/${id}` : `/prompts/${encodeURIComponent(id)}`}
            >
              {name}
            </Link>{' '}
            <span className="text-ink-3">{formatList(roles)}</span>
          </li>
        ))}
        {rest > 0 ? <li className="text-ink-3">and {rest} more</li> : null}
      </ul>
    </div>
  );
}
