import { notFound } from 'next/navigation';
import { z } from 'zod';

/** The id in a page's address. What cannot be an id is the address of nothing. */
export async function readPageId(params: Promise<{ id: string }>): Promise<string> {
  const { id } = await params;
  if (!z.uuid().safeParse(id).success) notFound();
  return id;
}
