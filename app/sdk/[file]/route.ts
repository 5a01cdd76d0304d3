import { readSdkPackage } from '#lib/api/sdk-packages.ts';
import { fail } from '#lib/core/problem.ts';
import { respond } from '#lib/http/serve-route.ts';

type Context = { params: Promise<{ file: string }> };

/** Packages contain no data of this installation, so package managers need no token. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { file } = await params;
  return respond(async () => {
    const bytes = await readSdkPackage(file);
    if (bytes === null) return fail('not_found', `There is no package named ${JSON.stringify(file)}.`);
    return new Response(bytes, { headers: { 'Content-Type': 'application/gzip' } });
  });
}
