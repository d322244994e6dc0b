import { service } from '../../kernel/index.ts'
import type { Page, SiteConfig } from './page.ts'

/** The published content of a site. */
export interface SiteContent {
  readonly pages: readonly Page[]
  /** Absent when the source says nothing about the header of the site, which is not an empty header. */
  readonly siteConfig?: SiteConfig | undefined
}

/** How the service reads a site's content, and writes it where the site allows that. */
export interface ContentAdapter {
  /** Reads the whole content, or fails with a sentence that says why: never a part of it. */
  readContent(): Promise<SiteContent>
  /** Replaces the whole content; absent when this site is not published this way. The notes are for people. */
  writeContent?(content: SiteContent): Promise<{ readonly notes: readonly string[] }>
}

export const contentAdapter = service<ContentAdapter>('content.adapter')
