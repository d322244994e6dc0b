/**
 * Servers with the parts of Sanity, Contentful and Strapi that site content needs, strict about versions and
 * formats.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startSite, type UpstreamSite } from './upstream.ts'

export type CmsFields = Readonly<Record<string, unknown>>
type CmsTest = Parameters<typeof startSite>[0]

/** A running CMS with what it has published. */
export interface ContentServer extends UpstreamSite {
  readonly published: Map<string, CmsFields | null>
  /** Answers writes from now on as if they were stored. */
  lose(): void
  /** Answers the next `times` requests with this status, or breaks their connections. */
  fail(status: number | 'broken', times?: number, headers?: Readonly<Record<string, string>>): void
}

type CmsHandler = (
  request: {
    readonly method: string
    readonly url: URL
    readonly body: CmsFields
    readonly header: (name: string) => string | undefined
  },
  published: Map<string, CmsFields | null>,
) => readonly [status: number, body?: unknown]

async function start(t: CmsTest, token: string, answer: CmsHandler): Promise<ContentServer> {
  const published = new Map<string, CmsFields | null>()
  let isLosing = false
  let fault:
    | {
        readonly status: number | 'broken'
        times: number
        readonly headers: Readonly<Record<string, string>>
      }
    | undefined
  const site = await startSite(t, (request: IncomingMessage, response: ServerResponse) => {
    const isFaulty = fault && fault.times-- > 0
    if (isFaulty && fault?.status === 'broken') return void request.socket.resetAndDestroy()
    if (isFaulty && fault && fault.status !== 'broken')
      return void response.writeHead(fault.status, fault.headers).end('<p>try later</p>')
    if (request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end('{"message":"no such token"}')
    const text = site.seen.at(-1)?.body ?? ''
    const header = (name: string): string | undefined => request.headers[name]?.toString()
    const [status, body] = answer(
      {
        method: request.method ?? '',
        url: new URL(request.url ?? '', 'http://cms.test'),
        body: text === '' ? {} : JSON.parse(text),
        header,
      },
      isLosing ? new Map(published) : published,
    )
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(body === undefined ? '' : JSON.stringify(body))
  })
  return {
    ...site,
    published,
    lose: () => void (isLosing = true),
    fail: (status, times = 1, headers = {}) => void (fault = { status, times, headers }),
  }
}

export const startSanity = (t: CmsTest, token: string): Promise<ContentServer> =>
  start(t, token, ({ method, url, body }, published) => {
    if (
      method === 'GET' &&
      url.pathname.endsWith('/data/query/production') &&
      url.searchParams.get('perspective') === 'published'
    ) {
      return [
        200,
        {
          query: url.searchParams.get('query'),
          ms: 1,
          result: [...published].map(([id, fields]) => fields && { id, ...fields }),
        },
      ]
    }
    if (
      method !== 'POST' ||
      !url.pathname.endsWith('/data/mutate/production') ||
      !Array.isArray(body['mutations'])
    )
      return [404, { message: 'no such path' }]
    for (const { createOrReplace, delete: removed } of body['mutations'] as {
      createOrReplace?: CmsFields & { _id: string }
      delete?: { id: string }
    }[]) {
      if (createOrReplace) published.set(createOrReplace._id, createOrReplace)
      if (removed) published.delete(removed.id)
    }
    return [200, { transactionId: 't', results: [] }]
  })

export const startContentful = (t: CmsTest, token: string): Promise<ContentServer> => {
  const entries = new Map<string, { version: number; fields: CmsFields }>()
  const flat = (fields: CmsFields): CmsFields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, (value as CmsFields)['en-US']]))
  return start(t, token, ({ method, url, body, header }, published) => {
    const [, id, isPublish] =
      /^\/spaces\/s\/environments\/master\/entries(?:\/([^/]+)(\/published)?)?$/.exec(url.pathname) ?? []
    if (!url.pathname.startsWith('/spaces/s/environments/master/entries'))
      return [404, { message: 'no such path' }]
    const entry = id === undefined ? undefined : entries.get(id)
    const sys = (name: string): CmsFields => ({ id: name, version: entries.get(name)?.version })
    const conflict = entry && header('x-contentful-version') !== String(entry.version)
    if (id === undefined && method === 'GET') {
      const [skip = 0, limit = 0] = ['skip', 'limit'].map((name) => Number(url.searchParams.get(name)))
      const all = [...published]
      return [
        200,
        {
          total: all.length,
          skip,
          limit,
          items: all
            .slice(skip, skip + limit)
            .map(([name, fields]) => fields && { sys: { id: name }, fields }),
        },
      ]
    }
    if (id === undefined && method === 'POST' && header('x-contentful-content-type') === 'editorDocument') {
      const name = `e${entries.size}`
      entries.set(name, { version: 1, fields: body['fields'] as CmsFields })
      return [201, { sys: sys(name) }]
    }
    if (!entry || id === undefined) return [404, { message: 'no such entry' }]
    if (method === 'GET') return [200, { sys: sys(id), fields: entry.fields }]
    if (method === 'PUT' && conflict) return [409, { message: 'VersionMismatch' }]
    if (method === 'PUT' && isPublish) published.set(id, flat(entry.fields))
    if (method === 'PUT' && !isPublish)
      entries.set(id, { version: entry.version, fields: body['fields'] as CmsFields })
    if (method === 'PUT')
      entries.set(id, { version: entry.version + 1, fields: entries.get(id)?.fields ?? {} })
    if (method === 'DELETE' && isPublish) published.delete(id)
    if (method === 'DELETE' && !isPublish) {
      if (published.has(id)) return [400, { message: 'unpublish it first' }]
      entries.delete(id)
      return [204]
    }
    return [200, { sys: sys(id) }]
  })
}

export const startStrapi = (t: CmsTest, token: string): Promise<ContentServer> => {
  let made = 0
  return start(t, token, ({ method, url, body }, published) => {
    const [path, id] = /^\/api\/editor-documents(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    if (path === undefined) return [404, { error: { message: 'no such path' } }]
    const data = body['data'] as CmsFields
    if (method === 'GET') {
      const [page = 0, pageSize = 0] = ['page', 'pageSize'].map((name) =>
        Number(url.searchParams.get(`pagination[${name}]`)),
      )
      const all = [...published].map(([documentId, fields]) => fields && { id: 1, documentId, ...fields })
      return [
        200,
        {
          data: all.slice((page - 1) * pageSize, page * pageSize),
          meta: {
            pagination: { page, pageSize, pageCount: Math.ceil(all.length / pageSize), total: all.length },
          },
        },
      ]
    }
    if (method === 'POST') published.set(`d${(made += 1)}`, data)
    else if (id === undefined || !published.has(id)) return [404, { error: { message: 'no such entry' } }]
    else if (method === 'PUT') published.set(id, data)
    else published.delete(id)
    return method === 'DELETE' ? [204] : [200, { data }]
  })
}
