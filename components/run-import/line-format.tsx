import { PaneHeader } from '#components/ui/pane.tsx';

const MEMBERS: [string, string][] = [
  ['run, case.id', 'lines that share both are attempts of one history'],
  ['case.input', 'the task; with reference, tags and metadata where there are any. Runs of the same case are compared'],
  ['attempt', 'counts from 1, without a gap'],
  ['output', 'what the attempt gave'],
  ['score or solved', '0 to 1, or true and false; neither: unscored, a gap and never 0'],
  ['issues, feedback', 'what was said to be wrong'],
  ['lesson', 'goes through redaction and screening to the candidates of the library'],
  ['model, tokens, costUsd, at', 'where they are known'],
];

/** What a line of an import may say. */
export function LineFormat() {
  return (
    <section aria-labelledby="line-format">
      <PaneHeader>
        <h2 id="line-format">A line</h2>
      </PaneHeader>
      <dl className="flex flex-col gap-2 text-sm">
        {MEMBERS.map(([name, meaning]) => (
          <div key={name}>
            <dt className="font-mono text-[0.94em]">{name}</dt>
            <dd className="text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-ink-2 text-sm">
        What Hone exports comes back whole: versions, scores, critiques, decisions and settings.
      </p>
    </section>
  );
}
