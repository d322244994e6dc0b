import { service } from '../../kernel/index.ts'
import type { Page, SiteConfig } from './page.ts'

/** The published content of a site. */
export interface SiteContent {
  readonly pages: readonly Page[]
  /** Absent when the source says nothing about the header of the site, which is not an empty header. */
  readonly siteConfig?: SiteConfig | undefined
}

/** A page of the images that a CMS has. */
export interface MediaQuery {
  /** What is looked for; blank for everything, the newest first. */
  readonly query: string
  /** From 1 on. */
  readonly page: number
  /** Images on a page, from 1 to 50. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** An image of a CMS. It comes from outside: addresses are checked, texts are data. */
export interface MediaItem {
  readonly id: string
  readonly name: string
  /** With https, or a path of the site such as `/images/boat.jpg`. */
  readonly imageUrl: string
  readonly thumbUrl?: string | undefined
  /** What it shows, for people who cannot see it. */
  readonly alt?: string | undefined
}

export interface MediaPage {
  readonly items: readonly MediaItem[]
  readonly totalPages: number
}

/** An image that is to be stored in the CMS. */
export interface MediaFile {
  /** As the client named it, at most 120 characters; never to be part of a path. */
  readonly name: string
  /** By its content: `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
  readonly type: string
  readonly size: number
  /** In pixels, as the image is shown. */
  readonly width?: number
  readonly height?: number
  /** Reads the content from its beginning, while `uploadMedia` runs. */
  bytes(): AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** How the service reads a site's content, and writes it where the site allows that. */
export interface ContentAdapter {
  /** Reads the complete content, or fails with a sentence that says why: never a part of it. */
  readContent(): Promise<SiteContent>
  /** Replaces the complete content; absent when this site is not published this way. The notes are for people. */
  writeContent?(content: SiteContent): Promise<{ readonly notes: readonly string[] }>
  /** Lists images of the site's CMS; absent where it has none. */
  listMedia?(query: MediaQuery): Promise<MediaPage>
  /** Stores an image in the site's CMS and gives it as `listMedia` would; absent where that is not possible. */
  uploadMedia?(file: MediaFile): Promise<MediaItem>
}

export const contentAdapter = service<ContentAdapter>('content.adapter')
