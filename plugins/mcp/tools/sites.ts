import * as v from 'valibot'
import { nothing, text } from '../arguments.ts'
import { defineTool, requestTool, type Tool } from '../tool.ts'

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
