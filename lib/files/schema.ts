import { z } from 'zod';

/** Most bytes of one stored file. Bodies of requests are cut off a little above. */
export const LARGEST_FILE = 10_000_000;

/** Most bytes of all files of one case. Each model call of its runs has them in memory. */
export const LARGEST_CASE = 20_000_000;

/** Most files that come as data URLs in one import. */
export const MOST_IMPORTED_FILES = 2_000;
export const TOO_MANY_FILES = 'An import can hold at most 2,000 files. Split it into several.';

/** Types of files that can be stored. They are detected from the content; what a client claims is ignored. */
export const FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** A stored file without its bytes. */
export const storedFileSchema = z.object({
  id: z.string().meta({ description: 'SHA-256 of its bytes. Messages name it as `file`.' }),
  mediaType: z.enum(FILE_TYPES),
  size: z.int().meta({ description: 'Bytes.' }),
  name: z.string().nullable(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;
