import { PaneHeader } from '#components/ui/pane.tsx';

const MEMBERS: [string, string][] = [
  ['run, case.id', 'lines with the same values are attempts of one run'],
  ['case.input', 'the task, optionally with reference, tags and metadata. Hone compares runs of the same case.'],
  ['attempt', 'starts at 1, without gaps'],
  ['output', 'output of the attempt'],
  ['score or solved', '0 to 1, or true and false. Without either, the attempt is unscored.'],
  ['issues, feedback', 'issues of the output'],
  ['lesson', 'redacted, screened and added to the library as a candidate'],
  ['model, tokens, costUsd, at', 'if known'],
];

/** Documents the format of an import line. */
export function LineFormat() {
  return (
    <section aria-labelledby="line-format">
      <PaneHeader titleId="line-format" title="Line format" />
      <dl className="flex flex-col gap-2 text-sm">
        {MEMBERS.map(([name, meaning]) => (
          <div key={name}>
            <dt className="font-mono text-[0.94em]">{name}</dt>
            <dd className="text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-ink-2 text-sm">
        Exports of Hone keep versions, scores, critiques, decisions and settings.
      </p>
    </section>
  );
}
