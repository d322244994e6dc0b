/** What the service at the origin of the page answers. */
import type { PagePlace } from './mark.ts'

export interface TextsConfig {
  readonly siteId: string
  readonly session: string
  readonly editorOrigin: string
}

export interface PlacesAnswer {
  readonly document?: { readonly slug: string; readonly title: string } | undefined
  readonly places: readonly PagePlace[]
  readonly ambiguous: readonly { readonly index: number; readonly candidates: readonly PagePlace[] }[]
}

const base = '/~editor'

export const readConfig = async (): Promise<TextsConfig> => read(await fetch(`${base}/config`))

export const askForPlaces = async (report: string): Promise<PlacesAnswer> =>
  read(await post('places', report))

const post = (path: string, body: string): Promise<Response> =>
  fetch(`${base}/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

/** Asks in which lines of their files texts are; those that are not known are `null`. */
export const askForLines = async (places: readonly PagePlace[]): Promise<readonly (number | null)[]> => {
  const texts = places.map(({ slug, blockId, path, segments }) => ({
    slug,
    blockId,
    path,
    at: segments?.[0]?.[0] ?? 0,
  }))
  return read(await post('lines', JSON.stringify(texts)))
}

async function read(response: Response) {
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}
