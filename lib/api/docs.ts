import { z } from 'zod';
import { succeed } from '#lib/core/problem.ts';
import { searchDocs } from '#lib/docs/read-doc.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';

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
