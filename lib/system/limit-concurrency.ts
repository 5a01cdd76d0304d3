/** Returns a function that runs work, at most `most` at a time. Further work waits and is started in the order of the calls. */
export function limitConcurrency(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const queue: (() => void)[] = [];
  let atWork = 0;
  return async (work) => {
    if (atWork >= most) await new Promise<void>((go) => queue.push(go));
    else atWork++;
    try {
      return await work();
    } finally {
      // The next work takes over this slot. If it were free until then, a new call could take it too.
      const next = queue.shift();
      if (next === undefined) atWork--;
      else next();
    }
  };
}
