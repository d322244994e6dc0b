import { service } from '../../../kernel/index.ts'

/** The pages that a site last published, or its demo pages before that. */
export interface PublishedPages {
  count(siteId: string): Promise<number>
}

export const publishedPages = service<PublishedPages>('published.pages')
