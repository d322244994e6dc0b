import * as v from 'valibot'
import { perObject } from '../../content/plain-object.ts'
import {
  count,
  defineTool,
  expected,
  nothing,
  readTool,
  optionalBaseVersion,
  requestTool,
  text,
  type Tool,
} from './tool.ts'

const isChanged = ({ status }: { readonly status: string }): boolean => status !== 'unchanged'
const Compared = v.looseObject({ status: v.string() })
const Diff = v.looseObject({
  pages: v.array(v.looseObject({ ...Compared.entries, blockDiffs: v.array(Compared) })),
})

const siteOrigin = text('The address of the site; default: the registered one.')

const at = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.description('An ISO 8601 time with its zone, within a year, such as "2027-01-01T09:00:00+01:00".'),
)
const scheduled = v.pipe(v.string(), v.nonEmpty(), v.description('The id of a scheduled publish.'))
const isSet = (description: string) => v.optional(v.pipe(v.literal('1'), v.description(description)))
const decide = v.pipe(
  v.array(
    v.strictObject({ id: v.string(), take: v.picklist(['draft', 'site']), seen: v.optional(v.string()) }),
  ),
  v.minLength(1),
  v.description(
    'Conflicts of the publish, as the list of scheduled publishes has them: draft keeps its value, site takes it out. seen is its theirsVersion.',
  ),
)
const publishing = { needs: 'publish', destructive: true, open: true } as const
const Waiting = v.looseObject({ status: v.literal('scheduled'), id: v.string(), at: v.string() })

/** Tools for publishing. */
export const publishTools: readonly Tool[] = [
  defineTool({
    name: 'compute-publish-diff',
    routes: ['GET /publish/diff'],
    reads: true,
    byDefault: true,
    description: 'Compares the draft with the published content, and lists the pages and blocks that differ.',
    input: v.object({ siteOrigin }),
    async run(query, { ask }) {
      const { pages, ...diff } = expected(
        Diff,
        (await ask({ method: 'GET', path: '/publish/diff', query })).json,
      )
      const changed = pages
        .filter(isChanged)
        .map((page) => ({ ...page, blockDiffs: page.blockDiffs.filter(isChanged) }))
      return { json: { ...diff, pages: changed } }
    },
  }),
  requestTool({
    name: 'publish-content',
    route: 'POST /publish',
    needs: 'publish',
    destructive: true,
    open: true,
    byDefault: true,
    long: true,
    description: 'Publishes the draft to the site.',
    input: v.object({ siteOrigin }),
    request: (json) => ({ json, publishes: true }),
  }),
  requestTool({
    name: 'schedule-publish',
    route: 'POST /publish',
    ...publishing,
    description: 'Publishes what the draft has changed until now, at a later time.',
    input: v.object({ at }),
    output: (reply) => v.union([Waiting, reply]),
    request: (json) => ({ json, publishes: true }),
  }),
  requestTool({
    name: 'list-scheduled',
    route: 'GET /publish/scheduled',
    reads: true,
    description: 'Lists the scheduled publishes, the next one first.',
    input: v.object({
      conflicts: isSet('Compares them with the site and the draft.'),
      others: isSet('With conflicts: also those of other drafts that a publish of this one would meet.'),
    }),
  }),
  requestTool({
    name: 'reschedule-publish',
    route: 'PATCH /publish/scheduled',
    ...publishing,
    description: 'Gives a scheduled publish another time, or decides its conflicts; its content stays.',
    input: v.object({
      id: scheduled,
      at: v.optional(at),
      decide: v.optional(decide),
      against: text('The session whose draft has the newer values, for what is listed with others.'),
    }),
    request: (json) => ({ json, publishes: true }),
  }),
  requestTool({
    name: 'cancel-scheduled',
    route: 'DELETE /publish/scheduled',
    ...publishing,
    description: 'Cancels a scheduled publish.',
    input: v.object({ id: scheduled }),
    request: (query) => ({ query, publishes: true }),
  }),
  readTool('get-publish-status', 'GET /publish/status', 'Gets the status of the latest publish.'),
  requestTool({
    name: 'list-snapshots',
    route: 'GET /restore/snapshots',
    reads: true,
    description: 'Lists earlier publishes, newest first.',
    input: v.object({ limit: count(100, 'The number of snapshots; default 30.') }),
  }),
  requestTool({
    name: 'restore-snapshot',
    route: 'POST /restore/snapshot',
    needs: 'delete',
    destructive: true,
    description: 'Replaces the draft with an earlier publish.',
    input: v.object({
      commit: v.pipe(
        v.string(),
        v.regex(/^[0-9a-f]{7,40}$/i, 'must be 7 to 40 hexadecimal digits'),
        v.description('The commit of an earlier publish.'),
      ),
      baseVersion: optionalBaseVersion,
    }),
  }),
]

/** Tools for sites and sessions. */
export const siteTools: readonly Tool[] = [
  defineTool({
    name: 'whoami',
    routes: ['GET /whoami'],
    reads: true,
    description: 'Gets the site and session of these tools, and what the service knows about them.',
    input: nothing,
    output: perObject((service) =>
      v.object({ bound: v.object({ siteId: v.string(), session: v.string() }), service }),
    ),
    async run(_, { ask, siteId, session }) {
      const { json } = await ask({ method: 'GET', path: '/whoami' })
      return { json: { bound: { siteId, session }, service: json } }
    },
  }),
  readTool('list-sessions', 'GET /sessions', 'Lists all sessions with changes, most recently changed first.'),
  requestTool({
    name: 'register-site',
    route: 'POST /sites/register',
    description: 'Registers the site that these tools work on.',
    input: v.object({
      name: v.pipe(v.string(), v.regex(/\S/, 'must not be blank')),
      previewUrl: text('The address of the running site.'),
      port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
      purpose: text('The purpose of the site.'),
      secret: text('The draft secret of the site.'),
    }),
  }),
  readTool('list-sites', 'GET /sites', 'Lists the registered sites.'),
]
