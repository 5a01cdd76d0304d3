import { address } from '#components/layout/pager.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { callRoleLabel } from './call-labels.ts';

type ChosenCalls = { version: string | null; role: string | null; failed: string | null };
type CallFilterProps = {
  path: string;
  counts: {
    total: number;
    failed: number;
    roles: readonly { role: string; count: number }[];
    /** Sorted by version. */
    versions: readonly { version: number; count: number }[];
  };
  chosen: ChosenCalls;
};

/** Filters for the calls of a run: by version, by role, and failed only. Each is a link that preserves the other filters. */
export function CallFilter({ path, counts, chosen }: CallFilterProps) {
  const to = (change: Partial<ChosenCalls>) => address(path, { ...chosen, ...change });
  return (
    <Pane className="flex flex-col gap-2 text-sm">
      <nav className="flex flex-wrap items-center gap-2" aria-label="Calls by version">
        <Choice href={to({ version: null })} isChosen={chosen.version === null} name="All" count={counts.total} />
        {counts.versions.map(({ version, count }) => (
          <Choice
            key={version}
            href={to({ version: String(version) })}
            isChosen={String(version) === chosen.version}
            name={`v${version}`}
            count={count}
          />
        ))}
      </nav>
      {counts.roles.length < 2 && counts.failed === 0 ? null : (
        <nav className="flex flex-wrap items-center gap-2" aria-label="Calls by purpose">
          {counts.roles.map(({ role, count }) => (
            <Choice
              key={role}
              href={to({ role: chosen.role === role ? null : role })}
              isChosen={chosen.role === role}
              name={callRoleLabel(role)}
              count={count}
            />
          ))}
          {counts.failed > 0 ? (
            <Choice
              href={to({ failed: chosen.failed === null ? 'true' : null })}
              isChosen={chosen.failed !== null}
              name="✕ Failed"
              count={counts.failed}
            />
          ) : null}
        </nav>
      )}
    </Pane>
  );
}

function Choice({ href, isChosen, name, count }: { href: string; isChosen: boolean; name: string; count: number }) {
  return (
    <Badge asChild tone={isChosen ? 'on' : 'default'}>
      <Link href={href} aria-current={isChosen ? 'true' : undefined}>
        {name} <span className="font-normal">{count}</span>
      </Link>
    </Badge>
  );
}
