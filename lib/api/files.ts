import { z } from 'zod';
import { fail, succeed } from '#lib/core/problem.ts';
import { FILE_TYPES, MAX_STORED_FILE_BYTES, storedFileSchema } from '#lib/files/schema.ts';
import { findFile, storeFile } from '#lib/files/stored-files.ts';
import { fileName } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { notFound, type PathParam } from '#lib/http/parameters.ts';
import { receiveBody } from '#lib/http/read-body.ts';

/** A SHA-256. Any other text is not found. */
const fileId: PathParam = (text) => (/^[0-9a-f]{64}$/.test(text) ? succeed(text) : notFound('file'));

const ENDINGS: Record<(typeof FILE_TYPES)[number], string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

export const fileRoutes = {
  /** The type is detected from the content. Content-Type is ignored. */
  uploadFile: defineRoute('POST /api/v1/files', {
    summary: 'Store an image or another file, up to 10 MB, for the messages of cases',
    role: 'editor',
    limit: 'import',
    audit: 'created',
    query: z.strictObject({
      name: z
        .string()
        .max(200, { error: 'must have at most 200 characters' })
        .optional()
        .meta({ description: 'A name that people and models see.' }),
    }),
    upload: { types: [...FILE_TYPES, 'application/octet-stream'], json: null },
    status: 201,
    response: component('StoredFile', storedFileSchema),
    handle: async ({ context, request, actor, query }) =>
      receiveBody(request, { actor, limitBytes: MAX_STORED_FILE_BYTES }, async (pieces) => {
        const chunks: Uint8Array[] = [];
        for await (const piece of pieces) chunks.push(piece);
        return storeFile(context, actor, { bytes: Buffer.concat(chunks), name: query.name ?? null });
      }),
  }),
  readFile: defineRoute('GET /api/v1/files/{id}', {
    summary: 'Read a stored file',
    role: 'viewer',
    params: { id: fileId },
    response: { types: FILE_TYPES },
    handle: async ({ context: { database }, request, params }) => {
      const found = await findFile(database, params.id);
      if (found === null)
        return fail('not_found', 'There is no file with this id. Files that no case uses are removed after a day.');
      const { mediaType, size, name } = found.file;
      const way = mediaType.startsWith('image/') ? 'inline' : 'attachment';
      const readable = fileName((name ?? '').replace(/\.[^.]*$/, ''), `${params.id.slice(0, 8)}.${ENDINGS[mediaType]}`);
      return new Response(request.method === 'HEAD' ? null : found.bytes, {
        headers: {
          'Content-Type': mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType,
          'Content-Length': String(size),
          'Content-Disposition': `${way}; filename="${readable}"`,
          'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'; sandbox`,
          // After a sign-out, the browser may show files it has already loaded for up to ten minutes.
          'Cache-Control': 'private, max-age=600',
        },
      });
    },
  }),
};
