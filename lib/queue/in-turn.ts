/** As `perform`, but of one run at a time: a second call for a run waits until the first has ended, well or not. */
export function inTurn(perform: (runId: string) => Promise<void>): (runId: string) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (runId) => {
    const before = last.get(runId);
    const own = (before ?? Promise.resolve()).catch(() => undefined).then(() => perform(runId));
    last.set(runId, own);
    try {
      await own;
    } finally {
      if (last.get(runId) === own) last.delete(runId);
    }
  };
}
