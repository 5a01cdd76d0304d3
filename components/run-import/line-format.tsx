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
      <div className="ph">
        <h2 id="line-format">A line</h2>
      </div>
      <dl className="stack sm gap-2">
        {MEMBERS.map(([name, meaning]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd className="muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="sm muted mt-3">
        What Hone exports comes back whole: versions, scores, critiques, decisions and settings.
      </p>
    </section>
  );
}
