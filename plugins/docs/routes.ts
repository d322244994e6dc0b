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

/** The description of the API, for people and for programs. */
export const routes = defineRoutes({
  page: {
    method: 'GET',
    path: '/docs',
    gate: gates.access,
    sites: 'none',
    summary: 'Shows the API of this service on a page.',
    replies: { 200: text('text/html; charset=utf-8') },
    etag: true,
  },
  json: {
    method: 'GET',
    path: '/docs/json',
    gate: gates.access,
    sites: 'none',
    summary: 'Describes the API of this service as an OpenAPI document.',
    replies: { 200: stored(Document) },
    etag: true,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    gate: gates.access,
    sites: 'none',
    summary: 'Describes the API of this service, at the address where tools look first.',
    replies: { 200: stored(Document) },
    etag: true,
  },
})
