import { isRecord } from '#lib/core/is-record.ts';

/** Limits per schema: number of parameters named, and characters per name. */
const MAX_NAMED_PARAMETERS = 20;
const MAX_NAME_LENGTH = 60;

/**
 * Describes the parameters of a tool from its JSON Schema: `city (string), days (integer, optional)`. Returns `none` if there are none.
 * The schema is untrusted.
 */
export function parametersLabel(parameters: Record<string, unknown>): string {
  const { properties, required } = parameters;
  if (!isRecord(properties)) return 'none';
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const entries = Object.entries(properties);
  if (entries.length === 0) return 'none';
  const labels = entries.slice(0, MAX_NAMED_PARAMETERS).map(([name, schema]) => {
    const facts = [typeOf(schema), needed.has(name) ? '' : 'optional'].filter((fact) => fact !== '');
    return facts.length === 0 ? truncateName(name) : `${truncateName(name)} (${facts.join(', ')})`;
  });
  const more = entries.length - MAX_NAMED_PARAMETERS;
  return [...labels, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const { type } = schema;
  if (typeof type === 'string') return truncateName(type);
  if (Array.isArray(type)) return truncateName(type.filter((one) => typeof one === 'string').join(' or '));
  return Array.isArray(schema.enum) ? 'one of a list' : '';
}

function truncateName(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : text;
}
