import { type GatedRoute, sitePlaces, sitesOf } from '../../kernel/index.ts'

interface SiteReader {
  siteId(raw: string | undefined): string
}

/** The checked input of a request. */
export interface SiteInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Returns the ids of the sites that a request is about, the default one where it names none; not for all sites. */
export function namedSites(
  route: GatedRoute,
  input: SiteInput,
  scope: SiteReader | undefined,
): readonly string[] {
  const kind = sitesOf(route)
  if (kind === 'none' || kind === 'all') return []
  return sitePlaces(route).flatMap((place) => {
    const given: unknown = Reflect.get(Object(input[place]), 'siteId')
    const raw = typeof given === 'string' ? given : undefined
    return raw === undefined && kind === 'own' ? [] : [scope?.siteId(raw) ?? '']
  })
}
