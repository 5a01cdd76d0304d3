type NoRunsPaneProps = { latestVersion: number; next: string };

/** Stands where the results will be, and says what to do next. */
export function NoRunsPane({ latestVersion, next }: NoRunsPaneProps) {
  return (
    <section className="pane">
      <p className="b">No runs yet</p>
      <p className="muted mt-0.5">
        The settings are saved as v{latestVersion}. {next}
      </p>
    </section>
  );
}
