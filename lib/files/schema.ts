import { z } from 'zod';

/** Maximum size of a stored file in bytes. Request bodies are limited to slightly more. */
export const MAX_STORED_FILE_BYTES = 10_000_000;

/** Maximum total size of a case's files in bytes. Each model call of its runs loads them into memory. */
export const MAX_CASE_FILES_BYTES = 20_000_000;

/** Maximum number of files sent as data URLs in one import. */
export const MAX_IMPORTED_FILES = 2_000;
export const TOO_MANY_FILES = 'An import can contain at most 2,000 files. Split it into several.';

/** File types that can be stored. Detected from the content, not from the client's claim. */
export const FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** A stored file without its content. */
export const storedFileSchema = z.object({
  id: z.string().meta({ description: 'SHA-256 of its bytes. Messages name it as `file`.' }),
  mediaType: z.enum(FILE_TYPES),
  size: z.int().meta({ description: 'Bytes.' }),
  name: z.string().nullable(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;
