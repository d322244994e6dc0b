import { service } from '../../kernel/index.ts'
import type { PageChange } from './model.ts'
import type { Page, SiteConfig } from './page.ts'
import type { PlainObject } from './plain-object.ts'
import type { Carried } from './read-pages.ts'

/** The published content of a site. */
export interface SiteContent {
  readonly pages: readonly Page[]
  /** Absent if the source does not define the header of the site; that is not an empty header. */
  readonly siteConfig?: SiteConfig | undefined
  /**
   * Former addresses of pages, each `{ from, to, at }` with the time in ISO 8601; absent if the source takes
   * none. Entries of another form stay as they are.
   */
  readonly redirects?: readonly PlainObject[] | undefined
  /** The entries of the source that cannot be used; absent without any. A publish leaves them as they are. */
  readonly unreadable?: readonly Carried[] | undefined
}

/** What the content of a site has, and which pages of it are others than in an earlier state. */
export interface ContentChanges extends Omit<SiteContent, 'pages'> {
  /** Names the state of the content: the same as long as nothing changes. */
  readonly state: string
  /** The slugs of all pages, in their order. */
  readonly slugs: readonly string[]
  /** The slugs of those that may differ from the earlier state; of all if that is not known. */
  readonly changed: readonly string[]
}

/** A query for one page of CMS images. */
export interface MediaQuery {
  /** The search text; blank for all images, newest first. */
  readonly query: string
  /** The page number, from 1. */
  readonly page: number
  /** Images per page, from 1 to 50. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** An image in a CMS. External input: addresses are checked, texts are data. */
export interface MediaItem {
  readonly id: string
  readonly name: string
  /** An https URL, or a path on the site such as `/images/boat.jpg`. */
  readonly imageUrl: string
  readonly thumbUrl?: string | undefined
  /** The alternative text. */
  readonly alt?: string | undefined
  /** The address for the field of an upload's `use`, where that is another one, such as a path from its page. */
  readonly value?: string | undefined
}

export interface MediaPage {
  readonly items: readonly MediaItem[]
  readonly totalPages: number
}

/** The field that a new image is for. All of it is from the client. */
export interface MediaUse {
  /** The slug of the page. */
  readonly slug: string
  /** The name of the field. */
  readonly field?: string | undefined
  /** What the field has now. */
  readonly before?: string | undefined
  /** What the image shows. */
  readonly alt?: string | undefined
}

/** An image to store in the CMS. */
export interface MediaFile {
  /** The name given by the client, at most 120 characters; never use it in a path. */
  readonly name: string
  /** Detected from the content: `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
  readonly type: string
  readonly size: number
  /** In pixels, as displayed. */
  readonly width?: number
  readonly height?: number
  /** Absent if the client does not say what it is for. */
  readonly use?: MediaUse | undefined
  /** Reads the content from the start, while `uploadMedia` runs. */
  bytes(): AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** A file of the website that a write of its content changes. */
export interface FileChange {
  /** From the folder of the content, with slashes. */
  readonly path: string
  /** Where the file was, if it moves. */
  readonly from?: string | undefined
  /** The text of the file before; absent for a new file and for a binary one. */
  readonly before?: string | undefined
  /** What it gets; absent for one that is removed, and for a binary one. */
  readonly after?: string | undefined
  /** Of a new binary file, the file that has its bytes. */
  readonly copyOf?: string | undefined
  /** Of such a file, the path of the first one that refers to it. */
  readonly usedBy?: string | undefined
}

/**
 * Puts changed files in their place, and resolves to whether they are there. `write` does so in the folder of
 * the content.
 */
export type PlaceFiles = (changes: readonly FileChange[], write: () => Promise<void>) => Promise<boolean>

/** A website's own files as its content. */
export interface FilesOfContent {
  readonly folder: string
  /**
   * Returns what a publish of these pages would change. Rejects as a publish does for what a file cannot hold.
   */
  changesOf(pages: readonly Page[]): Promise<readonly FileChange[]>
}

/** The code with which `writeContent` refuses content that was made from an earlier state; it is merged again. */
export const contentChanged = 'content_changed'

/** Reads a site's content, and writes it if the site allows that. */
export interface ContentAdapter {
  /** Whether pages are read as they were written, so that another value is a change of the source. */
  readonly isExact?: boolean
  /** Whether it has pages alone, in an order of its own, and no place for the settings of the site. */
  readonly isPagesOnly?: boolean
  /** Reads the complete content, never a part of it; rejects with the reason as a sentence. */
  readContent(): Promise<SiteContent>
  /**
   * Says what has changed since a state that it named before, without reading the pages; rejects like
   * `readContent`. An adapter of a large site has it, and `read`: then only what changes is read again.
   */
  changes?(since?: string): Promise<ContentChanges>
  /**
   * Reads the page with this slug as `readContent` would, in the state that `changes` named last or a later one;
   * `undefined` if it is gone.
   */
  read?(slug: string): Promise<Page | undefined>
  /**
   * Names the branch that is checked out, where the content is in a repository; `undefined` while that is not
   * known.
   */
  branch?(): Promise<string | undefined>
  /**
   * Replaces the complete content; absent if the site is not published this way. Notes are for people.
   *
   * `pages` has, at their places, also the entries and blocks of `readContent` that could not be used: they
   * are stored as they are. `from` is the state that `changes` named, of which the content was made: who else has
   * changed the source since must not lose that, see `contentChanged`. An adapter with `files` lets `place` put
   * them where they go, if it is given.
   */
  writeContent?(
    content: SiteContent,
    how?: { readonly from?: string | undefined; readonly place?: PlaceFiles | undefined },
  ): Promise<{ readonly notes?: readonly string[] | undefined } | void>
  /** Absent if the content is in no files of the website's own. */
  readonly files?: FilesOfContent
  /**
   * Says as a sentence why the content cannot have a page as a change of a draft makes it; `undefined` if it
   * can, or if that is not known yet. It is asked before the change is stored, and waits for nothing. Absent
   * if it can have any.
   */
  refusalOf?(change: PageChange): string | undefined
  /** Lists images of the site's CMS; absent without one. */
  listMedia?(query: MediaQuery): Promise<MediaPage>
  /**
   * Stores an image in the site's CMS and returns it like `listMedia`; absent if that is not possible. A Refusal
   * with a status below 500 has its reason shown to the person.
   */
  uploadMedia?(file: MediaFile): Promise<MediaItem>
}

export const contentAdapter = service<ContentAdapter>('content.adapter')
