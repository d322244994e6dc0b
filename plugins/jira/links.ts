import { toOrigin } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'

/** Where a page of a draft is looked at. */
export interface PageLinks {
  readonly slug: string
  /** On the site; it authorises nothing by itself. */
  readonly preview: string
  /** In the editor, which opens drafts. */
  readonly editor: string | undefined
}

/** Makes the links to pages of a draft. `base` is what the site registered, which may be anything. */
export function linksTo(slugs: readonly string[], { id, base, editorOrigin }: { readonly id: DraftId; readonly base: string; readonly editorOrigin: string | undefined }): readonly PageLinks[] {
  const origin = toOrigin(base)
  if (origin === undefined) return []
  const { siteId, session } = id
  const folder = new URL(base).pathname.replace(/(?<!\/)\/+$/, '')
  const linkTo = (site: string, path: string, query: Readonly<Record<string, string>>): string => {
    const url = new URL(site)
    url.pathname = path
    url.search = new URLSearchParams(query).toString()
    return url.href
  }
  return slugs.map((slug) => ({
    slug,
    preview: linkTo(origin, `${folder}${slug}`, { session, siteId, __editor: '1' }),
    editor: editorOrigin && linkTo(editorOrigin, '/', { session, siteId, slug }),
  }))
}
