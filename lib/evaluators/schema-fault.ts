import type { ErrorObject } from 'ajv';

/** `/items/0/price must be number`, with what was expected where that is short to say. `whole` names the value itself. */
export function schemaFault({ instancePath, message, params }: ErrorObject, whole = 'The value'): string {
  const place = instancePath === '' ? whole : cut(instancePath);
  const named: unknown =
    params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues ?? params.allowedValue;
  const detail = named === undefined ? '' : `: ${cut(JSON.stringify(named))}`;
  return `${place} ${cut(message ?? 'does not fit')}${detail}`.toWellFormed();
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
