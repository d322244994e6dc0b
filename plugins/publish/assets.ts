import type { SiteContent } from '../content/adapter.ts'
import { isLocked } from '../content/locked.ts'
import type { Page } from '../content/page.ts'
import { isPlainObject, mapped, mappedObject, perObject } from '../content/plain-object.ts'
import { paced, withLoopbackTwin } from '../../kernel/index.ts'
import type { Blobs, OpenBlob } from '../blobs/port.ts'
import type { Publication, PublishedFile } from './port.ts'

/** The files of this service in content. */
export interface OwnFiles {
  /**
   * Replaces the address of every file with its path on the site, and returns the files by these addresses.
   * Keeps the addresses of files that are no longer stored, or that Drive does not return.
   */
  pack(content: SiteContent): Promise<Pick<Publication, 'assets'> & { readonly content: SiteContent }>
  /**
   * Returns a function that maps file addresses to the paths that the site already uses: a comparison then
   * ignores where a file is stored. Reads the content of the site at the first file.
   */
  likeOn(site: () => Iterable<unknown>): <T extends object | undefined>(content: T) => T
}

/** Milliseconds after which a publish fetches no more images from Drive. */
const longestFetchMs = 30_000

const fileName = '[A-Za-z0-9_-]{1,160}\\.(?:png|jpe?g|webp|gif|pdf)'
const onSite = new RegExp(`(?<![\\w.~:-])/generated-images/(${fileName})(?![\\w-])`, 'gi')

/**
 * Finds files below the addresses of the service, with both names of the loopback address. Also searches
 * within texts, because markup contains addresses.
 */
export function createOwnFiles({
  addresses,
  blobs,
  driveName,
}: {
  readonly addresses: readonly string[]
  readonly blobs: Blobs
  /** Stores an image from Drive, and resolves with the name of the copy; `undefined` if it is not available. */
  readonly driveName: (id: string) => Promise<string | undefined>
}): OwnFiles {
  const origins = addresses.flatMap((address) => withLoopbackTwin(new URL(address).origin)).map(quoted)
  if (origins.length === 0)
    return { pack: async (content) => ({ content, assets: {} }), likeOn: () => (content) => content }
  const file = `generated-images/(${fileName})|gdrive/images/([\\w-]{1,150})`
  const own = new RegExp(`(?:${origins.join('|')})(?:/[\\w~-]+)*/(?:${file})(?![\\w-])`, 'gi')

  // The addresses have no mark that JSON escapes.
  const hasOwn = perObject((page: object) => JSON.stringify(page).search(own) !== -1)

  const open = async ({ names, driveId }: Link, isInTime: boolean): Promise<OpenBlob | undefined> => {
    for (const name of names) {
      const blob = await blobs.open(name)
      if (blob) return blob
    }
    const name = driveId !== undefined && isInTime ? await driveName(driveId) : undefined
    return name === undefined ? undefined : blobs.open(name)
  }

  const load = async (link: Link, isInTime: boolean): Promise<PublishedFile | undefined> => {
    const blob = await open(link, isInTime)
    if (!blob) return undefined
    const data = Buffer.concat(await Array.fromAsync(blob.bytes)).toString('base64')
    return { data, mimeType: blob.type, fileName: blob.key }
  }

  return {
    async pack(content) {
      const links = new Map<string, Link>()
      const note = (text: string): string =>
        text.replace(own, (url, ...groups) => (links.set(url, linkIn(groups)), url))
      mapTexts(content.siteConfig, note)
      for await (const page of paced(content.pages)) if (hasOwn(page)) mapTexts(page, note)
      if (links.size === 0) return { content, assets: {} }
      const files = new Map<string, PublishedFile>()
      const until = performance.now() + longestFetchMs
      for (const [url, link] of links) {
        const file = await load(link, performance.now() < until)
        if (file) files.set(url, file)
      }
      const toSite = (url: string): string => pathOf(files.get(url)?.fileName) ?? url
      const packed = <T>(part: T): T => mapTexts(part, (text) => text.replace(own, toSite))
      const pages = await Array.fromAsync(paced(content.pages), packed<Page>)
      return { content: { pages, siteConfig: packed(content.siteConfig) }, assets: Object.fromEntries(files) }
    },
    likeOn(site) {
      let names: Set<string> | undefined
      const namesOnSite = (): Set<string> => {
        const found = new Set<string>()
        for (const part of site())
          mapTexts(part, (text) => text.replace(onSite, (path, name: string) => (found.add(name), path)))
        return found
      }
      const toSite = (url: string, ...groups: readonly unknown[]): string => {
        const siteNames = (names ??= namesOnSite())
        return pathOf(linkIn(groups).names.find((name) => siteNames.has(name))) ?? url
      }
      return (content) =>
        content && hasOwn(content) ? mapTexts(content, (text) => text.replace(own, toSite)) : content
    },
  }
}

const quoted = (text: string): string => text.replace(/[^\w]/g, '\\$&')
const pathOf = (name: string | undefined): string | undefined => name && `/generated-images/${name}`

/** A reference to a file in content. */
interface Link {
  /** Names under which the file may be stored: its own or, for an image from Drive, the names of its copy. */
  readonly names: readonly string[]
  readonly driveId: string | undefined
}

function linkIn([name, id]: readonly unknown[]): Link {
  if (typeof name === 'string') return { names: [name], driveId: undefined }
  const driveId = String(id)
  return {
    names: ['webp', 'jpg', 'png', 'gif'].map((extension) => `gdrive_${driveId}.${extension}`),
    driveId,
  }
}

/** Maps every text in a JSON value but those of locked blocks; unchanged parts are returned as they are. */
function mapTexts<T>(value: T, map: (text: string) => string): T
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return mapped(value, (inner) => mapTexts(inner, map))
  if (!isPlainObject(value) || isLocked(value)) return value
  return mappedObject(value, (inner) => mapTexts(inner, map))
}
