import { readDraft, type DraftEvent } from './draft-stream.ts'
import { untilHydrated } from './hydrated.ts'
import { swap } from './swap.ts'

/** The data of a draft page for the browser: plain JSON, which a server may pass to a component. */
export interface LiveDraft {
  /** The orchestrator for the browser: its origin, or the path of a mount on the site itself. */
  readonly orchestrator: string
  /** Empty for the default site of the orchestrator. */
  readonly siteId: string
  /** By default, the default session of the orchestrator. */
  readonly session?: string | undefined
  /** The address of the page on the site. */
  readonly slug: string
  /** `updatedAt` of the displayed page; absent if this slug has no page yet. */
  readonly updatedAt?: string | undefined
  /** The listed editor that may speak to this page from the window around its frame. */
  readonly editorOrigin?: string | undefined
  /** Parameters of the address that links keep, because they authorise this page. */
  readonly keep?: readonly string[] | undefined
}

/** What was rendered, and why. */
export interface Rendered {
  readonly updatedAt: string | undefined
  /** The number of blocks of the page. */
  readonly blocks: number
  readonly cause: 'event' | 'message'
}

export interface LivePreviewOptions extends LiveDraft {
  /** Sent to an orchestrator that requires one. */
  readonly accessToken?: string | undefined
  /**
   * Shows the newer page, for example with `router.refresh()`. By default, the page is loaded again, and
   * changed elements with `data-block-id` are replaced; `editor:rendered` is then dispatched on the document.
   */
  readonly render?: ((page: LivePage | undefined) => void | Promise<void>) | undefined
  /** Returns a block that must stay as it is, because a person is typing in it. */
  readonly held?: (() => Element | undefined) | undefined
  readonly onRendered?: ((rendered: Rendered) => void) | undefined
  /** Called instead when the loaded page is the published one, with the reason that it gives. */
  readonly onRefused?: ((reason: string) => void) | undefined
}

export interface LivePreview {
  /** Checks the draft at once; false if it could not be read or shown. Equal versions are rendered again. */
  readonly look: (cause: Rendered['cause']) => Promise<boolean>
  /** Takes an event of `GET /events` from who has read it; this page reads none from then on. */
  readonly hear: (event: DraftEvent) => void
  close(): void
}

/** A page document from the orchestrator, with the blocks of the draft. */
export interface LivePage {
  readonly slug: string
  readonly title: string
  readonly updatedAt: string
  readonly blocks: readonly {
    readonly id: string
    readonly type: string
    readonly props: Readonly<Record<string, unknown>>
  }[]
}

const maxWaitMs = 15_000
/** How long a page that is older than the draft has to catch up. */
const retryAfterMs = 100

const timeOf = (stamp = ''): number => Date.parse(stamp) || 0

/** The look after the present one. */
interface NextRead {
  readonly done: Promise<boolean>
  anyway: boolean
}

/**
 * Keeps a draft page in a browser up to date: listens to the changes of the draft, and shows the page again
 * if it is strictly newer than the displayed one, or if the header of the site changed. Ends with `close()`.
 */
export function livePreview(options: LivePreviewOptions): LivePreview {
  const { siteId, session, slug, accessToken, held = () => undefined, onRendered, onRefused } = options
  const orchestrator = options.orchestrator.replace(/(?<!\/)\/+$/, '')
  const draft = new URLSearchParams({
    ...(session !== undefined && { session }),
    ...(siteId !== '' && { siteId }),
  })
  const show = options.render ?? ((page: LivePage | undefined) => showAgain(page, held))
  let shown = timeOf(options.updatedAt)
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  /** The look under way, and the one that follows it because something happened meanwhile. */
  let current: Promise<boolean> | undefined
  let following: NextRead | undefined

  /** Does something later: the more failures without a success, the later. */
  const later = (work: () => void) => setTimeout(work, Math.min(1000 * 2 ** failures++, maxWaitMs))

  const hear = (event: DraftEvent): void => {
    const isChange = event.type === 'draft' || event.type === 'history'
    const isHeader = isChange && (event.configChanged === true || event.removedSlugs !== undefined)
    const isPage = isChange && event.slugs?.includes(slug) === true
    // The page may have changed during the pause.
    if (isHeader || isPage || event.type === 'hello' || event.type === 'reset')
      void refresh(isHeader, 'event')
  }

  /** Looks once at a time; what is asked meanwhile makes one more look. */
  const refresh = (anyway: boolean, cause: Rendered['cause']): Promise<boolean> => {
    if (!current) {
      following = undefined
      return (current = refreshOnce(anyway, cause).finally(() => (current = undefined)))
    }
    if (!following) {
      const next: NextRead = { anyway, done: current.then(() => refresh(next.anyway, cause)) }
      following = next
    }
    following.anyway ||= anyway
    return following.done
  }

  /** `anyway` also shows a page of the same version, because what is around it may have changed. */
  const refreshOnce = async (anyway: boolean, cause: Rendered['cause']): Promise<boolean> => {
    clearTimeout(retry)
    try {
      const page = await load()
      const time = timeOf(page?.updatedAt)
      const isNewer = page ? time > shown : shown > 0
      const isOlder = page !== undefined && time < shown
      if (isClosed || isOlder || !(isNewer || anyway)) return !isOlder
      await show(page)
      failures = 0
      shown = time
      onRendered?.({ updatedAt: page?.updatedAt, blocks: page?.blocks.length ?? 0, cause })
      return true
    } catch (error) {
      if (isClosed) return false
      if (error instanceof NoDraft) onRefused?.(error.message)
      // The change must not be missed, and the stream may be open.
      else retry = later(() => void refresh(true, 'event'))
      return false
    }
  }

  const load = async (): Promise<LivePage | undefined> => {
    const headers = accessToken === undefined ? {} : { 'x-access-token': accessToken }
    const response = await fetch(`${orchestrator}/draft/pages?${draft}&slug=${encodeURIComponent(slug)}`, {
      headers,
    })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`status ${response.status}`)
    return response.json()
  }

  const token = accessToken === undefined ? '' : `&accessToken=${encodeURIComponent(accessToken)}`
  const stopReading = readDraft(`${orchestrator}/events?${draft}${token}`, {
    hear,
    later,
    onOpen: () => void (failures = 0),
  })
  return {
    look: (cause) => refresh(true, cause),
    hear(event) {
      stopReading()
      hear(event)
    },
    close() {
      isClosed = true
      clearTimeout(retry)
      stopReading()
    },
  }
}

/** Thrown if a page that was loaded again is the published one; its message is the reason. */
class NoDraft extends Error {}

/** Loads the page again and swaps what differs. A published or older page is not shown. */
async function showAgain(page: LivePage | undefined, held: () => Element | undefined): Promise<void> {
  const wanted = timeOf(page?.updatedAt)
  await untilHydrated()
  let next = await loadDocument()
  if (stampOf(next) < wanted) {
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
    next = await loadDocument()
  }
  if (stampOf(next) < wanted) throw new Error('older')
  swap(next, held())
  document.dispatchEvent(new CustomEvent('editor:rendered'))
}

async function loadDocument(): Promise<Document> {
  const response = await fetch(location.href, { cache: 'no-store' })
  // A page that does not exist is 404.
  if (response.status >= 500) throw new Error('down')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const reason = reasonIn(page)
  if (reason !== undefined) throw new NoDraft(reason)
  return page
}

/** Why a page shows no draft: the options with which its own script would report it. */
const reasonIn = (page: Document): string | undefined =>
  [...page.scripts].flatMap(({ text }) => reportOf.exec(text)?.[1] ?? []).at(0)
const reportOf = /"reason":"(not_let_in|no_secret|orchestrator_unreachable)"\}\)\s*$/

/** The version in the markup of a page; without one, it counts as current. */
const stampOf = (page: Document): number => {
  const stamp = page.querySelector('main[data-updated-at]')?.getAttribute('data-updated-at')
  return stamp ? timeOf(stamp) : Infinity
}
