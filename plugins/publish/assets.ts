import { withLoopbackTwin } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Publication } from './port.ts'

type Assets = Publication['assets']

/** Content whose images travel with it. */
export interface WithAssets<T> {
  readonly content: T
  /** By the URL that the image had in the draft. */
  readonly assets: Assets
}

const imagePath = /^\/generated-images\/([A-Za-z0-9_-]{1,160}\.(?:png|jpe?g|webp|gif|pdf))$/i

/**
 * Finds every image of our own in content, takes its bytes along, and lets the content point to where the site keeps it.
 *
 * An image that is not stored any more stays as it is. Strings are looked at one by one, never JSON text.
 */
export async function packAssets<T>(content: T, { blobs, publicOrigin }: { readonly blobs: Blobs; readonly publicOrigin: string }): Promise<WithAssets<T>> {
  const ours = new Set(withLoopbackTwin(publicOrigin.replace(/\/+$/, '')))
  const found = new Map<string, string>()
  collect(content, (text) => {
    const name = imageNameOf(text, ours)
    if (name !== undefined) found.set(text, name)
  })
  const assets: Record<string, Assets[string]> = {}
  for (const [url, name] of found) {
    const blob = await blobs.open(name)
    if (!blob) continue
    const chunks: Uint8Array[] = []
    for await (const chunk of blob.bytes) chunks.push(chunk)
    assets[url] = { data: Buffer.concat(chunks).toString('base64'), mimeType: blob.type, fileName: name }
  }
  const rewrite = (text: string): string => (Object.hasOwn(assets, text) ? `/generated-images/${assets[text]?.fileName}` : text)
  return { content: Object.keys(assets).length === 0 ? content : (mapTexts(content, rewrite) as T), assets }
}

function imageNameOf(text: string, ours: ReadonlySet<string>): string | undefined {
  if (!text.includes('/generated-images/')) return undefined
  const url = URL.parse(text)
  return url && ours.has(url.origin) ? imagePath.exec(url.pathname)?.[1] : undefined
}

function collect(value: unknown, see: (text: string) => void): void {
  if (typeof value === 'string') see(value)
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) collect(inner, see)
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map)]))
}
