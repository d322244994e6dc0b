import type { Schema } from './schema.ts'

/** A permission of a caller. No permission includes another. */
export const permissions = ['read', 'edit', 'plan', 'approve', 'publish', 'agent', 'admin'] as const
export type Permission = (typeof permissions)[number]

/** The sites that a route affects: the one in its input, the caller's own, none, or all. */
export type Sites = 'named' | 'own' | 'none' | 'all'

/** A part of the input that names a site in its field `siteId`. */
export type SitePlace = 'params' | 'query' | 'body'

/** The properties of a route that gates use. */
export interface GatedRoute {
  readonly method: string
  readonly path: string
  readonly gate: { readonly id: string }
  /** One of several permissions is enough; the handler asks for the one that its work needs. */
  readonly can?: Permission | readonly [Permission, ...Permission[]]
  readonly sites?: Exclude<Sites, 'named'>
  readonly query?: Schema
  readonly body?: Schema
}

/** Returns the sites that a route affects; default without `siteId`: all. */
export function sitesOf(spec: Pick<GatedRoute, 'sites' | 'path' | 'query' | 'body'>): Sites {
  return spec.sites ?? (sitePlaces(spec).length > 0 ? 'named' : 'all')
}

/** Returns the parts of the input that name a site. */
export function sitePlaces({
  path,
  query,
  body,
}: Pick<GatedRoute, 'path' | 'query' | 'body'>): readonly SitePlace[] {
  const inPath = path.split('/').includes(':siteId')
  const named = { params: inPath, query: namesSite(query), body: namesSite(body) }
  return (['params', 'query', 'body'] as const).filter((place) => named[place])
}

/** True for an object with the field `siteId`, and for a union with such a member. */
function namesSite(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ('entries' in schema) return Object.hasOwn(Object(schema.entries), 'siteId')
  return 'options' in schema && Array.isArray(schema.options) && schema.options.some(namesSite)
}
