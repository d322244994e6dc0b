import * as v from 'valibot'
import { defineRoutes, gates, stored, text } from '../../kernel/index.ts'

const Document = v.pipe(
  v.looseObject({
    openapi: v.literal('3.1.0'),
    info: v.looseObject({ title: v.string(), version: v.string() }),
    paths: v.record(v.string(), v.looseObject({})),
  }),
  v.description('An OpenAPI document.'),
)

const common = { method: 'GET', gate: gates.access, sites: 'none', etag: true } as const

/** The API description, for people and programs. */
export const routes = defineRoutes({
  page: {
    ...common,
    path: '/docs',
    summary: 'Shows the API of this service on a page.',
    replies: { 200: text('text/html; charset=utf-8') },
  },
  json: {
    ...common,
    path: '/docs/json',
    summary: 'Describes the API of this service as an OpenAPI document.',
    replies: { 200: stored(Document) },
  },
  openapi: {
    ...common,
    path: '/openapi.json',
    summary: 'Describes the API of this service, at the address where tools look first.',
    replies: { 200: stored(Document) },
  },
})
