import * as v from 'valibot'
import { count, defineTool, nothing, optionalBaseVersion, requestTool, text, type Tool } from './tool.ts'

const siteOrigin = text('Where the site is, in place of what it registered.')

/** Tools for what is published. */
export const publishTools: readonly Tool[] = [
  requestTool({
    name: 'compute-publish-diff',
    description: 'Compares the draft with what is published.',
    input: v.object({ siteOrigin }),
    reads: true,
    byDefault: true,
    route: 'GET /publish/diff',
    request: (query) => ({ query }),
  }),
  requestTool({
    name: 'publish-content',
    description: 'Publishes the draft to the site.',
    input: v.object({ siteOrigin }),
    byDefault: true,
    destructive: true,
    open: true,
    long: true,
    needs: 'publish',
    route: 'POST /publish',
    request: (json) => ({ json, publishes: true }),
  }),
  requestTool({ name: 'get-publish-status', description: 'Tells how the latest publish is going.', input: nothing, reads: true, route: 'GET /publish/status' }),
  requestTool({
    name: 'list-snapshots',
    description: 'Lists what was published before, newest first.',
    input: v.object({ limit: count(100, 'How many; 30 without it.') }),
    reads: true,
    route: 'GET /restore/snapshots',
    request: (query) => ({ query }),
  }),
  requestTool({
    name: 'restore-snapshot',
    description: 'Replaces the draft by what was published at one time.',
    input: v.object({
      commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{7,40}$/i, 'must be 7 to 40 hexadecimal digits'), v.description('As list-snapshots shows it.')),
      baseVersion: optionalBaseVersion,
    }),
    destructive: true,
    needs: 'delete',
    route: 'POST /restore/snapshot',
    request: ({ baseVersion, ...json }) => ({ json, baseVersion }),
  }),
]

/** Tools for sites, sessions, and who works where. */
export const siteTools: readonly Tool[] = [
  defineTool({
    name: 'whoami',
    description: 'Tells on which site and in which session these tools work, and what the service knows of it.',
    input: nothing,
    reads: true,
    routes: ['GET /whoami'],
    async run(_, { ask, siteId, session }) {
      const { json } = await ask({ method: 'GET', path: '/whoami' })
      return { json: { bound: { siteId, session }, service: json } }
    },
  }),
  requestTool({ name: 'list-sessions', description: 'Lists every session that was ever changed, the latest change first.', input: nothing, reads: true, route: 'GET /sessions' }),
  requestTool({
    name: 'register-site',
    description: 'Registers the site of these tools.',
    input: v.object({
      name: v.pipe(v.string(), v.regex(/\S/, 'must not be blank')),
      previewUrl: text('Where the site runs.'),
      port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
      purpose: text('What the site is for.'),
      secret: text('The draft secret of the site.'),
    }),
    route: 'POST /sites/register',
    request: (json) => ({ json }),
  }),
  requestTool({ name: 'list-sites', description: 'Lists the sites that the service knows.', input: nothing, reads: true, route: 'GET /sites' }),
]
