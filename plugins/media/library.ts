/** The list of stored images, newest first. */
import type { Logger } from '../../kernel/index.ts'
import { typeOf, type Blobs } from '../blobs/port.ts'
import { defineCollection, trusted, type Store, type Writer } from '../store/port.ts'
import type { Listed, ListQuery } from './schemas.ts'

export interface Listable {
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
const columns = { name: 'text', site: 'text' } as const
const entries = defineCollection('media_images', trusted<Omit<Listable, 'key' | 'site'>>(), {
  columns,
  indexes: ['site'],
})
const scope = 'all'
/** Marks that the files of earlier releases are listed. */
const seeded = 'seeded'
const stored = /^([a-z]+)_(\d{13}_[0-9a-f]{32})\.([a-z]+)$/
/** The number of names that one request searches. */
const maxSearched = 2_000
const seedAtOnce = 500

/**
 * Returns the key of a stored image, which sorts by time; `undefined` for other files and copies in other widths.
 *
 * The name stands in the key only: in a body it would be a reference, and the file would never be swept.
 */
function keyOf(name: string): string | undefined {
  const [, prefix, id, extension] = stored.exec(name) ?? []
  const isImage = typeOf(name)?.startsWith('image/')
  return isImage ? `${id}_${prefix}.${extension}` : undefined
}

const nameOf = (key: string): string => key.replace(/^(\d{13}_[0-9a-f]{32})_([a-z]+)\.([a-z]+)$/, '$2_$1.$3')

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
  let seeding: Promise<void> | undefined

  const put = async (
    { key: blobKey, site = '', ...body }: Listable,
    writer: Pick<Writer<Omit<Listable, 'key' | 'site'>, typeof columns>, 'put'>,
  ): Promise<void> => {
    const key = keyOf(blobKey)
    if (key === undefined) return
    await writer.put(scope, key, { body, columns: { name: (body.name ?? blobKey).toLowerCase(), site } })
  }

  /** Lists the files of releases that kept no list. */
  const seed = async (): Promise<void> => {
    if (await store.of(entries).get(seeded, seeded)) return
    const found = await Array.fromAsync(blobs.list())
    for (let at = 0; at <= found.length; at += seedAtOnce)
      await store.transaction(async (transaction) => {
        const writer = transaction.of(entries)
        for (const { key, size } of found.slice(at, at + seedAtOnce)) {
          const own = keyOf(key)
          if (own !== undefined && !(await writer.get(scope, own))) await put({ key, bytes: size }, writer)
        }
        if (at + seedAtOnce > found.length)
          await writer.put(seeded, seeded, { body: { bytes: 0 }, columns: { name: '', site: '' } })
      })
  }

  return {
    /** Lists a stored image. The image stays if that fails. */
    async add(image: Listable): Promise<void> {
      await store
        .transaction((transaction) => put(image, transaction.of(entries)))
        .catch((err: unknown) => log.warn({ err, key: image.key }, 'stored image could not be listed'))
    },
    async forget(name: string): Promise<void> {
      const key = keyOf(name)
      if (key !== undefined)
        await store.transaction((transaction) => transaction.of(entries).remove(scope, key))
    },
    /** Lists images after a cursor. A search looks through a bounded number of names, and may find none of them. */
    async list({ q, limit, after }: ListQuery, site: string | undefined): Promise<Listed> {
      seeding ??= seed().catch((error: unknown) => {
        seeding = undefined
        throw error
      })
      await seeding
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
    const fileName = nameOf(key)
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
