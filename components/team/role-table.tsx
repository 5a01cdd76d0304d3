import { Check } from 'lucide-react';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { ROLES, type Role, roleAllows } from '#lib/auth/role.ts';

const ACTS: { label: string; needs: Role }[] = [
  { label: 'See runs, lessons, exports', needs: 'viewer' },
  { label: 'Decide at pauses, score, comment', needs: 'reviewer' },
  { label: 'Review lessons', needs: 'reviewer' },
  { label: 'Create experiments, datasets, prompts', needs: 'editor' },
  { label: 'Start runs, spend the budget', needs: 'editor' },
  { label: 'Delete, restore', needs: 'editor' },
  { label: 'Models, keys, webhooks, tools, backup', needs: 'owner' },
  { label: 'Members, tokens of others, audit', needs: 'owner' },
];

/** Table of the permissions of each role. */
export function RoleTable() {
  return (
    <section className="min-w-0" aria-labelledby="roles">
      <Pane className="border-b-0 pb-0">
        <PaneHeader titleId="roles" title="Permissions by role" className="m-0" />
      </Pane>
      <Table
        isInset
        className="row-head:whitespace-normal td:text-center row-head:text-md max-[401px]:th:whitespace-normal max-[401px]:cell:px-[0.2rem]"
        data-testid="roles"
      >
        <TableHead>
          <ColumnHead hideLabel>Action</ColumnHead>
          {ROLES.map((role) => (
            <ColumnHead key={role} className="text-center">
              {role}
            </ColumnHead>
          ))}
        </TableHead>
        <tbody>
          {ACTS.map(({ label, needs }) => (
            <tr key={label}>
              <RowHead>{label}</RowHead>
              {ROLES.map((role) => (
                <td key={role}>{roleAllows(role, needs) ? <Yes /> : <No />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <Pane asChild className="border-line border-t border-b-0 text-ink-2 text-sm">
        <p>
          Every page, action and API route checks the role. Nobody can promote a lesson they contributed to through its
          text, experiment, cases or run. This includes owners.
        </p>
      </Pane>
    </section>
  );
}

function Yes() {
  return (
    <span className="text-better">
      <Check />
      <span className="sr-only">yes</span>
    </span>
  );
}

function No() {
  return (
    <>
      <span className="text-ink-3" aria-hidden>
        –
      </span>
      <span className="sr-only">no</span>
    </>
  );
}
