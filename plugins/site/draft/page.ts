import { withLoopbackTwin } from '../../../kernel/index.ts'
import type { ContentAdapter, SiteContent } from '../../content/adapter.ts'
import { toBaseline } from '../../content/baseline.ts'
import { withoutLocked } from '../../content/locked.ts'
import { namesOf } from '../../content/read-pages.ts'
import { redirectFor, redirectsIn, settingsOf } from '../../content/redirects.ts'
import { homeFirst, pageAtSlug } from '../../content/slugs.ts'
import type { DraftView } from '../../draft/port.ts'
import { toOrigin } from '../../outbound/port.ts'
import { draftAccess, isAdmittedByAddress, type DraftAccessOptions } from './access.ts'
import { draftHeaders } from './cookies.ts'
import { previewScript } from '../browser/built.ts'
import type { LiveDraft } from '../browser/live-preview.ts'
import type { PreviewStatus } from '../browser/start.ts'
import type { DraftAccess } from './signature.ts'
import type { DraftSource } from './source.ts'
import {
  asksForDraft,
  asksForPublished,
  editorOriginOf,
  toDraftRequest,
  type DraftRequest,
  type Visit,
} from './visit.ts'

/** A page with the access of one visitor. */
export interface EditorPage extends Omit<DraftView, 'redirects'> {
  readonly source: 'draft' | 'published'
  /** The slug of the page, as the site spells it; without a page, as requested. */
  readonly slug: string
  /** The draft that this visitor may see, even if it cannot be read now. */
  readonly access: DraftAccess | undefined
  /** Where visitors of an address without a page are led, with 308; `undefined` if it leads nowhere. */
  readonly redirect: string | undefined
  /** For developers: why a visitor who requested a draft sees the published page. */
  readonly notice: string | undefined
  /** The options of `livePreview` and `bridge` in the browser; `undefined` for a published page. */
  readonly live: LiveDraft | undefined
  /** For the editor around the frame: why no draft is shown. */
  readonly status: PreviewStatus | undefined
  /** Headers to send with the page, in addition to its own policy; empty without draft access. */
  readonly headers: Readonly<Record<string, string>>
}

const notAdmitted =
  'This visitor asked for a draft without a valid cookie or secret, and sees what is published. ' +
  'The editor opens /api/editor/draft?secret=… first; DRAFT_MODE_SECRET must be the same here and there.'
const entryEnded =
  'The token that made it possible to see this draft has ended, so this visitor sees what is published. ' +
  'Open the page from the editor again.'
const noSecret =
  'This site shows no drafts until it has a secret for them. Set DRAFT_MODE_SECRET, the same as in the editor.'

/** Returns a notice if two host names keep the cookie from a frame; `undefined` for other reasons. */
function twoHosts({ search, host }: DraftRequest, editorOrigins: readonly string[]): string | undefined {
  const origin = toOrigin(new URLSearchParams(search).get('editorOrigin') ?? '') ?? ''
  const editor = editorOrigins.flatMap(withLoopbackTwin).includes(origin) ? URL.parse(origin) : null
  const site = URL.parse(`http://${host ?? ''}`)
  if (editor?.protocol !== 'http:' || !site || editor.hostname === site.hostname) return undefined
  return (
    `The editor is at ${editor.hostname}, this site at ${site.hostname}: over http a browser sends no cookie to a frame of another ` +
    "host name, so this visitor sees what is published. Open both by one name, or put the secret on the address of the page as 'secret'."
  )
}

/**
 * Reads a page: the draft for visitors with access, else the published page; without blocks that cannot be
 * read, which no component can render.
 */
export async function readEditorPage(
  slug: string,
  visit: Visit,
  parts: DraftAccessOptions & {
    /** Reads the published content. */
    readonly adapter: ContentAdapter
    readonly drafts: DraftSource
    /** The orchestrator for the browser: its origin, or the path of a mount on the site itself. */
    readonly orchestrator: string
    /** Editors whose pages may show a draft in a frame. */
    readonly editorOrigins: readonly string[]
  },
): Promise<EditorPage> {
  const { adapter, drafts, orchestrator, secret, siteId, editorOrigins, clock } = parts
  const request = toDraftRequest(visit)
  const address = request.search === '' ? slug : `${slug}?${request.search}`
  const isPublished = asksForPublished(request)
  let access = isPublished ? undefined : draftAccess(request, { secret, siteId, clock })
  let headers = access ? draftHeaders(editorOrigins) : {}
  const refused = secret === undefined ? noSecret : (twoHosts(request, editorOrigins) ?? notAdmitted)
  const isRefused = !access && !isPublished && asksForDraft(request)
  const editorOrigin = editorOriginOf(request, editorOrigins)
  let notice = isRefused ? refused : undefined
  let reason: PreviewStatus['reason'] = secret === undefined ? 'no_secret' : 'not_let_in'
  if (access) {
    try {
      const read = await drafts(access, slug)
      if (read) {
        const { redirects, ...view } = read
        const { by: _, ...draft } = access
        const keep = isAdmittedByAddress(request, { secret, siteId, clock }) ? ['secret'] : []
        const page = view.page && withoutLocked(view.page)
        const shown = view.page?.slug ?? slug
        const live = {
          orchestrator,
          ...draft,
          slug: shown,
          updatedAt: view.page?.updatedAt,
          editorOrigin,
          keep,
        }
        return {
          source: 'draft',
          slug: shown,
          access,
          redirect: page ? undefined : redirectFor(redirects, address),
          notice,
          headers,
          live,
          status: undefined,
          ...view,
          page,
        }
      }
      ;[access, headers, notice] = [undefined, {}, entryEnded]
    } catch (error) {
      reason = 'orchestrator_unreachable'
      const why = error instanceof Error ? error.message : String(error)
      notice = `The draft cannot be read, so this visitor sees what is published: ${why}. Check ORCHESTRATOR_URL and its token.`
    }
  }
  const content: SiteContent = toBaseline(await adapter.readContent()) ?? { pages: [] }
  const { pages, siteConfig = {}, redirects = [], unreadable } = content
  // A site without a usable page is broken; for search engines, its pages are not gone.
  if (pages.length === 0 && unreadable)
    throw new Error(`None of the pages can be used: ${namesOf(unreadable)}.`)
  const found = pageAtSlug(pages, slug)
  const page = found && withoutLocked(found)
  const redirect = page ? undefined : redirectFor(redirectsIn(redirects), address)
  const slugs = homeFirst(pages.map((each) => each.slug))
  if (isPublished) reason = 'asked_for'
  const showsStatus = editorOrigin !== undefined && (isPublished || notice !== undefined)
  const status = showsStatus ? { editorOrigin, slug: page?.slug ?? slug, reason } : undefined
  return {
    source: 'published',
    slug: page?.slug ?? slug,
    access,
    redirect,
    notice,
    headers,
    live: undefined,
    status,
    page,
    slugs,
    siteConfig: settingsOf(siteConfig),
  }
}

export interface LiveScriptOptions {
  /** The address of the orchestrator for the browser; by default the one in `live`. */
  readonly orchestrator?: string | undefined
  /**
   * A token for an orchestrator that requires one. Everyone who sees the page can read the token: use one
   * issued to this visitor, never ORCHESTRATOR_ACCESS_TOKEN.
   */
  readonly accessToken?: string | undefined
  /** `required` refuses editors that do not answer with the nonce of the document. */
  readonly handshake?: 'required' | undefined
  /** Parameters of the address that links keep, besides those of an editor. */
  readonly keep?: readonly string[] | undefined
}

/**
 * Returns a script for a `<script>` at the end of a page, which contains neither `</` nor `<!--`. On a draft
 * page it shows changes as they are made, and lets the listed editor around the frame select and edit, by the
 * messages of `site-editor/v1`; on a published page it reports to that editor why no draft is shown, and one
 * that the editor asked for scrolls with its draft. Empty for other visitors. A page rendered by a framework
 * calls `bridge` of `content-orchestrator/site/bridge` instead, with `live` of the page, `navigate` and
 * `render`.
 */
export function livePreviewScript(
  { live, status }: Pick<EditorPage, 'live'> & Partial<Pick<EditorPage, 'status'>>,
  { orchestrator = live?.orchestrator, accessToken, handshake, keep = [] }: LiveScriptOptions = {},
): string {
  const options = live
    ? { ...live, orchestrator, accessToken, handshake, keep: [...(live.keep ?? []), ...keep] }
    : status
  return options === undefined
    ? ''
    : `${previewScript()}(${JSON.stringify(options).replaceAll('<', '\\u003c')})`
}
