import { createHash } from 'node:crypto'
import { limitConcurrency } from '../../../../kernel/index.ts'
import { everyItemField } from '../../../content/fields.ts'
import type { Fields } from '../../../content/model.ts'
import type { Page, Props } from '../../../content/page.ts'
import { isPlainObject, mapValues } from '../../../content/plain-object.ts'
import { builtinRegistry } from '../../../content/registry.ts'
import { guardPath, writeGuarded } from '../files/guard.ts'
import type { SiteRun } from '../run/site-run.ts'

/** An image on another server. */
interface RemoteImage {
  readonly url: string
  readonly alt?: string | undefined
}

const mostBytes = 10 * 1024 * 1024
const timeoutMs = 10_000
const atOnce = 4
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** Unsplash photos are shown from Unsplash servers, as its terms require. */
const isHotlinked = (url: string): boolean =>
  ['images.unsplash.com', 'plus.unsplash.com'].includes(URL.parse(url)?.hostname ?? '')

/** Copies remote images to a site's public folder, named by content hash; failed ones keep their address. */
export async function copyImages(run: SiteRun, siteId: string, images: readonly RemoteImage[]) {
  const { outbound, media } = run
  const limited = limitConcurrency(atOnce)
  const folder = await run.copies.folder(siteId)
  /** Returns the address of an image in the site; the original address and a reason if copying fails. */
  const copy = async (url: string): Promise<{ readonly localUrl: string; readonly reason?: string }> => {
    if (isHotlinked(url)) return { localUrl: url }
    if (!media) return { localUrl: url, reason: 'The media plugin, which checks images, is not loaded.' }
    try {
      const request = { maxBytes: mostBytes, timeoutMs, signal: run.signal, accept: 'image/*' }
      const { status, bytes } = await outbound.fetch(url, request)
      if (status !== 200) return { localUrl: url, reason: `The server answered ${status}.` }
      const { type } = await media.check(bytes)
      return { localUrl: await writeImage(folder, { type, bytes }) }
    } catch (error) {
      run.signal.throwIfAborted()
      return { localUrl: url, reason: error instanceof Error ? error.message : 'It could not be fetched.' }
    }
  }
  return Promise.all(images.map(async (image) => ({ ...image, ...(await limited(() => copy(image.url))) })))
}

/** Writes an image into the public folder of a site; returns its address. */
export async function writeImage(
  folder: string,
  { type, bytes }: { readonly type: string; readonly bytes: Uint8Array },
): Promise<string> {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.${endings[type] ?? 'png'}`
  await writeGuarded(await guardPath(folder, `public/images/${name}`), bytes)
  return `/images/${name}`
}

/** Replaces the addresses of images in pages. */
export function withImages(pages: readonly Page[], replace: (address: string) => string): readonly Page[] {
  return pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) => ({
      ...block,
      props: inFields(block.props, builtinRegistry.get(block.type)?.fields ?? {}, replace),
    })),
  }))
}

/** Returns the unique addresses of images on other servers. */
export function remoteImages(pages: readonly Page[]): readonly string[] {
  const found = new Set<string>()
  withImages(pages, (address) => {
    if (/^https?:\/\//i.test(address)) found.add(address)
    return address
  })
  return [...found]
}

function inFields(props: Props, fields: Fields, replace: (address: string) => string): Props {
  return mapValues(props, (value, name) => {
    const meta = fields[name]
    if (meta?.kind === 'image' && typeof value === 'string') return replace(value)
    if (meta?.kind !== 'list' || !Array.isArray(value)) return value
    const rowFields = everyItemField(meta)
    return value.map((row: unknown) => (isPlainObject(row) ? inFields(row, rowFields, replace) : row))
  })
}
