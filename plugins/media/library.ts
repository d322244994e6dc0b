/** The list of stored images, newest first. */
import type { Logger } from '../../kernel/index.ts'
import { typeOf, type Blobs } from '../blobs/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import type { Listed, ListQuery } from './schemas.ts'

interface Listable {
  /** The stored name. */
  readonly key: string
  readonly bytes: number
  readonly size?: { readonly width: number; readonly height: number } | undefined
  /** What people call it. */
  readonly name?: string | undefined
  /** The site of the token that stored it; `undefined` for other callers. */
  readonly site?: string | undefined
}

/** `name` is in lower case, for the search. */
export const entries = defineCollection('media_images', trusted<Omit<Listable, 'key' | 'site'>>(), {
  columns: { name: 'text', site: 'text' },
  indexes: ['site'],
})
const scope = 'all'
const stored = /^([a-z]+)_(\d{13}_[0-9a-f]{32})\.([a-z]+)$/
/** The number of names that one request searches. */
const maxSearched = 2_000

/**
 * Returns the key of a stored image, which sorts by time; `undefined` for other files and copies in other widths.
 *
 * The name is in the key only: in a body it would be a reference, and the file would never be swept.
 */
function uploadKey(name: string): string | undefined {
  const [, prefix, id, extension] = stored.exec(name) ?? []
  const isImage = typeOf(name)?.startsWith('image/')
  return isImage ? `${id}_${prefix}.${extension}` : undefined
}

const servedName = (key: string): string =>
  key.replace(/^(\d{13}_[0-9a-f]{32})_([a-z]+)\.([a-z]+)$/, '$2_$1.$3')

export type Library = ReturnType<typeof createLibrary>

export function createLibrary({
  store,
  blobs,
  addressOf,
  log,
}: {
  readonly store: Store
  readonly blobs: Blobs
  readonly addressOf: (path: `/${string}`) => string
  readonly log: Logger
}) {
  return {
    /** Lists a stored image. The image stays if that fails. */
    async add({ key: blobKey, site = '', ...body }: Listable): Promise<void> {
      const key = uploadKey(blobKey)
      if (key === undefined) return
      const columns = { name: (body.name ?? blobKey).toLowerCase(), site }
      await store
        .transaction((transaction) => transaction.of(entries).put(scope, key, { body, columns }))
        .catch((err: unknown) => log.warn({ err, key: blobKey }, 'stored image could not be listed'))
    },
    async forget(name: string): Promise<void> {
      const key = uploadKey(name)
      if (key !== undefined)
        await store.transaction((transaction) => transaction.of(entries).remove(scope, key))
    },
    /** Lists images after a cursor. A search looks through a bounded number of names, and may find none of them. */
    async list({ q, limit, after }: ListQuery, site: string | undefined): Promise<Listed> {
      const reader = store.of(entries)
      const wanted = q.toLowerCase()
      const read = wanted === '' ? limit : maxSearched
      const rows = await reader.rows(scope, {
        where: site === undefined ? {} : { site },
        descending: true,
        limit: read,
        ...(after !== undefined && { after }),
      })
      const page = rows.filter(({ columns: { name } }) => name.includes(wanted)).slice(0, limit)
      const last = page.length === limit ? page.at(-1) : rows.length === read ? rows.at(-1) : undefined
      const images = await Promise.all(page.map(({ key }) => describe(key)))
      return { images: images.filter((image) => image !== undefined), ...(last && { next: last.key }) }
    },
  }

  /** Returns what is known of an image; `undefined` if its file was deleted. */
  async function describe(key: string): Promise<Listed['images'][number] | undefined> {
    const fileName = servedName(key)
    const [entry, file] = await Promise.all([store.of(entries).get(scope, key), blobs.open(fileName)])
    if (!entry || !file) return undefined
    const { name = fileName, bytes, size } = entry.body
    return {
      url: addressOf(`/generated-images/${fileName}`),
      fileName,
      name,
      mimeType: file.type,
      bytes,
      ...size,
      origin: fileName.startsWith('gen_') ? 'generated' : 'uploaded',
      at: new Date(Number(key.slice(0, 13))).toISOString(),
    }
  }
}
