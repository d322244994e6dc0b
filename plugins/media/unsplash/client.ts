import * as v from 'valibot'
import { askProvider, type Outbound } from '../../outbound/port.ts'
import { listOf, mayShow, oneLine } from '../port.ts'
import { PhotoId, type Photo, type Photos, type SearchQuery } from './schemas.ts'

/** An https address without credentials. */
const https = v.pipe(
  v.string(),
  v.check((address) => mayShow(address)),
)
const FoundPhoto = v.object({
  id: PhotoId,
  urls: v.object({ regular: https, small: https }),
  alt_description: oneLine,
  description: oneLine,
  links: v.object({ html: https }),
  user: v.object({ name: v.pipe(v.string(), v.maxLength(300)), links: v.object({ html: https }) }),
})
const Page = v.object({
  results: listOf(FoundPhoto),
  total_pages: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
const provider = { name: 'Unsplash', settings: 'UNSPLASH_ACCESS_KEY' }
const maxBytes = 2 * 1024 * 1024

/** The client of Unsplash. Refuses unusable answers with 502. */
export type Unsplash = ReturnType<typeof createUnsplash>

/** Creates the client of Unsplash. Sends the key only to this address. */
export function createUnsplash({
  outbound,
  key,
  baseUrl,
  timeoutMs,
}: {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly key: string
  readonly baseUrl: string
  /** The time limit of one request. */
  readonly timeoutMs: number
}) {
  const ask = <const S extends v.GenericSchema>(path: string, shape: S, signal: AbortSignal) =>
    askProvider(outbound, new URL(`${baseUrl}${path}`), {
      provider,
      shape,
      headers: { authorization: `Client-ID ${key}`, 'accept-version': 'v1' },
      maxBytes,
      timeoutMs,
      allowOrigins: [new URL(baseUrl).origin],
      signal,
    })
  const linked = (address: string): string => {
    const url = new URL(address)
    url.searchParams.set('utm_source', 'content-orchestrator')
    url.searchParams.set('utm_medium', 'referral')
    return url.href
  }
  const toPhoto = ({
    id,
    urls,
    alt_description,
    description,
    links,
    user,
  }: v.InferOutput<typeof FoundPhoto>): Photo => ({
    id,
    imageUrl: urls.regular,
    thumbUrl: urls.small,
    alt: alt_description || description || '',
    author: user.name,
    authorUrl: linked(user.links.html),
    sourceUrl: linked(links.html),
  })
  return {
    async search({ q, limit, page }: SearchQuery, signal: AbortSignal): Promise<Photos> {
      const parameters = {
        query: q,
        orientation: 'landscape',
        per_page: String(limit),
        page: String(page),
        content_filter: 'high',
      }
      const { value } = await ask(`/search/photos?${new URLSearchParams(parameters)}`, Page, signal)
      return { items: value.results.slice(0, limit).map(toPhoto), totalPages: value.total_pages }
    },
    photo: async (id: string, signal: AbortSignal): Promise<Photo> =>
      toPhoto((await ask(`/photos/${id}`, FoundPhoto, signal)).value),
    /** Reports a photo as used. */
    async use(id: string, signal: AbortSignal): Promise<void> {
      await ask(`/photos/${id}/download`, v.unknown(), signal)
    },
  }
}
