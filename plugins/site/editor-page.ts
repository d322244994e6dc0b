import type { Clock } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import { homeFirst } from '../content/slugs.ts'
import type { DraftAccess } from './cookies.ts'
import { draftAccess } from './draft-access.ts'
import type { DraftSource, PageView } from './draft-source.ts'
import { asksForDraft, toDraftRequest, type Visit } from './visit.ts'

/** A page as one visitor may see it. */
export interface EditorPage extends PageView {
  readonly source: 'draft' | 'published'
  /** The address of the page on the site. */
  readonly slug: string
  /** The draft that this visitor was let into, also where it cannot be read now. */
  readonly access: DraftAccess | undefined
  /** For developers: why a visitor who asked for a draft sees what is published. */
  readonly notice: string | undefined
}

export interface EditorPageParts {
  /** Reads what is published. */
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
  /** Without it nobody sees a draft. */
  readonly secret: string | undefined
  readonly siteId?: string | undefined
  readonly clock?: Clock | undefined
}

const notLetIn =
  'This visitor asked for a draft without a cookie or secret that counts, and sees what is published. ' +
  'The editor opens /api/editor/draft?secret=… first; DRAFT_MODE_SECRET must be the same here and there.'
const noSecret = 'This site shows no drafts before it has a secret for them. Set DRAFT_MODE_SECRET, the same as in the editor.'

/** Reads a page of the draft for whoever was let into it, and of what is published for everybody else. */
export async function readEditorPage(slug: string, visit: Visit, parts: EditorPageParts): Promise<EditorPage> {
  const { adapter, drafts, secret, siteId, clock } = parts
  const request = toDraftRequest(visit)
  const access = draftAccess(request, { secret, siteId, clock })
  let notice = access || !asksForDraft(request) ? undefined : secret === undefined ? noSecret : notLetIn
  if (access) {
    try {
      return { source: 'draft', slug, access, notice, ...(await drafts(access, slug)) }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      notice = `The draft cannot be read, so this visitor sees what is published: ${why}. Check ORCHESTRATOR_URL and its token.`
    }
  }
  const { pages, siteConfig = {} } = await adapter.readContent()
  const page = pages.find((each) => each.slug === slug)
  return { source: 'published', slug, access, notice, page, slugs: homeFirst(pages.map((each) => each.slug)), siteConfig }
}
