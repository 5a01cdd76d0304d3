import { describe, expect, test } from 'vitest';
import { openapiDocument } from '#lib/http/openapi-document.ts';
import { API, ROUTES } from './routes.ts';

const document = JSON.parse(JSON.stringify(openapiDocument(API, '1.2.3')));

describe('OpenAPI document', () => {
  test('describes every route under /api/v1 once, with a readable operation id', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} /api/v1${path}`),
    );
    const routes = ROUTES.map(({ name }) => name).filter((name) => name.includes(' /api/v1/'));
    expect(described.toSorted()).toEqual(routes.toSorted());
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(routes.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]*)*$/);
  });

  test('no route path conflicts with a prompt name', () => {
    const segments = Object.keys(document.paths).flatMap((path) => /^\/prompts\/([^/]+)/.exec(path)?.[1] ?? []);
    expect(new Set(segments)).toEqual(new Set(['{name}']));
  });

  test('references schemas shared by several routes', () => {
    const { settings } = document.components.schemas.Experiment.properties;
    expect(settings).toEqual({ $ref: '#/components/schemas/Settings' });
    expect(document.components.schemas.Runs.properties.items.items).toEqual({
      $ref: '#/components/schemas/RunListItem',
    });
  });

  test('every reference resolves', () => {
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
  ])('documents the range and default of %s', (name, expected) => {
    expect(document.components.schemas.ExperimentInput.properties[name]).toMatchObject(expected);
  });

  test('rejects unknown settings', () => {
    expect(document.components.schemas.ExperimentInput.additionalProperties).toBe(false);
  });

  test('documents path, query and header parameters', () => {
    const events = document.paths['/runs/{id}/events'].get.parameters;
    expect(events.map((parameter: { name: string; in: string }) => `${parameter.in} ${parameter.name}`)).toEqual([
      'path id',
      'query lastEventId',
      'header Last-Event-ID',
    ]);
    const limit = document.paths['/runs'].get.parameters.find(
      (parameter: { name: string }) => parameter.name === 'limit',
    );
    expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 200 } });
  });

  test('marks required query parameters', () => {
    const [experimentId, format] = document.paths['/export/runs'].get.parameters;
    expect([experimentId.required, format.required]).toEqual([true, false]);
  });
});

function operations(): { operationId: string }[] {
  return Object.values(document.paths).flatMap((path) => Object.values(Object(path)));
}
