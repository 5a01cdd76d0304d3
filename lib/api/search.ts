import { z } from 'zod';
import { succeed } from '#lib/core/problem.ts';
import { searchDocs } from '#lib/docs/read-doc.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { searchText } from '#lib/http/parameters.ts';
import { findAnything, foundSchema } from '#lib/search/find-anything.ts';

export const searchRoutes = {
  findAnything: defineRoute('GET /api/v1/find', {
    summary:
      'Find experiments, prompts, datasets, runs, lessons, cases, outputs and sections of the docs, a few of each',
    role: 'viewer',
    scope: ['lessons:read', 'runs:read'],
    limit: 'read',
    query: z.strictObject({
      q: searchText
        .default('')
        .meta({ description: 'Part of a name, the number of a run, or beginnings of words. Empty: the newest items.' }),
    }),
    response: component('FoundThings', z.object({ items: z.array(component('FoundThing', foundSchema)) })),
    handle: async ({ context: { database }, query: { q } }) => succeed({ items: await findAnything(database, q) }),
  }),
};

const MAX_MATCHES = 12;

const docMatchesSchema = component(
  'DocMatches',
  z.object({
    items: z.array(
      z.object({
        href: z.string().meta({ description: 'Path in the app.' }),
        title: z.string(),
        section: z.string().nullable().meta({ description: 'Null for a match in the introduction of the page.' }),
        excerpt: z.string(),
      }),
    ),
  }),
);

export const docRoutes = {
  searchDocs: defineRoute('GET /api/v1/docs', {
    summary: 'Search the documentation',
    role: 'viewer',
    scope: 'any token',
    query: z.strictObject({ query: z.string().trim().min(1).max(200) }),
    response: docMatchesSchema,
    handle: async ({ query }) => succeed({ items: searchDocs(query.query, MAX_MATCHES) }),
  }),
};
