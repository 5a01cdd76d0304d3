'use client';

import { Field, Input } from '#components/ui/field.tsx';
import type { ExperimentDraft } from './experiment-draft.ts';
import type { FormPartProps } from './form-part-props.ts';

type Role = keyof ExperimentDraft['temperatures'];

/** Temperatures of the single roles, folded away while there is none. */
export function TemperatureFields({ draft, change, errorAt }: FormPartProps) {
  const roles = rolesOf(draft);
  const isSet = roles.some(({ role }) => draft.temperatures[role] !== '' || errorAt(`temperatures.${role}`) !== null);
  return (
    <details open={isSet}>
      <summary className="cursor-pointer text-ink-2 text-sm">Temperature of each role</summary>
      <div className="mt-2 grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {roles.map(({ role, label, help }) => (
          <Field key={role} label={`Temperature of ${label}`} help={help} error={errorAt(`temperatures.${role}`)}>
            <Input
              numeric
              value={draft.temperatures[role]}
              onChange={(event) => change({ temperatures: { ...draft.temperatures, [role]: event.target.value } })}
            />
          </Field>
        ))}
      </div>
    </details>
  );
}

/** The roles that the experiment has. */
function rolesOf({ mode, base }: ExperimentDraft): { role: Role; label: string; help: string }[] {
  const judges = { role: 'evaluate', label: 'judges', help: 'Empty: 0 if drafts have one, else not sent' } as const;
  if (mode === 'tune')
    return [
      { ...judges, help: 'Empty: 0 if answers have one, else not sent' },
      { role: 'reflect', label: 'proposals', help: 'Empty: not sent' },
    ];
  const revise = { role: 'revise', label: 'revisions', help: 'Empty: as for drafts' } as const;
  const worker = { role: 'worker', label: 'workers', help: 'Empty: as for drafts' } as const;
  return [
    ...(mode === 'revise' ? [revise] : []),
    judges,
    { role: 'reflect', label: 'critiques', help: 'Empty: not sent' },
    { role: 'lesson', label: 'lessons', help: 'Empty: not sent' },
    ...(base.type === 'supervisor' ? [worker] : []),
  ];
}
