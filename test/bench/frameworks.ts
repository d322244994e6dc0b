/** Servers that do the work of the service in other frameworks, as their guides show it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { validator } from 'hono/validator'
import * as v from 'valibot'
import { listening, type ListenOptions, type StartServer } from './listening.ts'

const Change = v.strictObject({
  ops: v.array(
    v.strictObject({
      op: v.literal('update_props'),
      pageSlug: v.string(),
      blockId: v.string(),
      patch: v.record(v.string(), v.unknown()),
    }),
  ),
})
/** The same as JSON Schema, from which Fastify makes its validation. */
const text = { type: 'string' } as const
const changeSchema = {
  type: 'object',
  required: ['ops'],
  additionalProperties: false,
  properties: {
    ops: {
      type: 'array',
      items: {
        type: 'object',
        required: ['op', 'pageSlug', 'blockId', 'patch'],
        additionalProperties: false,
        properties: {
          op: { const: 'update_props' },
          pageSlug: text,
          blockId: text,
          patch: { type: 'object' },
        },
      },
    },
  },
} as const

/** What each server answers: facts, a page with its ETag, and a change that is on the disk before its answer. */
function workIn({ dataDir = '', body = '', file = '', headers: [, etag = ''] = [] }: ListenOptions) {
  const database = new DatabaseSync(join(dataDir, 'other.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table changes (body text)')
  const insert = database.prepare('insert into changes (body) values (?)')
  return {
    facts: body,
    page: readFileSync(file),
    etag,
    store: (change: unknown) => void insert.run(JSON.stringify(change)),
  }
}

const json = 'application/json; charset=utf-8'
const applied = { status: 'applied' } as const

/** The least that `node:http` needs: paths are compared, and changes parsed but not validated. */
export const plain: StartServer = async (options) => {
  const { facts, page, etag, store } = workIn(options)
  return listening((request, response) => {
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      request
        .on('data', (chunk: Buffer) => void chunks.push(chunk))
        .on('end', () => {
          store(JSON.parse(Buffer.concat(chunks).toString()))
          response.writeHead(200, { 'content-type': json }).end(JSON.stringify(applied))
        })
    } else if (request.url === '/page') {
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
      else response.writeHead(200, { 'content-type': json, 'content-length': page.length, etag }).end(page)
    } else
      response.writeHead(200, { 'content-type': json, 'content-length': Buffer.byteLength(facts) }).end(facts)
  })
}

export const inFastify: StartServer = async (options) => {
  const { facts, page, etag, store } = workIn(options)
  const app = fastify()
  app.get('/health', (_, reply) => reply.type(json).send(facts))
  app.get('/page', ({ headers }, reply) =>
    headers['if-none-match'] === etag
      ? reply.code(304).header('etag', etag).send()
      : reply.type(json).header('etag', etag).send(page),
  )
  app.post('/ops', { schema: { body: changeSchema } }, ({ body }, reply) => {
    store(body)
    return reply.send(applied)
  })
  await app.ready()
  return listening((request, response) => app.routing(request, response))
}

export const inHono: StartServer = async (options) => {
  const { facts, page, etag, store } = workIn(options)
  const app = new Hono()
    .get('/health', (context) => context.body(facts, 200, { 'content-type': json }))
    .get('/page', (context) =>
      context.req.header('if-none-match') === etag
        ? context.body(null, 304, { etag })
        : context.body(new Uint8Array(page), 200, { 'content-type': json, etag }),
    )
    .post(
      '/ops',
      validator('json', (value) => v.parse(Change, value)),
      (context) => {
        store(context.req.valid('json'))
        return context.json(applied)
      },
    )
  const listener = getRequestListener(app.fetch)
  return listening((request, response) => void listener(request, response))
}

export const inExpress: StartServer = async (options) => {
  const { facts, page, etag, store } = workIn(options)
  const app = express()
  app.get('/health', (_, response) => void response.type(json).send(facts))
  app.get('/page', (_, response) => void response.type(json).set('etag', etag).send(page))
  app.post('/ops', express.json(), ({ body }, response) => {
    store(v.parse(Change, body))
    response.json(applied)
  })
  return listening((request, response) => void app(request, response))
}
