import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics recorded by this process. All others are read from the database when metrics are requested. */
type Instruments = {
  registry: Registry;
  httpSeconds: Histogram<'method' | 'route' | 'status'>;
  openStreams: Gauge;
  eventLagSeconds: Histogram;
  calls: Counter<'provider' | 'model' | 'outcome'>;
  tokens: Counter<'provider' | 'model' | 'direction'>;
  costUsd: Counter<'provider' | 'model'>;
  unpricedCalls: Counter<'provider' | 'model'>;
  callSeconds: Histogram<'provider' | 'model'>;
};

declare global {
  // The server, pages, routes and the worker are separate module instances that share only `globalThis`.
  var honeInstruments: Instruments | undefined;
}

/** Returns the process's instruments, created on first use. Labels are bounded: no ids, no texts, and a limited number of models. */
export function instruments(): Instruments {
  globalThis.honeInstruments ??= makeInstruments();
  return globalThis.honeInstruments;
}

function makeInstruments(): Instruments {
  const registry = new Registry();
  const registers = [registry];
  const ofCalls = ['provider', 'model'] as const;
  return {
    registry,
    httpSeconds: new Histogram({
      registers,
      name: 'hone_http_request_seconds',
      help: 'Response time of requests to this process, without streams',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    }),
    openStreams: new Gauge({
      registers,
      name: 'hone_event_streams',
      help: 'Open event streams of this process',
    }),
    eventLagSeconds: new Histogram({
      registers,
      name: 'hone_event_lag_seconds',
      help: 'From a run event to its sending to one follower by this process',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    }),
    calls: new Counter({
      registers,
      name: 'hone_model_calls_total',
      help: 'Model calls of all processes since this process was first scraped',
      labelNames: [...ofCalls, 'outcome'],
    }),
    tokens: new Counter({
      registers,
      name: 'hone_model_tokens_total',
      help: 'Tokens of those calls',
      labelNames: [...ofCalls, 'direction'],
    }),
    costUsd: new Counter({
      registers,
      name: 'hone_model_cost_usd_total',
      help: 'Cost of those calls with a known price, in US dollars',
      labelNames: ofCalls,
    }),
    unpricedCalls: new Counter({
      registers,
      name: 'hone_model_unpriced_calls_total',
      help: 'Those of the calls whose price is not known',
      labelNames: ofCalls,
    }),
    callSeconds: new Histogram({
      registers,
      name: 'hone_model_call_seconds',
      help: 'Time that those calls took',
      labelNames: ofCalls,
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180],
    }),
  };
}
