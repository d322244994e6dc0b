/** Types of routes, their input and their replies. Compiled, never run. */
import * as v from 'valibot'
import { defineRoutes, definePlugin, empty, events, file, gates, redirect, stored, text } from '../../kernel/index.ts'
import type { Answer, Call, Handlers, ServerEvent, Upload } from '../../kernel/index.ts'
import type { PathParams } from '../../kernel/route.ts'
import { same } from './same.ts'

const line = { gate: gates.access, summary: 'Does something.' }
const Draft = v.object({ text: v.string(), tags: v.optional(v.array(v.string())) })
const routes = defineRoutes({
  read: {
    ...line,
    method: 'GET',
    path: '/sites/:siteId/pages/:slug',
    query: v.object({ full: v.optional(v.literal('1')) }),
    replies: { 200: Draft, 404: v.object({ error: v.literal('gone') }) },
  },
  write: {
    ...line,
    method: 'PUT',
    path: '/pages',
    body: v.object({ at: v.pipe(v.string(), v.transform(Number)), note: v.optional(v.string(), '') }),
    replies: { 204: empty('Written.') },
  },
  number: {
    ...line,
    method: 'GET',
    path: '/numbers/:n',
    params: v.object({ n: v.pipe(v.string(), v.transform(Number)) }),
    replies: { 200: v.number() },
  },
  upload: {
    ...line,
    method: 'POST',
    path: '/upload',
    upload: { fields: [], types: ['image/png'], maxBytes: 1 },
    replies: { 201: v.object({}) },
  },
  hook: { ...line, method: 'POST', path: '/hook', raw: true, replies: { 200: v.object({}) } },
  image: { ...line, method: 'GET', path: '/image', replies: { 200: file('image/png') } },
  page: { ...line, method: 'GET', path: '/page', replies: { 200: text('text/html') } },
  away: { ...line, method: 'GET', path: '/away', replies: { 302: redirect('Elsewhere.') } },
  cached: { ...line, method: 'GET', path: '/cached', replies: { 200: stored(Draft) } },
  live: { ...line, method: 'GET', path: '/live', replies: { 200: events(v.object({ n: v.number() }), { retry: 1, heartbeat: 1 }) } },
})

declare function ticks<T>(data: T): AsyncGenerator<ServerEvent<T>>

// Input has the types of the path and the schemas.
same<PathParams<'/a/:one/b/:two'>, { readonly one: string; readonly two: string }>(true)
same<keyof PathParams<'/a/b'>, never>(true)
same<Call<typeof routes.read>['params'], { readonly siteId: string; readonly slug: string }>(true)
same<Call<typeof routes.read>['query'], { full?: '1' | undefined }>(true)
same<Call<typeof routes.read>['body'], undefined>(true)
same<Call<typeof routes.write>['body'], { at: number; note: string }>(true)
same<Call<typeof routes.write>['query'], Readonly<Record<string, never>>>(true)
same<Call<typeof routes.number>['params'], { n: number }>(true)
same<Call<typeof routes.upload>['body'], Upload>(true)
same<Call<typeof routes.hook>['body'], Uint8Array>(true)

// A result is one of the declared replies.
same<Answer<typeof routes.read>['status'], 200 | 404>(true)
same<Answer<typeof routes.image>['body'], Uint8Array | AsyncIterable<Uint8Array>>(true)
same<Answer<typeof routes.page>['body'], string>(true)
same<Answer<typeof routes.away>['body'], null>(true)
same<Answer<typeof routes.cached>['body'], string | Uint8Array | AsyncIterable<Uint8Array>>(true)
same<Answer<typeof routes.live>['body'], AsyncIterable<ServerEvent<{ readonly n: number }>>>(true)

const handlers: Handlers<typeof routes> = {
  read: ({ params }) =>
    params.slug === '/' ? { status: 404, body: { error: 'gone' } } : { status: 200, body: { text: params.slug, tags: ['a'] } },
  write: async () => ({ status: 204, body: null, headers: { etag: '"1"', 'set-cookie': ['a=1', 'b=2'] } }),
  number: ({ params }) => ({ status: 200, body: params.n + 1 }),
  upload: async ({ body }) => ({ status: 201, body: { type: (await body.receive(async ({ type }) => type)).taken } }),
  hook: ({ body }) => ({ status: 200, body: { size: body.byteLength } }),
  image: () => ({ status: 200, body: new Uint8Array() }),
  page: () => ({ status: 200, body: '<p>' }),
  away: () => ({ status: 302, body: null, headers: { location: '/' } }),
  cached: () => ({ status: 200, body: '{}' }),
  live: () => ({ status: 200, body: ticks({ n: 1 }) }),
}
definePlugin({ name: 'p', tag: 'P', routes }).setup(() => ({ handlers }))

const one = defineRoutes({ read: routes.read })
const plugin = definePlugin({ name: 'p', tag: 'P', routes: one })
plugin.setup(() => ({ handlers: { read: () => ({ status: 404, body: { error: 'gone' } }) } }))
plugin.setup(async () => ({ handlers: { read: async ({ query }) => ({ status: 200, body: { text: query.full ?? '' } }) } }))
// Readonly values are accepted.
plugin.setup(() => ({ handlers: { read: () => ({ status: 200, body: { text: '', tags: Object.freeze(['a']) } }) } }))
// @ts-expect-error 201 is not among the declared replies
plugin.setup(() => ({ handlers: { read: () => ({ status: 201, body: { text: '' } }) } }))
// @ts-expect-error the body does not fit the declared reply
plugin.setup(() => ({ handlers: { read: () => ({ status: 200, body: { text: 1 } }) } }))
// @ts-expect-error a field is missing
plugin.setup(() => ({ handlers: { read: () => ({ status: 200, body: {} }) } }))
// @ts-expect-error the body belongs to another status
plugin.setup(() => ({ handlers: { read: () => ({ status: 200, body: { error: 'gone' } }) } }))
// @ts-expect-error a header is a string or an array of strings
plugin.setup(() => ({ handlers: { read: () => ({ status: 404, body: { error: 'gone' }, headers: { 'content-length': 12 } }) } }))
// @ts-expect-error the declared route has no handler
plugin.setup(() => ({ handlers: {} }))
// @ts-expect-error handlers are required where routes are declared
plugin.setup(() => ({}))
// @ts-expect-error a handler without a route
definePlugin({ name: 'p', tag: 'P' }).setup(() => ({ handlers: { read: () => ({ status: 200, body: {} }) } }))
// @ts-expect-error the path has no such parameter
plugin.setup(() => ({ handlers: { read: ({ params }) => ({ status: 200, body: { text: params.id } }) } }))
// @ts-expect-error the query has no such parameter
plugin.setup(() => ({ handlers: { read: ({ query }) => ({ status: 200, body: { text: query.page } }) } }))
// @ts-expect-error a GET route without a body schema has no body
plugin.setup(() => ({ handlers: { read: ({ body }) => ({ status: 200, body: { text: body.text } }) } }))

const live = definePlugin({ name: 'p', tag: 'P', routes: { live: routes.live } })
live.setup(() => ({ handlers: { live: () => ({ status: 200, body: ticks({ n: 1 }) }) } }))
// @ts-expect-error the events carry something else
live.setup(() => ({ handlers: { live: () => ({ status: 200, body: ticks({ n: 'one' }) }) } }))
// @ts-expect-error an array is not a stream
live.setup(() => ({ handlers: { live: () => ({ status: 200, body: [{ data: { n: 1 } }] }) } }))

// A route is complete without defaults.
// @ts-expect-error there is no default gate
defineRoutes({ read: { method: 'GET', path: '/read', summary: '', replies: {} } })
// @ts-expect-error a path begins with a slash
defineRoutes({ read: { ...line, method: 'GET', path: 'read', replies: {} } })
// @ts-expect-error HEAD comes with GET, and OPTIONS belongs to the kernel
defineRoutes({ read: { ...line, method: 'OPTIONS', path: '/read', replies: {} } })

// Without its gate a route is an error, and its handler has its types all the same.
const ungated = { method: 'GET', path: '/ping/:who', summary: '', replies: { 200: v.object({ ok: v.literal(true) }) } } as const
// @ts-expect-error there is no default gate
const inline = definePlugin({ name: 'ungated', tag: 'P', routes: { ping: ungated, pong: { ...ungated, gate: gates.public } } })
// @ts-expect-error there is no default gate
const named = defineRoutes({ ping: ungated, pong: { ...ungated, gate: gates.public } })
// @ts-expect-error nor is there one where the table is used
const tabled = definePlugin({ name: 'ungated', tag: 'P', routes: named })
const right = { status: 200, body: { ok: true } } as const
for (const each of [inline, tabled]) {
  each.setup(() => ({ handlers: { ping: ({ params: { who } }) => (same<typeof who, string>(true), right), pong: () => right } }))
  // @ts-expect-error `false` is not the declared literal
  each.setup(() => ({ handlers: { ping: () => ({ status: 200, body: { ok: false } }), pong: () => right } }))
  // @ts-expect-error the path has no such parameter
  each.setup(() => ({ handlers: { ping: ({ params }) => (params.id, right), pong: () => right } }))
}

// Inline routes are inferred as well.
definePlugin({
  name: 'inline',
  tag: 'P',
  routes: {
    ping: {
      method: 'GET',
      path: '/ping/:who',
      gate: gates.public,
      summary: '',
      replies: { 200: v.object({ ok: v.literal(true), who: v.string() }) },
    },
  },
}).setup(() => ({ handlers: { ping: ({ params }) => ({ status: 200, body: { ok: true, who: params.who } }) } }))
definePlugin({
  name: 'inline',
  tag: 'P',
  routes: { ping: { method: 'GET', path: '/ping', gate: gates.public, summary: '', replies: { 200: v.object({ ok: v.literal(true) }) } } },
  // @ts-expect-error `false` is not the declared literal
}).setup(() => ({ handlers: { ping: () => ({ status: 200, body: { ok: false } }) } }))
