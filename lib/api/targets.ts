import { fail, succeed } from '#lib/core/problem.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema, forceDeleteQuery, page } from '#lib/http/fields.ts';
import { idOf, nameOf } from '#lib/http/parameters.ts';
import { targetTestInputSchema, targetTestSchema, testTarget } from '#lib/model-calls/test-target.ts';
import { answerJob, claimJobs, renewJobs, signOffWorker } from '#lib/targets/jobs.ts';
import { findTargetView, listTargets, shownTo } from '#lib/targets/list-targets.ts';
import { deleteTarget, saveTarget } from '#lib/targets/save-target.ts';
import {
  heartbeatAnswerSchema,
  heartbeatSchema,
  jobAnswerSchema,
  jobClaimSchema,
  jobResultSchema,
  jobsSchema,
  signOffSchema,
  targetSaveSchema,
  targetViewSchema,
} from '#lib/targets/schema.ts';

const target = component('Target', targetViewSchema);

const targetsSchema = component('Targets', page(target));

const deleteQuery = forceDeleteQuery('target', 'experiments');

const params = { name: nameOf('target') };
const jobParams = { ...params, id: idOf('job') };

export const targetRoutes = {
  listTargets: defineRoute('GET /api/v1/targets', {
    summary: 'List targets: apps that experiments run',
    role: 'viewer',
    response: targetsSchema,
    handle: async ({ context, actor }) => {
      const items = await listTargets(context);
      return succeed({ items: items.map((one) => shownTo(actor, one)), nextCursor: null });
    },
  }),
  getTarget: defineRoute('GET /api/v1/targets/{name}', {
    summary: 'Get a target',
    role: 'viewer',
    params,
    response: target,
    handle: async ({ context, actor, params }) => {
      const view = await findTargetView(context, params.name);
      if (view === null) return fail('not_found', `There is no target named ${JSON.stringify(params.name)}.`);
      return succeed(shownTo(actor, view));
    },
  }),
  /** A connecting app registers itself at each start. Only an owner may set a URL that Hone calls. */
  saveTarget: defineRoute('PUT /api/v1/targets/{name}', {
    summary: 'Add or change a target. Omitted fields keep their values',
    role: 'editor',
    audit: ['created', 'changed'],
    params,
    body: component('TargetInput', targetSaveSchema),
    response: target,
    handle: async ({ context, actor, params, body }) => saveTarget(context, actor, params.name, body),
  }),
  deleteTarget: defineRoute('DELETE /api/v1/targets/{name}', {
    summary: 'Delete a target. 409 with an experiment that uses it',
    role: 'owner',
    audit: 'deleted',
    params,
    query: deleteQuery,
    response: deletedSchema,
    handle: async ({ context, actor, params, query }) => deleteTarget(context, actor, params.name, query),
  }),
  testTarget: defineRoute('POST /api/v1/targets/{name}/test', {
    summary: 'Send one case to a target',
    role: 'editor',
    limit: 'test',
    audit: 'tested',
    params,
    body: component('TargetTestInput', targetTestInputSchema),
    response: component('TargetTest', targetTestSchema),
    handle: async ({ context, actor, params, body }) => testTarget(context, actor, params.name, body),
  }),
  claimTargetJobs: defineRoute('POST /api/v1/targets/{name}/jobs/claim', {
    summary: 'Take jobs of a target. If there is no job, the request waits for one',
    role: 'editor',
    audit: { none: 'work of runs, which record it' },
    params,
    body: component('TargetJobClaim', jobClaimSchema),
    response: component('TargetJobs', jobsSchema),
    handle: async ({ context, params, body, request }) => claimJobs(context, params.name, body, request.signal),
  }),
  renewTargetJobs: defineRoute('POST /api/v1/targets/{name}/jobs/heartbeat', {
    summary: 'Report that a worker is still processing its jobs',
    role: 'editor',
    audit: { none: 'work of runs, which record it' },
    params,
    body: component('TargetHeartbeat', heartbeatSchema),
    response: component('TargetHeartbeatAnswer', heartbeatAnswerSchema),
    handle: async ({ context, params, body }) => renewJobs(context, params.name, body),
  }),
  answerTargetJob: defineRoute('POST /api/v1/targets/{name}/jobs/{id}/result', {
    summary: 'Send the result of a job. The first one counts',
    role: 'editor',
    audit: { none: 'work of runs, which record it' },
    params: jobParams,
    body: component('TargetJobResult', jobResultSchema),
    response: component('TargetJobAnswer', jobAnswerSchema),
    handle: async ({ context, params, body }) => answerJob(context, params.name, params.id, body),
  }),
  signOffTargetWorker: defineRoute('POST /api/v1/targets/{name}/workers/sign-off', {
    summary: 'Sign off a worker of a target',
    role: 'editor',
    audit: { none: 'the connection of a process' },
    params,
    body: component('TargetSignOff', signOffSchema),
    response: deletedSchema,
    handle: async ({ context, params, body }) => signOffWorker(context, params.name, body),
  }),
};
