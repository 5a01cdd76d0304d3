import { Pane } from '#components/ui/pane.tsx';

type NoRunsPaneProps = { latestVersion: number; next: string };

/** Stands where the results will be, and says what to do next. */
export function NoRunsPane({ latestVersion, next }: NoRunsPaneProps) {
  return (
    <Pane>
      <p className="font-semibold">No runs yet</p>
      <p className="mt-0.5 text-ink-2">
        The settings are saved as v{latestVersion}. {next}
      </p>
    </Pane>
  );
}
