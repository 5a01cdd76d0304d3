import Link from 'next/link';

type CallFilterProps = {
  path: string;
  /** How many calls each version has, by its number; in the order of the versions. */
  counts: readonly { version: number; count: number }[];
  total: number;
  chosen: number | null;
};

/** The versions a run's calls were about, each a link to its own. */
export function CallFilter({ path, counts, total, chosen }: CallFilterProps) {
  return (
    <nav className="pane row wrap sm" aria-label="Calls by version">
      <Choice href={path} isChosen={chosen === null} name="All" count={total} />
      {counts.map(({ version, count }) => (
        <Choice
          key={version}
          href={`${path}?version=${version}`}
          isChosen={version === chosen}
          name={`v${version}`}
          count={count}
        />
      ))}
    </nav>
  );
}

function Choice({ href, isChosen, name, count }: { href: string; isChosen: boolean; name: string; count: number }) {
  return (
    <Link href={href} className={isChosen ? 'chip on' : 'chip'} aria-current={isChosen ? 'true' : undefined}>
      {name} <span className="font-normal">{count}</span>
    </Link>
  );
}
