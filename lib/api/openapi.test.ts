import { describe, expect, test } from 'vitest';
import { ENTRIES } from '#lib/team/entries.ts';
import { openapiDocument } from './openapi-document.ts';
import { OPERATIONS } from './operations.ts';

const document = JSON.parse(JSON.stringify(openapiDocument('1.2.3')));

describe('the OpenAPI document', () => {
  test('tells of every route that there is, and of no other', () => {
    const routes = ENTRIES.filter((entry) => entry.kind === 'route' && entry.path?.startsWith('/api/v1')).map(
      (entry) => `${entry.exported} ${entry.path}`,
    );
    const told = OPERATIONS.map((operation) => `${operation.method} /api/v1${operation.path}`);
    expect(told.toSorted()).toEqual(routes.toSorted());
  });

  test('names each operation once', () => {
    const ids = operations().map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(OPERATIONS.length);
  });

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(20);
    for (const name of references) expect(document.components.schemas).toHaveProperty([name ?? '']);
    expect(JSON.stringify(document)).not.toMatch(/"\$ref":"#\/(?!components)/);
  });

  test.each([
    ['qualityThreshold', { type: 'number', minimum: 0, maximum: 1, default: 0.8 }],
    ['maxAttempts', { type: 'integer', minimum: 1, maximum: 50, default: 3 }],
    ['maxIterations', { type: 'integer', minimum: 0, maximum: 50, default: 3 }],
  ])('tells the range and default of %s', (name, expected) => {
    expect(document.components.schemas.ExperimentInput.properties[name]).toMatchObject(expected);
  });

  test('says that unknown settings are refused', () => {
    expect(document.components.schemas.ExperimentInput.additionalProperties).toBe(false);
  });

  test('tells path, query and header parameters', () => {
    const events = document.paths['/runs/{id}/events'].get.parameters;
    expect(events.map((parameter: { name: string; in: string }) => `${parameter.in} ${parameter.name}`)).toEqual([
      'path id',
      'query lastEventId',
      'header Last-Event-ID',
    ]);
    const limit = document.paths['/runs'].get.parameters.find(
      (parameter: { name: string }) => parameter.name === 'limit',
    );
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 });
  });
});

function operations(): { operationId: string }[] {
  return Object.values(document.paths).flatMap((path) => Object.values(Object(path)));
}
