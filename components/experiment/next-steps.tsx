import { RoleTextLink } from '#components/access/role-link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';

const STEPS = [
  { to: 'edit?open=criteria', label: 'Add a criterion', meaning: 'to score what matters to you' },
  { to: '?start=import', label: 'Add more cases', meaning: 'to check whether the result holds for other cases' },
  { to: 'edit?open=lessons', label: 'Set up lessons', meaning: 'to choose which lessons later runs recall' },
  { to: 'edit?open=people', label: 'Ask a reviewer', meaning: 'to have a person decide on versions' },
] as const;

/** Next steps after the first result: links to the parts of the form that the first run did not need. */
export function NextSteps({ experimentId }: { experimentId: string }) {
  const path = `/experiments/${experimentId}`;
  return (
    <Pane aria-labelledby="next-steps" data-testid="next-steps">
      <PaneHeader titleId="next-steps" title="Next steps" />
      <ul className="grid grid-cols-1 narrow:grid-cols-2 gap-x-6 gap-y-1.5">
        {STEPS.map(({ to, label, meaning }) => (
          <li key={label}>
            <RoleTextLink needs="editor" href={to.startsWith('?') ? `${path}${to}` : `${path}/${to}`}>
              {label}
            </RoleTextLink>{' '}
            <span className="text-ink-2">{meaning}</span>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

type NoRunsPaneProps = { latestVersion: number; next: string };

/** Placeholder for results, with the next step. */
export function NoRunsPane({ latestVersion, next }: NoRunsPaneProps) {
  return (
    <Pane>
      <PaneHeader title="No runs yet" />
      <p className="text-ink-2">
        The settings are saved as v{latestVersion}. {next}
      </p>
    </Pane>
  );
}
