import type { TokenScope } from '#lib/reflection/api-token.ts';
import type { Entry } from './entries.ts';

/**
 * The scopes that an API token needs at a door, all of them; none where any token will do, null where none may enter: what only people
 * do, and pages. Lessons are by themselves; all else is about runs and what they are made of.
 */
export function scopesFor({ kind, path, writes }: Pick<Entry, 'kind' | 'path' | 'writes'>): TokenScope[] | null {
  if (kind !== 'route' || path === null) return null;
  if (FOR_PEOPLE.some((place) => path === place || path.startsWith(`${place}/`))) return null;
  // Each tool of the endpoint for agents asks for its own.
  if (ANY_TOKEN.includes(path)) return [];
  if (path === '/api/v1/search') return ['lessons:read', 'runs:read'];
  if (!path.startsWith('/api/v1/lessons')) return [writes ? 'runs:write' : 'runs:read'];
  // A gate that a program could open for the lessons it brings itself would be none.
  if (path.endsWith('/reviews')) return null;
  if (!writes || path.endsWith('/recall')) return ['lessons:read'];
  // They start runs, or change an experiment.
  return /\/(trials|trials\/estimate|instructions)$/.test(path) ? ['lessons:write', 'runs:write'] : ['lessons:write'];
}

/** Who is in the team, what they did, and one's own sessions. */
const FOR_PEOPLE = ['/api/v1/account', '/api/v1/audit', '/api/v1/invitations', '/api/v1/members'];
const ANY_TOKEN = ['/api/mcp', '/api/v1/health', '/api/v1/openapi.json', '/api/{rest}'];
