import * as v from 'valibot'
import type { Host } from './host.ts'
import { ask, withoutSecrets, type Asking } from './send.ts'
import { blockTypes } from './tools/block-types.ts'
import { expected, type ToolRequest } from './tool.ts'

/** What hosts can attach to a conversation. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType: 'application/json'
}

const scheme = 'orchestrator://'
const pages = `${scheme}pages/`
const mimeType = 'application/json'
/** Pages of one list of resources. */
const listLength = 200

const fixed = {
  [`${scheme}block-types`]: { name: 'Block types', description: 'The types that blocks may have.' },
  [`${scheme}history`]: { name: 'History', description: 'The newest changes of the draft.' },
} as const

export const templates = [{ uriTemplate: `${pages}{slug}`, name: 'Page', description: 'A page of the draft by its address, encoded as in a query.', mimeType }] as const

const Listed = v.object({ pages: v.array(v.object({ slug: v.string(), title: v.string() })) })

/** Lists the pages of the draft and what stands beside them. A cursor that is none begins anew. */
export async function listResources(host: Host, asking: Asking, cursor: string | undefined): Promise<{ readonly resources: Resource[]; readonly nextCursor?: string }> {
  const start = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const all = expected(Listed, (await ask(host, asking, { method: 'GET', path: '/draft/slugs' })).json).pages
  const listed = all.slice(start, start + listLength).map(({ slug, title }) => ({ uri: pages + encodeURIComponent(slug), name: withoutSecrets(host.secrets, title), mimeType }) as const)
  const beside = Object.entries(fixed).map(([uri, facts]) => ({ uri, ...facts, mimeType }) as const)
  const end = start + listLength
  return { resources: start === 0 ? [...beside, ...listed] : listed, ...(end < all.length && { nextCursor: String(end) }) }
}

/** The JSON of a resource; `undefined` where there is none of that address. */
export async function readResource(host: Host, asking: Asking, uri: string): Promise<string | undefined> {
  const clean = (value: unknown): string => withoutSecrets(host.secrets, JSON.stringify(value))
  if (uri === `${scheme}block-types`) return clean(await blockTypes({ siteBlocks: () => host.siteBlocks(asking.signal) }))
  const request = requestFor(uri)
  return request && clean((await ask(host, asking, request)).json)
}

function requestFor(uri: string): ToolRequest | undefined {
  if (uri === `${scheme}history`) return { method: 'GET', path: '/history/log' }
  const slug = uri.startsWith(pages) ? decoded(uri.slice(pages.length)) : undefined
  return slug === undefined || slug === '' ? undefined : { method: 'GET', path: '/draft/pages', query: { slug } }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
