import * as v from 'valibot'
import { defineRefusal, defineRoutes, file, gates, text } from '../../kernel/index.ts'

export const noSuchFile = defineRefusal({
  status: 404,
  code: 'file_not_found',
  reason: () => 'The studio has no such file. Load the page again: it was updated.',
})

const common = { method: 'GET', gate: gates.public, sites: 'none', etag: true, internal: true } as const

/** The studio holds no secret: the page asks for the password when the service does. */
export const routes = defineRoutes({
  page: {
    ...common,
    path: '/studio',
    summary: 'Shows the studio, in which people edit, review and publish a website.',
    replies: { 200: text('text/html; charset=utf-8') },
  },
  file: {
    ...common,
    path: '/studio/:name',
    summary: 'Returns a file of the studio.',
    params: v.object({ name: v.pipe(v.string(), v.maxLength(100)) }),
    headers: { 'accept-encoding': 'With `gzip`, the file is sent compressed.' },
    replies: { 200: file('text/javascript', 'text/css', 'image/svg+xml') },
    refusals: [noSuchFile],
  },
})
