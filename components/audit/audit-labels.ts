import type { AuditGroup } from '#lib/audit/audit-groups.ts';
import type { AuditAction, AuditEntry, AuditSubjectKind } from '#lib/audit/schema.ts';
import { formatMoment } from '#lib/format.ts';

/** Label of each act, placed before its subject: `changed the role of`. */
export const ACT_LABELS: Record<AuditAction, string> = {
  created: 'created',
  changed: 'changed',
  deleted: 'deleted',
  restored: 'restored',
  decided: 'decided on',
  scored: 'scored',
  preferred: 'judged blind',
  reviewed: 'reviewed',
  judged: 'gave an opinion on',
  commented: 'commented on',
  edited_comment: 'changed a comment on',
  deleted_comment: 'deleted a comment on',
  assigned: 'assigned',
  unassigned: 'took back the assignment of',
  labelled: 'labeled',
  started: 'started',
  resumed: 'resumed',
  stopped: 'stopped',
  imported: 'imported',
  exported: 'exported',
  rescored: 'had scored again',
  measured: 'measured the changes of',
  requested: 'asked for work on',
  tested: 'tested',
  resent: 'sent again to',
  purged: 'purged',
  invited: 'invited',
  joined: 'joined as',
  withdrew: 'withdrew',
  revoked: 'revoked',
  disabled: 'disabled',
  enabled: 'enabled',
  signed_in: 'signed in',
  signed_out: 'signed out',
  sign_in_failed: 'failed to sign in',
  changed_role: 'changed the role of',
  changed_password: 'changed the password of',
  made_password_link: 'made a password link for',
  entered: 'opened',
};

/** Label and page of each kind of subject. The id, or the name of a prompt, follows a path with a slash at its end. Null: no page. */
const SUBJECTS: Record<AuditSubjectKind, [label: string, page: string | null]> = {
  run: ['a run', '/runs/'],
  batch: ['a batch', null],
  experiment: ['an experiment', '/experiments/'],
  view: ['a view', null],
  dataset: ['a dataset', '/datasets/'],
  file: ['a file', null],
  lesson: ['a lesson', '/lessons/'],
  prompt: ['a prompt', '/prompts/'],
  provider: ['a provider', '/models'],
  prices: ['the prices', '/models'],
  budget: ['the month’s budget', '/models'],
  webhook: ['a webhook', '/settings'],
  target: ['a target', '/targets'],
  mcp_server: ['an MCP server', '/settings'],
  setting: ['a setting', '/settings'],
  backup: ['a backup', null],
  member: ['a member', '/settings/team'],
  invitation: ['an invitation', '/settings/team'],
  session: ['a session', null],
  token: ['a token', '/settings/team'],
  audit: ['the audit log', null],
  entry: ['a page', null],
};

export const GROUP_LABELS: Record<AuditGroup, string> = {
  decisions: 'Decisions',
  lessons: 'Lessons',
  settings: 'Settings',
  access: 'Access',
  refused: 'Refused',
};

/** Returns the label of an entry's act, placed before its subject: `changed the role of`, or `was refused: reviewed` if it was denied. */
export function actLabel({ act, outcome }: Pick<AuditEntry, 'act' | 'outcome'>): string {
  if (outcome === 'done') return ACT_LABELS[act];
  return act === 'entered' ? 'was refused' : `was refused: ${ACT_LABELS[act]}`;
}

/** Returns the kind and name of an entry's subject and the URL of its page. `href` is null if it has no page. */
export function subjectLabel({ act, subject: { kind, id, name } }: Pick<AuditEntry, 'act' | 'subject'>): {
  kind: string;
  name: string;
  href: string | null;
} {
  // An entry point is described by its name alone. A session is described only by its member.
  if (kind === 'entry') return { kind: '', name: name ?? id ?? '', href: null };
  if (kind === 'session') return { kind: act === 'revoked' ? 'a session of' : '', name: name ?? '', href: null };
  const [label, page] = SUBJECTS[kind];
  const key = kind === 'prompt' ? name : id;
  const href = page?.endsWith('/') ? key && `${page}${encodeURIComponent(key)}` : page;
  return { kind: act === 'invited' ? '' : label, name: name ?? '', href };
}

/** Returns the details of a change as `name: value`. `before` and `after` are returned as a pair. */
export function changeLabel(change: AuditEntry['change']): {
  before: string | null;
  after: string | null;
  rest: string[];
} {
  const { before, after, ...others } = change;
  const isPair = before !== undefined && after !== undefined;
  const rest = Object.entries(isPair ? others : change)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${inWords(name)}: ${valueLabel(value)}`);
  return { before: isPair ? valueLabel(before) : null, after: isPair ? valueLabel(after) : null, rest };
}

/** Splits camel case into words: `sessionsEnded` → `sessions ended`. */
function inWords(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`);
}

function valueLabel(value: string | number | boolean | null): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  return ISO_MOMENT.test(text) && !Number.isNaN(Date.parse(text)) ? formatMoment(text) : text;
}

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
