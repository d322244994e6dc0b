/** Where pictures come from: each source lists them in its own way, and all are shown in one. */
import { basePath, call, type Answer } from '../service.ts'
import { dateOf, sizeOf } from '../stores/formats.ts'
import { draftId } from '../stores/site.ts'
import { randomId } from '../random-id.ts'
import { type PictureUse, uploadFor } from '../stores/uploads.ts'

export interface Picture {
  readonly id: string
  readonly name: string
  /** What it shows, if the source knows that. */
  readonly alt: string
  /** A small picture, or a way to read it where the browser alone may not. */
  readonly thumb: string | (() => Promise<Blob>)
  /**
   * Returns the address for content; a source may have to copy the picture first. `undefined` if that was refused,
   * which is shown with it.
   */
  readonly take: (shows?: string) => Promise<string | undefined>
  /** The same address, where it is known before. */
  readonly url?: string
  readonly facts: readonly string[]
  readonly credit?: { readonly text: string; readonly href: string }
}

export interface PicturePage {
  readonly pictures: readonly Picture[]
  /** Names the next part of the list. */
  readonly next?: string | undefined
  /** Why the source has fewer pictures than it should. */
  readonly note?: string | undefined
}

type Features = Answer<'GET /status/planner'>['features']
interface PictureSource {
  readonly text: string
  /** What the installation must have; without it, it has the source always. */
  readonly feature?: keyof Features
  readonly find: (words: string, next: string | undefined) => Promise<PicturePage>
}

const withUrl = (url: string) => ({ url, take: async () => url })
/** The source counts its pages. */
const after = (page: number, { totalPages }: { readonly totalPages: number }) =>
  page < totalPages ? String(page + 1) : undefined

const pixelsOf = ({
  width,
  height,
}: {
  readonly width?: number | undefined
  readonly height?: number | undefined
}) => (width === undefined || height === undefined ? [] : [`${width} × ${height}`])

export const sources = {
  uploads: {
    text: 'Uploads',
    async find(q, next) {
      const { images, next: more } = await call('GET /media/uploads', {
        query: { q, limit: '48', ...(next !== undefined && { after: next }) },
      })
      return { pictures: images.map(ofUpload), next: more }
    },
  },
  unsplash: {
    text: 'Unsplash',
    feature: 'unsplash',
    async find(q, next = '1') {
      const found = await call('GET /unsplash/search', { query: { q, limit: '20', page: next } })
      const pictures = found.items.map(({ id, imageUrl, thumbUrl, alt, author, sourceUrl }) => ({
        id,
        name: alt || author,
        alt,
        thumb: thumbUrl,
        url: imageUrl,
        async take() {
          // Unsplash asks to be informed; the picture is there without it.
          await call('POST /unsplash/use', { body: { id } }).catch(() => undefined)
          return imageUrl
        },
        facts: [],
        credit: { text: `Photo by ${author} on Unsplash`, href: sourceUrl },
      }))
      const note = found.reason ?? (q === '' ? 'Search for what the photo should show.' : undefined)
      return { pictures, next: after(Number(next), found), note }
    },
  },
  gdrive: {
    text: 'Google Drive',
    feature: 'googleDrive',
    async find(q) {
      const { siteId } = draftId.value
      const found = await call('GET /gdrive/images', { query: { q, siteId, limit: '50' } })
      const pictures = found.items.map(({ id, name, alt, ...size }) => ({
        id,
        name,
        alt,
        thumb: () => call('GET /gdrive/images/:fileId', { params: { fileId: id } }),
        take: async () => (await call('POST /gdrive/import', { body: { fileId: id } })).url,
        facts: pixelsOf(size),
      }))
      return { pictures, note: found.reason }
    },
  },
  cms: {
    text: 'CMS',
    feature: 'cmsMedia',
    async find(query, next = '1') {
      const found = await call('POST /media/cms', {
        body: { ...draftId.value, query, page: Number(next), limit: 48 },
      })
      if (!('items' in found)) return { pictures: [] }
      const pictures = found.items.map(({ id, name, alt, thumbUrl, imageUrl }) => ({
        id,
        name,
        alt,
        thumb: thumbUrl,
        ...withUrl(imageUrl),
        facts: [],
      }))
      return { pictures, next: after(Number(next), found), note: found.reason }
    },
  },
} as const satisfies Readonly<Record<string, PictureSource>>

export type SourceName = keyof typeof sources
export const sourceNames = Object.keys(sources) as readonly SourceName[]

type Upload = Answer<'GET /media/uploads'>['images'][number]

/** A picture that was uploaded just now. */
export const ofUploaded = (sent: Answer<'POST /image/upload'>, name: string): Picture =>
  ofUpload({ ...sent, name, origin: 'uploaded', at: new Date().toISOString() })

export const ofAddress = (url: string): Picture => ({
  id: url,
  name: url,
  alt: '',
  thumb: url,
  ...withUrl(url),
  facts: [],
})

/** A file of this machine, which is sent once it is used. */
export const ofFile = (file: File, use: PictureUse): Picture => ({
  id: randomId(),
  name: file.name,
  alt: '',
  thumb: async () => file,
  take: (shows) => uploadFor(file, use, shows),
  facts: [sizeOf(file.size)],
})

const ofUpload = ({ url, fileName, name, bytes, at, origin, ...size }: Upload): Picture => ({
  id: fileName,
  name,
  // What a person asked for is what a generated picture shows.
  alt: origin === 'generated' ? name : '',
  thumb: `${basePath}/generated-images/${fileName}?w=320`,
  ...withUrl(url),
  facts: [...pixelsOf(size), sizeOf(bytes), `${origin} ${dateOf(at)}`],
})
