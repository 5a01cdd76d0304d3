import { Check } from 'lucide-react';
import { ROLES, type Role, roleAllows } from '#lib/reflection/role.ts';

const ACTS: { words: string; needs: Role }[] = [
  { words: 'See runs, lessons, exports', needs: 'viewer' },
  { words: 'Decide at pauses, score, comment', needs: 'reviewer' },
  { words: 'Review lessons', needs: 'reviewer' },
  { words: 'Make experiments, datasets, prompts', needs: 'editor' },
  { words: 'Start runs, spend the budget', needs: 'editor' },
  { words: 'Delete, restore', needs: 'editor' },
  { words: 'Models, keys, webhooks, tools, backup', needs: 'owner' },
  { words: 'Members, tokens of others, audit', needs: 'owner' },
];

/** What each role may do. */
export function RoleTable() {
  return (
    <section className="min-w-0" aria-labelledby="roles">
      <div className="pane border-b-0 pb-0">
        <div className="ph m-0">
          <h2 id="roles">What a role may do</h2>
        </div>
      </div>
      <table className="t edge perm" data-testid="roles">
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">Act</span>
            </th>
            {ROLES.map((role) => (
              <th key={role} scope="col">
                {role}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ACTS.map(({ words, needs }) => (
            <tr key={words}>
              <th scope="row">{words}</th>
              {ROLES.map((role) => (
                <td key={role}>{roleAllows(role, needs) ? <Yes /> : <No />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pane sm muted border-t border-b-0 border-line">
        Checked at every page, action, route and stream; a button that is not yours says whose it is. Nobody promotes a
        lesson they had a part in (by its text, its experiment, cases or run), owners included.
      </p>
    </section>
  );
}

function Yes() {
  return (
    <span className="better">
      <Check className="i s" aria-hidden />
      <span className="vh">yes</span>
    </span>
  );
}

function No() {
  return (
    <>
      <span className="faint" aria-hidden>
        –
      </span>
      <span className="vh">no</span>
    </>
  );
}
