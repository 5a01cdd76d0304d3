/** The worker stops: what it was at is given back for another one to go on with, and is no failure. */
export class WorkerStops extends Error {
  override name = 'WorkerStops';

  constructor() {
    super('the worker stops');
  }
}
