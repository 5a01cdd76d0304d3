import { notFound } from 'next/navigation';
import { z } from 'zod';

/** Reads the id from a page URL. Responds with 404 if it is not a valid id. */
export async function readPageId(params: Promise<{ id: string }>): Promise<string> {
  const { id } = await params;
  if (!z.uuid().safeParse(id).success) notFound();
  return id;
}
