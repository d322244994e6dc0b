import { withLoopbackTwin, type Clock } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import { homeFirst } from '../content/slugs.ts'
import type { DraftAccess } from './cookies.ts'
import { draftAccess, type DraftRequest } from './draft-access.ts'
import { draftHeaders } from './draft-headers.ts'
import type { DraftSource, PageView } from './draft-source.ts'
import type { LiveDraft } from './live-preview.ts'
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
  /** All that `livePreview` needs in the browser, beside `render`; `undefined` for a published page. */
  readonly live: LiveDraft | undefined
  /** To be sent with the page, beside a policy of its own: none unless this visitor was let into a draft. */
  readonly headers: Readonly<Record<string, string>>
}

export interface EditorPageParts {
  /** Reads what is published. */
  readonly adapter: ContentAdapter
  readonly drafts: DraftSource
  /** Where the browser reaches the orchestrator: its origin, or the path of a mount on the site itself. */
  readonly orchestrator: string
  /** Without it nobody sees a draft. */
  readonly secret: string | undefined
  readonly siteId?: string | undefined
  /** Whose pages may show a draft in a frame. */
  readonly editorOrigins: readonly string[]
  readonly clock?: Clock | undefined
}

const notLetIn =
  'This visitor asked for a draft without a cookie or secret that counts, and sees what is published. ' +
  'The editor opens /api/editor/draft?secret=… first; DRAFT_MODE_SECRET must be the same here and there.'
const noSecret = 'This site shows no drafts before it has a secret for them. Set DRAFT_MODE_SECRET, the same as in the editor.'

/** Says which two host names keep the cookie from a frame; `undefined` where another reason keeps this visitor out. */
function twoHosts({ search, host }: DraftRequest, editorOrigins: readonly string[]): string | undefined {
  const origin = new URLSearchParams(search).get('editorOrigin') ?? ''
  const editor = editorOrigins.flatMap(withLoopbackTwin).includes(origin) ? URL.parse(origin) : null
  const site = URL.parse(`http://${host ?? ''}`)
  if (editor?.protocol !== 'http:' || !site || editor.hostname === site.hostname) return undefined
  return (
    `The editor is at ${editor.hostname}, this site at ${site.hostname}: over http a browser sends no cookie to a frame of another ` +
    `host name, so this visitor sees what is published. Open both by one name, or put the secret on the address of the page as 'secret'.`
  )
}

/** Reads a page of the draft for whoever was let into it, and of what is published for everybody else. */
export async function readEditorPage(slug: string, visit: Visit, parts: EditorPageParts): Promise<EditorPage> {
  const { adapter, drafts, orchestrator, secret, siteId, editorOrigins, clock } = parts
  const request = toDraftRequest(visit)
  const access = draftAccess(request, { secret, siteId, clock })
  let notice = access || !asksForDraft(request) ? undefined : secret === undefined ? noSecret : (twoHosts(request, editorOrigins) ?? notLetIn)
  const headers = access ? draftHeaders(editorOrigins) : {}
  if (access) {
    try {
      const view = await drafts(access, slug)
      return { source: 'draft', slug, access, notice, headers, live: { orchestrator, ...access, slug, updatedAt: view.page?.updatedAt }, ...view }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      notice = `The draft cannot be read, so this visitor sees what is published: ${why}. Check ORCHESTRATOR_URL and its token.`
    }
  }
  const { pages, siteConfig = {} } = await adapter.readContent()
  const page = pages.find((each) => each.slug === slug)
  return { source: 'published', slug, access, notice, headers, live: undefined, page, slugs: homeFirst(pages.map((each) => each.slug)), siteConfig }
}
