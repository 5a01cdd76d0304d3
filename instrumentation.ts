/** Next calls it once when the server starts: the worker begins here, in the app's own process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { beginWorker } = await import('#lib/server/start-worker.ts');
  await beginWorker();
}
