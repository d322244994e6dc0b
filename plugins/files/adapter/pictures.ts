/** The pictures of a website, and the addresses that its pages have for them. */
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { basename, dirname } from 'node:path/posix'
import { pace } from '../../../kernel/index.ts'
import type { MediaItem, MediaPage, MediaQuery } from '../../content/adapter.ts'
import type { Page } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { isInside } from './find.ts'
import { isForeign } from './select.ts'

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}

/** The type of a picture by its name; `undefined` for other files. */
const typeOf = (path: string): string | undefined => types[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']

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
  const all = paths.filter((path) => typeOf(path) !== undefined && !isForeign(path)).toSorted()
  const addresses = await addressesIn(all, pages)
  const words = query.toLowerCase().split(/\s+/)
  const found = all.filter((path) => words.every((word) => path.toLowerCase().includes(word)))
  const items = found.slice((page - 1) * limit, page * limit).map((path): MediaItem => {
    const thumbUrl = fileAddress + encoded(path)
    const address = addressOf(path, addresses)
    return {
      id: path,
      name: basename(path),
      imageUrl: address === undefined ? thumbUrl : encoded(address),
      thumbUrl,
    }
  })
  return { items, totalPages: Math.max(1, Math.ceil(found.length / limit)) }
}

/** The addresses of folders, as values of the content that name a picture show them. */
async function addressesIn(
  paths: readonly string[],
  pages: readonly Page[],
): Promise<ReadonlyMap<string, string>> {
  const byName = Map.groupBy(paths, (path) => basename(path))
  const addresses = new Map<string, string>()
  for (const { blocks } of pages) {
    await pace()
    for (const address of blocks.flatMap(({ props }) => textsIn(props))) {
      if (!address.startsWith('/') || typeOf(address) === undefined) continue
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

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isPlainObject(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Reads a picture of the website; `undefined` for other files, and where a link leads to one. */
export async function readPicture(
  root: string,
  path: string,
): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined> {
  const type = typeOf(path)
  const place = join(root, path)
  if (type === undefined || isForeign(path)) return undefined
  const real = await realpath(place).catch(() => undefined)
  if (real !== place || !isInside(root, real)) return undefined
  const bytes = await readFile(place).catch(() => undefined)
  return bytes && { bytes, type }
}
