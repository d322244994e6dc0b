/** The pictures of a website, and the addresses that its pages have for them. */
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'
import { paced } from '../../../kernel/index.ts'
import type { MediaItem, MediaPage, MediaQuery } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import { isInside } from './find.ts'
import { isPicture, pictureType, textsIn } from './picture-addresses.ts'
import type { PendingPictures } from './pending-pictures.ts'
import { isForeign } from './select.ts'

/** Where the server of a draft has the files of its website, whatever their addresses are. */
export const fileAddress = '/~editor/files/'

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** What frameworks copy to the top of a website. */
const copied = /^((?:[^/]+\/)*?(?:public|static))\/(?:.*\/)?[^/]+$/

/**
 * Lists pictures by their path. The address of one that has none on the website, but only in what is built from it, begins
 * with `fileAddress`.
 */
export async function listPictures(
  paths: readonly string[],
  pages: readonly Page[],
  { query, page, limit }: Pick<MediaQuery, 'query' | 'page' | 'limit'>,
): Promise<MediaPage> {
  const all = paths.filter((path) => isPicture(path) && !isForeign(path)).toSorted()
  const addresses = await addressesIn(all, pages)
  const words = query.toLowerCase().split(/\s+/)
  const found = all.filter((path) => words.every((word) => path.toLowerCase().includes(word)))
  const items = found
    .slice((page - 1) * limit, page * limit)
    .map((path) => pictureItem(path, addressOf(path, addresses)))
  return { items, totalPages: Math.max(1, Math.ceil(found.length / limit)) }
}

/** Returns a picture of a website; `address` is the one that it has there. */
export function pictureItem(path: string, address: string | undefined): MediaItem {
  const thumbUrl = fileAddress + encoded(path)
  const imageUrl = address === undefined ? thumbUrl : encoded(address)
  return { id: path, name: basename(path), imageUrl, thumbUrl }
}

/** The addresses of folders, as values of the content that name a picture show them. */
async function addressesIn(
  paths: readonly string[],
  pages: readonly Page[],
): Promise<ReadonlyMap<string, string>> {
  const byName = Map.groupBy(paths, (path) => basename(path))
  const addresses = new Map<string, string>()
  for await (const { blocks } of paced(pages)) {
    for (const { text: address } of blocks.flatMap(({ props }) => textsIn(props))) {
      if (!address.startsWith('/') || !isPicture(address)) continue
      const fits = byName.get(basename(address))?.filter((path) => `/${path}`.endsWith(address)) ?? []
      const [path] = fits
      if (path !== undefined && fits.length === 1) addresses.set(dirname(path), dirname(address))
    }
  }
  return addresses
}

function addressOf(path: string, addresses: ReadonlyMap<string, string>): string | undefined {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const address = addresses.get(folder)
    if (address !== undefined) return address.replace(/\/$/, '') + path.slice(folder.length)
  }
  const top = copied.exec(path)?.[1]
  return top === undefined ? undefined : path.slice(top.length)
}

/**
 * Reads a picture of the website, or one that waits for it; `undefined` for other files, and where a link leads
 * to one.
 */
export async function readPicture(
  root: string,
  path: string,
  pending: Pick<PendingPictures, 'read'>,
): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined> {
  const type = pictureType(path)
  const place = join(root, path)
  if (type === undefined || isForeign(path)) return undefined
  const real = await realpath(place).catch(() => undefined)
  if (real !== undefined && (real !== place || !isInside(root, real))) return undefined
  const bytes = pending.read(path) ?? (await readFile(place).catch(() => undefined))
  return bytes && { bytes, type }
}
