import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { API } from '#lib/api/routes.ts';
import { openapiDocument } from '#lib/http/openapi-document.ts';
import { type Operation, readApi } from '../../sdk/generate/read-api.ts';
import { sampleValue } from './sample-value.ts';

export const api = readApi(openapiDocument(API, ''));

export type ScriptedHone = {
  address: string;
  /** Operations called with a valid request, and the errors of invalid ones. */
  called: Set<string>;
  faults: string[];
  close(): void;
};

/** Returns the response of the fake server to an operation. */
export function sampleResponse({ response }: Operation): unknown {
  const type = 'type' in response ? api.types[response.type] : undefined;
  if (type !== undefined) return sampleValue(type, api.types, 'all');
  return response.kind === 'events' ? { version: 0 } : 'a file\n';
}

/** Starts a fake Hone server that validates each request against the OpenAPI document and returns a sample response. */
export async function startScriptedHone(): Promise<ScriptedHone> {
  const called = new Set<string>();
  const faults: string[] = [];
  const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false, coerceTypes: false });
  ajv.addSchema({ $id: 'api', components: { schemas: api.types } });
  const server = createServer(async (request, response) => {
    const found = findOperation(request);
    const fault = found === null ? 'there is no such operation' : await findFault(ajv, found, request);
    if (found === null || fault !== null) {
      faults.push(`${request.method} ${request.url}: ${fault}`);
      return sendJson(response, 400, { error: { code: 'invalid', message: String(fault) } });
    }
    called.add(found.operation.id);
    sendSample(response, found.operation);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.custom<AddressInfo>().parse(server.address());
  return { address: `http://127.0.0.1:${port}`, called, faults, close: () => server.close() };
}

type Found = { operation: Operation; path: Record<string, string>; query: URLSearchParams };

function findOperation({ method, url = '' }: IncomingMessage): Found | null {
  const { pathname, searchParams } = new URL(url, 'http://hone');
  const fitting = api.operations.flatMap((operation) => {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^/api/v1${pattern}$`).exec(pathname);
    if (operation.method !== method || match === null) return [];
    return [{ operation, path: { ...match.groups }, query: searchParams }];
  });
  // A path without parameters takes priority.
  return fitting.toSorted((a, b) => Object.keys(a.path).length - Object.keys(b.path).length)[0] ?? null;
}

async function findFault(
  ajv: Ajv2020,
  { operation, path, query }: Found,
  request: IncomingMessage,
): Promise<string | null> {
  for (const { name, in: location, required, schema } of operation.parameters) {
    const text =
      location === 'path' ? decodeURIComponent(path[name] ?? '') : location === 'query' ? query.get(name) : null;
    if (text === null && required && location !== 'header') return `${name} is missing`;
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    const { pattern: _, ...rest } = schema as typeof schema & { pattern?: string };
    if (text !== null && !ajv.validate(isNumber ? rest : schema, isNumber ? Number(text) : text))
      return `${name} ${ajv.errorsText()}`;
  }
  const known = operation.parameters.map(({ name }) => name);
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) return `there is no parameter ${unknown}`;
  const text = Buffer.concat(await request.toArray()).toString('utf8');
  if (operation.body === null) return text === '' ? null : 'the operation takes no body';
  if (operation.body.json === null)
    return operation.body.files.includes(request.headers['content-type'] ?? '') ? null : 'a wrong type';
  const isValid = ajv.validate({ $ref: `api#/components/schemas/${operation.body.json}` }, JSON.parse(text));
  return isValid ? null : ajv.errorsText();
}

function sendSample(response: ServerResponse, operation: Operation): void {
  const sample = sampleResponse(operation);
  const { kind } = operation.response;
  if (kind === 'json') {
    sendJson(response, 200, sample);
    return;
  }
  const [type, text] = {
    lines: ['application/x-ndjson', `${JSON.stringify(sample)}\n\n${JSON.stringify(sample)}`],
    events: ['text/event-stream', `: hello\n\nid: 1\nevent: evaluated\ndata: ${JSON.stringify(sample)}\n\n`],
    file: ['text/plain', String(sample)],
  }[kind];
  response.writeHead(200, { 'content-type': type }).end(text);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
